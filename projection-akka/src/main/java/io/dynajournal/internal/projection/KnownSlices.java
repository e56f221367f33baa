package io.dynajournal.internal.projection;

import io.dynajournal.internal.model.SliceRange;
import io.dynajournal.internal.model.Slices;
import io.dynajournal.internal.projections.Position;
import io.dynajournal.internal.projections.SeqNrRow;
import io.dynajournal.internal.projections.SliceRow;
import io.dynajournal.internal.projections.StoredOffsets;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * How far a run of a projection has come in each slice of its range, and which slices have changed since their rows were
 * flushed. Not thread-safe.
 */
final class KnownSlices {

    private final SliceRange range;

    /** Layout packed; otherwise null. */
    private final @Nullable Duration window;

    private final Map<String, SeqNrRow> packed;
    private final Map<Integer, SliceRow> rows = new HashMap<>();
    private final Set<Integer> unflushed = new HashSet<>();
    private StoredOffsets read;
    private long progressMicros;

    /** @param packed layout packed: the entities of the window */
    KnownSlices(StoredOffsets read, @Nullable Duration window, Map<String, SeqNrRow> packed) {
        this.range = read.range();
        this.window = window;
        this.packed = Map.copyOf(packed);
        this.read = read;
        place(read.rows());
    }

    /** What was read at the start. */
    StoredOffsets read() {
        return read;
    }

    /** These rows are stored in place of those that were read. */
    void place(Map<Integer, SliceRow> stored) {
        rows.clear();
        rows.putAll(stored);
        read = new StoredOffsets(range, stored, read.wider(), read.paused(), read.owner());
        progressMicros = read.resumeMicros();
        if (window != null) {
            for (int slice = range.min(); slice <= range.max(); slice++) {
                forget(slice, read.horizon(slice));
            }
            packed.forEach((id, row) -> {
                Position position = new Position(id, row.seqNr(), row.micros());
                if (!row.isSnapshot() && row.generation() >= generation(id)) {
                    rows.put(position.slice(), row(position).with(position));
                }
            });
        }
    }

    private void forget(int slice, long horizon) {
        if (horizon > 0) {
            rows.merge(slice, SliceRow.NONE.forgetting(horizon), (row, none) -> row.forgetting(horizon));
        }
    }

    private SliceRow row(Position position) {
        return rows.getOrDefault(position.slice(), SliceRow.NONE);
    }

    /** The generation of the slice of an entity. */
    long generation(String persistenceId) {
        return rows.getOrDefault(Slices.of(persistenceId), SliceRow.NONE).generation();
    }

    /** Whether an event of an entity without a row lies before the time that the offset was set to. */
    boolean isBeforeStart(Position position) {
        SliceRow row = row(position);
        return position.micros() < row.baseline() || isSeen(row, position);
    }

    /** The row of an entity may have expired while its event is still the newest of the slice. */
    private static boolean isSeen(SliceRow slice, Position position) {
        return position.micros() == slice.micros()
                && slice.seen().getOrDefault(position.persistenceId(), 0L) >= position.seqNr();
    }

    /** The rows of the events' entities are stored. */
    void saved(List<Position> events) {
        for (Position position : events) {
            SliceRow before = row(position);
            SliceRow after = before.with(position);
            if (!after.equals(before)) {
                rows.put(position.slice(), after);
                unflushed.add(position.slice());
            }
            progressMicros = Math.max(progressMicros, position.micros());
        }
    }

    /** The row of the newest event; null if there is none. */
    @Nullable
    SliceRow newest() {
        SliceRow newest = SliceRow.NONE;
        for (SliceRow row : rows.values()) {
            if (row.micros() > newest.micros()) {
                newest = row;
            }
        }
        return newest.micros() == 0 ? null : newest;
    }

    // ---- Flushing ----

    /** The row of the first slice with the progress of the whole range. That of wider ranges is kept for their other parts. */
    SliceRow firstRow() {
        long generation = Math.max(
                read.generation(),
                rows.values().stream().mapToLong(SliceRow::generation).max().orElse(0));
        return rows.getOrDefault(range.min(), SliceRow.NONE)
                .with(range.max(), new SliceRow.Progress(progressMicros, generation, horizon()));
    }

    /** Layout packed: what is older than the window before the newest event is forgotten. */
    private long horizon() {
        return window == null
                ? SliceRow.Progress.ENTITIES
                : Math.max(read.lowestHorizon(), progressMicros - window.toNanos() / 1000);
    }

    /** Layout packed: forgets what is older than the window; from when on entities are known. */
    long forget() {
        long horizon = horizon();
        for (int slice = range.min(); slice <= range.max(); slice++) {
            forget(slice, horizon);
        }
        return horizon;
    }

    boolean isFlushed() {
        return unflushed.isEmpty();
    }

    /** The rows that are to be flushed now. */
    Map<Integer, SliceRow> takeUnflushed() {
        Map<Integer, SliceRow> taken = new TreeMap<>();
        unflushed.forEach(slice -> taken.put(slice, rows.getOrDefault(slice, SliceRow.NONE)));
        unflushed.clear();
        return taken;
    }

    /** The flush has failed. */
    void flushAgain(Collection<Integer> slices) {
        unflushed.addAll(slices);
    }
}
