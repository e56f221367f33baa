package io.dynajournal.internal.projections;

import io.dynajournal.internal.model.SliceRange;
import io.dynajournal.internal.model.Slices;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The rows of the slices of a range as they were read.
 *
 * @param rows by slice; those that exist
 * @param owner of the row of the first slice; null if it has none
 * @param wider by slice: the first rows of the wider ranges that may have included this one
 */
public record StoredOffsets(
        SliceRange range,
        Map<Integer, SliceRow> rows,
        Map<Integer, SliceRow> wider,
        boolean paused,
        @Nullable String owner) {

    public StoredOffsets {
        rows = Map.copyOf(rows);
        wider = Map.copyOf(wider);
    }

    /** With rows that were read later. */
    StoredOffsets withRows(StoredOffsets later) {
        Map<Integer, SliceRow> newRows = new HashMap<>(rows);
        newRows.putAll(later.rows);
        Map<Integer, SliceRow> newWider = new HashMap<>(wider);
        newWider.putAll(later.wider);
        return new StoredOffsets(range, newRows, newWider, paused, later.owner);
    }

    public SliceRow row(int slice) {
        return rows.getOrDefault(slice, SliceRow.NONE);
    }

    /** Whether nothing of the range was ever projected or set. */
    public boolean isEmpty() {
        return rows.isEmpty() && resumeMicros() == 0;
    }

    /** A query of the whole range from this time on skips nothing; 0 for the beginning. */
    public long resumeMicros() {
        Map<Integer, Long> through = resumeBySlice();
        return through.values().stream().mapToLong(Long::longValue).min().orElse(0);
    }

    /** A query of a slice from this time on skips nothing; 0 for the beginning. */
    public long resumeMicros(int slice) {
        return resumeBySlice().getOrDefault(slice, 0L);
    }

    private Map<Integer, Long> resumeBySlice() {
        Map<Integer, SliceRow> all = new TreeMap<>(wider);
        all.putAll(rows);
        Map<Integer, Long> through = new HashMap<>();
        slices().forEach(slice -> through.put(slice, row(slice).micros()));
        all.forEach((first, row) -> row.progress()
                .forEach((last, progress) -> slices().filter(slice -> slice >= first && slice <= last)
                        .filter(slice -> row(slice).generation() <= progress.generation())
                        .forEach(slice -> through.merge(slice, progress.micros(), Math::max))));
        return through;
    }

    /**
     * How far the ranges were projected that no others have replaced: each is the one furthest on for one of its slices, or more. In
     * order of their slices. A query of a range from its time on skips nothing; 0 is the beginning.
     */
    public Map<SliceRange, Long> currentRanges() {
        Map<Integer, Map.Entry<SliceRange, Long>> furthest = new TreeMap<>();
        forEachProgress((of, progress) -> {
            Map.Entry<SliceRange, Long> made = Map.entry(of, progress.micros());
            slices().filter(slice -> slice >= of.min() && slice <= of.max())
                    .filter(slice -> row(slice).generation() <= progress.generation())
                    .forEach(slice -> furthest.merge(
                            slice, made, (one, other) -> other.getValue() > one.getValue() ? other : one));
        });
        Map<SliceRange, Long> ranges = new LinkedHashMap<>();
        furthest.values().forEach(each -> ranges.put(each.getKey(), each.getValue()));
        return ranges;
    }

    /** The highest generation of the range and of what applies to it. */
    public long generation() {
        return Stream.concat(rows.values().stream(), wider.values().stream())
                .flatMapToLong(row -> LongStream.concat(
                        LongStream.of(row.generation()),
                        row.progress().values().stream().mapToLong(SliceRow.Progress::generation)))
                .max()
                .orElse(0);
    }

    /** The packed logs of other ranges that have slices of this one. */
    public List<SliceRange> otherLogs() {
        List<SliceRange> logs = new ArrayList<>();
        forEachProgress((of, progress) -> {
            if (progress.isPacked() && !of.equals(range) && of.max() >= range.min() && of.min() <= range.max()) {
                logs.add(of);
            }
        });
        return logs;
    }

    /** The packed logs of all ranges that have slices of this one. */
    public List<SliceRange> logs() {
        List<SliceRange> logs = new ArrayList<>(otherLogs());
        if (hasLog(range)) {
            logs.add(range);
        }
        return logs;
    }

    /** Whether a range has a packed log. */
    public boolean hasLog(SliceRange of) {
        boolean[] found = {false};
        forEachProgress((each, progress) -> found[0] |= progress.isPacked() && each.equals(of));
        return found[0];
    }

    /** Whether rows of the other layout are there. */
    public boolean hasOtherLayout(boolean packed) {
        boolean[] found = {false, false};
        forEachProgress((of, progress) -> found[progress.isPacked() ? 1 : 0] |= of.max() >= range.min());
        return packed ? found[0] || (!rows.isEmpty() && !found[1]) : found[1];
    }

    /** Layout packed: the time before which the entities of a slice are not known; 0 if all are. */
    public long horizon(int slice) {
        long[] horizon = {0};
        forEachProgress((of, progress) -> {
            if (slice >= of.min() && slice <= of.max() && row(slice).generation() <= progress.generation()) {
                horizon[0] = Math.max(horizon[0], progress.horizon());
            }
        });
        return horizon[0];
    }

    /** The lowest horizon of all slices: what a range that was joined knows of its slowest part. */
    public long lowestHorizon() {
        return slices().mapToLong(this::horizon).min().orElse(0);
    }

    private void forEachProgress(BiConsumer<SliceRange, SliceRow.Progress> use) {
        Map<Integer, SliceRow> all = new TreeMap<>(wider);
        all.putAll(rows);
        all.forEach((first, row) ->
                row.progress().forEach((last, progress) -> use.accept(new SliceRange(first, last), progress)));
    }

    /**
     * The rows of a first start that begins with the events after a time, for the slices that have none yet: an earlier start may
     * have been interrupted, and its time stays. Empty if the range was started before.
     */
    public Map<Integer, SliceRow> startingAt(long micros) {
        boolean isUntouched = rows.values().stream()
                .allMatch(row -> row.generation() == 0
                        && row.baseline() > 0
                        && row.baseline() == row.micros()
                        && row.progress().isEmpty());
        long time = rows.values().stream().mapToLong(SliceRow::baseline).min().orElse(micros);
        return isUntouched && generation() == 0 && resumeMicros() == 0 ? at(time, Map.of(), 0, false) : Map.of();
    }

    /** Layout packed: as {@link #startingAt}, in one row. */
    public Map<Integer, SliceRow> packedAt(long micros) {
        return Map.of(
                range.min(), SliceRow.NONE.with(range.max(), new SliceRow.Progress(micros, generation(), micros)));
    }

    /** The rows that set all slices of the range to a time. */
    public Map<Integer, SliceRow> at(long micros, Map<String, Long> seen, long generation, boolean packed) {
        Map<Integer, SliceRow> set = new HashMap<>();
        slices().forEach(slice -> {
            Map<String, Long> ofSlice = new HashMap<>(seen);
            ofSlice.keySet().removeIf(id -> Slices.of(id) != slice);
            SliceRow row =
                    new SliceRow(micros, ofSlice, generation, micros, row(slice).progress());
            set.put(
                    slice,
                    slice == range.min()
                            ? row.with(
                                    range.max(),
                                    new SliceRow.Progress(micros, generation, packed ? 0 : SliceRow.Progress.ENTITIES))
                            : row);
        });
        return set;
    }

    private IntStream slices() {
        return IntStream.rangeClosed(range.min(), range.max());
    }
}
