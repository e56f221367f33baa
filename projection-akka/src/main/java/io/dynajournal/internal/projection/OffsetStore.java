package io.dynajournal.internal.projection;

import io.dynajournal.exception.SettingsException;
import io.dynajournal.exception.StoreException;
import io.dynajournal.internal.model.SliceRange;
import io.dynajournal.internal.projections.BatchLog;
import io.dynajournal.internal.projections.OffsetTable;
import io.dynajournal.internal.projections.Position;
import io.dynajournal.internal.projections.SeqNrRow;
import io.dynajournal.internal.projections.SliceRow;
import io.dynajournal.internal.projections.StoredOffsets;
import io.dynajournal.internal.settings.ProjectionConfig;
import io.dynajournal.internal.store.Stages;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;

/**
 * The offsets of one run of a projection: what was handed on, what was stored, and where a restart resumes. A restart has a
 * new store, which reads everything again. Rows of entities are stored with each save; those of slices later and less
 * often, because a slice that resumes too early only repeats what the entities' rows filter out. Thread-safe.
 */
final class OffsetStore {

    /** What is known of an entity. */
    private static final class Entity {
        private @Nullable SeqNrRow row;
        private long handedOn;
        private boolean isSaved = true;

        /** Snapshots that were handed on and are not stored yet, by sequence number. */
        private final Map<Long, Position> snapshots = new HashMap<>(0);

        private Entity(@Nullable SeqNrRow row, long handedOn) {
            this.row = row;
            this.handedOn = handedOn;
        }
    }

    private final OffsetTable table;
    private final String projection;
    private final SliceRange range;
    private final ProjectionConfig settings;
    private final long flushNanos;
    private final int maxEntities;
    private final LongSupplier nanoTime;
    private final Consumer<Throwable> flushFailures;
    private final String owner;
    private final @Nullable BatchLog log;
    // The rest is guarded by this.
    private StoredOffsets stored;
    private final LinkedHashMap<String, Entity> entities = new LinkedHashMap<>(16, 0.75f, true);
    private final Map<Integer, SliceRow> slices = new HashMap<>();
    private final Set<Integer> unflushed = new HashSet<>();
    private long progressMicros;
    private long lastFlushNanos;
    private long lastLookNanos;
    private CompletableFuture<@Nullable Void> flushing = CompletableFuture.completedFuture(null);
    private StoreException.@Nullable OffsetConflict conflict;
    private @Nullable ProjectionStatus status;

    private OffsetStore(
            OffsetTable table,
            String projection,
            ProjectionConfig config,
            LongSupplier nanoTime,
            Consumer<Throwable> flushFailures,
            StoredOffsets stored,
            String owner,
            @Nullable BatchLog log) {
        this.owner = owner;
        this.log = log;
        this.table = table;
        this.projection = projection;
        this.range = stored.range();
        this.settings = config;
        this.flushNanos = config.flushInterval().toNanos();
        this.maxEntities = config.trackedEntities();
        this.nanoTime = nanoTime;
        this.flushFailures = flushFailures;
        this.stored = stored;
        this.lastFlushNanos = nanoTime.getAsLong();
        this.lastLookNanos = lastFlushNanos;
        use(stored.rows());
    }

    /** Reads the offsets of a range of slices. */
    static CompletionStage<OffsetStore> open(
            OffsetTable table,
            String projection,
            SliceRange range,
            ProjectionConfig config,
            LongSupplier nanoTime,
            Consumer<Throwable> flushFailures) {
        String owner = UUID.randomUUID().toString();
        boolean packed = config.packedWindow() != null;
        if (packed && !range.isEqualPart()) {
            return CompletableFuture.failedFuture(unequalRange(projection, range));
        }
        return table.read(range).thenCompose(stored -> {
            if (stored.hasOtherLayout(packed)) {
                return CompletableFuture.failedFuture(otherLayout(table, projection, packed));
            }
            CompletionStage<@Nullable BatchLog> log =
                    packed ? BatchLog.read(table, stored, owner).thenApply(read -> read) : noLog();
            return log.thenApply(
                    read -> new OffsetStore(table, projection, config, nanoTime, flushFailures, stored, owner, read));
        });
    }

    private static CompletionStage<@Nullable BatchLog> noLog() {
        return CompletableFuture.completedFuture(null);
    }

    /** An instance finds the logs of other ranges by the slices in which they can begin. */
    private static SettingsException unequalRange(String projection, SliceRange range) {
        return new SettingsException("Projection " + projection + " has layout = packed and the slices " + range.min()
                + " to " + range.max() + ". With this layout the slices must be split into 1, 2, 4, 8 or more equal"
                + " ranges, a power of two up to 1024, as sliceRanges does with such a number. Nothing was read or"
                + " stored. Use such a range, or layout = timestamp-offset.");
    }

    private static SettingsException otherLayout(OffsetTable table, String projection, boolean packed) {
        return new SettingsException("Projection " + projection + " has offsets of the layout "
                + (packed ? "timestamp-offset" : "packed") + " in table " + table.name()
                + ", but its settings have layout = " + (packed ? "packed" : "timestamp-offset")
                + ". Change the setting back, or give the projection another name, which starts from the beginning.");
    }

    private synchronized void use(Map<Integer, SliceRow> rows) {
        slices.clear();
        slices.putAll(rows);
        stored = new StoredOffsets(range, rows, stored.wider(), stored.paused(), stored.owner());
        progressMicros = stored.resumeMicros();
        if (log != null) {
            for (int slice = range.min(); slice <= range.max(); slice++) {
                long horizon = stored.horizon(slice);
                if (horizon > 0) {
                    slices.merge(slice, SliceRow.NONE.forgetting(horizon), (row, none) -> row.forgetting(horizon));
                }
            }
            log.window().forEach((id, row) -> {
                Position position = new Position(id, row.seqNr(), row.micros());
                if (!row.isSnapshot() && row.generation() >= slice(position).generation()) {
                    slices.put(position.slice(), slice(position).with(position));
                }
            });
        }
    }

    /** Reports what is stored now and later. */
    void reportTo(ProjectionStatus reported) {
        boolean paused;
        long resume;
        SliceRow newest;
        synchronized (this) {
            status = reported;
            paused = stored.paused();
            resume = stored.resumeMicros();
            newest = newest();
        }
        reported.opened(paused, resume, newest == null ? 0 : newest.micros(), settings.stuckAfter());
    }

    synchronized boolean isPaused() {
        return stored.paused();
    }

    /**
     * Makes this run the owner of the range.
     *
     * @return the time from which the query must read; 0 for the beginning
     */
    CompletionStage<Long> start() {
        StoredOffsets found;
        synchronized (this) {
            found = stored;
        }
        CompletionStage<Void> placed = CompletableFuture.completedFuture(null);
        if (settings.startsNow() && found.isEmpty()) {
            Map<Integer, SliceRow> now = found.at(table.nowMicros(), Map.of(), found.generation(), log != null);
            placed = table.putSlices(now).thenRun(() -> use(now));
        }
        return placed.thenCompose(done -> log == null
                        ? table.own(range.min(), firstRow(), owner)
                        : table.ownAfter(found.owner(), range, firstRow(), owner)
                                .thenCompose(owned -> takeOver(log, found)))
                .thenApply(done -> resumeMicros());
    }

    /**
     * Shuts out instances of other ranges. Two ranges that start for the first time do not see each other when they open, so
     * each looks again after it has stored its own row.
     */
    private CompletionStage<Void> takeOver(BatchLog batches, StoredOffsets found) {
        if (found.hasLog(range)) {
            return batches.closeOthers();
        }
        return table.read(range).thenCompose(now -> {
            if (!Set.copyOf(found.otherLogs()).containsAll(now.otherLogs())) {
                throw new StoreException.OffsetConflict("Projection " + projection + ", slices " + range.min() + " to "
                        + range.max() + ": an instance with other slices has started at the same time, by its row in"
                        + " table " + table.name() + ". Nothing was projected. The toolkit starts this one again.");
            }
            return batches.closeOthers();
        });
    }

    private synchronized long resumeMicros() {
        return stored.resumeMicros();
    }

    /** The row of the first slice with the progress of the whole range. That of wider ranges is kept for their other parts. */
    private synchronized SliceRow firstRow() {
        long generation = Math.max(
                stored.generation(),
                slices.values().stream().mapToLong(SliceRow::generation).max().orElse(0));
        return slices.getOrDefault(range.min(), SliceRow.NONE)
                .with(range.max(), new SliceRow.Progress(progressMicros, generation, horizon()));
    }

    /** Layout packed: what is older than the window before the newest event is forgotten. */
    private long horizon() {
        Duration window = settings.packedWindow();
        return window == null
                ? SliceRow.Progress.ENTITIES
                : Math.max(stored.lowestHorizon(), progressMicros - window.toNanos() / 1000);
    }

    // ---- Order: used by the stage before the handler ----

    /** Reads the rows of the entities that are not known yet. An entity without a row is remembered, too. */
    CompletionStage<Void> load(Collection<String> persistenceIds) {
        Set<String> unknown = new HashSet<>(persistenceIds);
        synchronized (this) {
            // get marks them as used, so that none of them is evicted before its turn.
            unknown.removeIf(id -> entities.get(id) != null);
        }
        if (log != null) {
            Map<String, SeqNrRow> rows = log.find(unknown);
            unknown.forEach(id -> add(id, rows.get(id)));
            return CompletableFuture.completedFuture(null);
        }
        return unknown.isEmpty()
                ? CompletableFuture.completedFuture(null)
                : table.seqNrs(unknown).thenAccept(rows -> unknown.forEach(id -> add(id, rows.get(id))));
    }

    private synchronized void add(String persistenceId, @Nullable SeqNrRow row) {
        Position any = new Position(persistenceId, 0, 0);
        boolean counts = row != null && row.generation() >= slice(any).generation();
        entities.putIfAbsent(persistenceId, new Entity(row, row != null && counts ? row.seqNr() : 0));
    }

    private SliceRow slice(Position position) {
        return slices.getOrDefault(position.slice(), SliceRow.NONE);
    }

    /** The last sequence number of a loaded entity that was handed on or stored; 0 if there is none. */
    synchronized long lastSeqNr(String persistenceId) {
        return entity(persistenceId).handedOn;
    }

    private Entity entity(String persistenceId) {
        Entity entity = entities.get(persistenceId);
        if (entity == null) {
            throw new IllegalStateException("Persistence id " + persistenceId + " is not loaded");
        }
        return entity;
    }

    synchronized void handedOn(String persistenceId, long seqNr) {
        Entity entity = entity(persistenceId);
        entity.handedOn = seqNr;
        entity.isSaved = false;
    }

    /** What is handed on with this sequence number is a snapshot. */
    synchronized void isSnapshot(Position position) {
        entity(position.persistenceId()).snapshots.put(position.seqNr(), position);
    }

    /** The offset of a snapshot's envelope is not its time. */
    private Position known(Position position) {
        Entity entity = entities.get(position.persistenceId());
        return entity == null ? position : entity.snapshots.getOrDefault(position.seqNr(), position);
    }

    /** Whether an event of an entity without a row lies before the time that the offset was set to. */
    synchronized boolean isBeforeStart(Position position) {
        SliceRow slice = slice(position);
        return position.micros() < slice.baseline() || isSeen(slice, position);
    }

    /** A row may have expired while its event is still the newest of the slice. */
    private static boolean isSeen(SliceRow slice, Position position) {
        return position.micros() == slice.micros()
                && slice.seen().getOrDefault(position.persistenceId(), 0L) >= position.seqNr();
    }

    /** Whether the row of an entity may be missing although its event of this time was projected, or was to be skipped. */
    synchronized boolean mayBeForgotten(Position position) {
        Duration timeToLive = log == null ? settings.timeToLive() : null;
        return isBeforeStart(position)
                || (timeToLive != null && position.micros() < table.nowMicros() - timeToLive.toNanos() / 1000);
    }

    // ---- Saving: used behind the handler ----

    /** Stores the positions, without conditions. */
    CompletionStage<Void> save(List<Position> positions) {
        Map<String, SeqNrRow> rows = new LinkedHashMap<>();
        synchronized (this) {
            if (conflict != null) {
                return CompletableFuture.failedFuture(conflict);
            }
            last(positions).forEach((id, position) -> rows.put(id, row(known(position))));
        }
        return (log == null ? table.putSeqNrs(rows) : reported(log.append(rows)))
                .thenAccept(done -> saved(positions, rows));
    }

    /**
     * Stores the positions and the handler's items in one transaction. Positions that this run has stored are left out: a
     * handler may be retried although its transaction succeeded.
     *
     * @throws IllegalArgumentException if a transaction cannot hold them
     */
    CompletionStage<Void> commit(List<TransactWriteItem> handlersItems, List<Position> positions) {
        Map<String, SeqNrRow> rows = new LinkedHashMap<>();
        List<OffsetTable.Write> writes;
        synchronized (this) {
            if (conflict != null) {
                return CompletableFuture.failedFuture(conflict);
            }
            writes = last(positions).values().stream()
                    .filter(position -> !isStored(position))
                    .map(position -> {
                        SeqNrRow row = row(known(position));
                        rows.put(position.persistenceId(), row);
                        return new OffsetTable.Write(position, row, entity(position.persistenceId()).row);
                    })
                    .toList();
        }
        if (writes.isEmpty()) {
            return CompletableFuture.completedFuture(null);
        }
        int offsets = log == null ? writes.size() : BatchLog.rows(rows);
        if (handlersItems.size() + offsets > OffsetTable.MAX_ACTIONS) {
            return CompletableFuture.failedFuture(new IllegalArgumentException("Projection " + projection
                    + ": the handler returned " + handlersItems.size() + " items, and the offsets of "
                    + writes.size() + (writes.size() == 1 ? " entity" : " entities")
                    + " need " + offsets + ". A DynamoDB transaction has at most " + OffsetTable.MAX_ACTIONS
                    + " items in all. Nothing was stored. Return fewer items, or use smaller groups."));
        }
        return reported(log == null ? table.commit(handlersItems, writes) : log.commit(handlersItems, rows))
                .thenAccept(done -> saved(positions, rows));
    }

    private CompletionStage<Void> reported(CompletionStage<Void> stored) {
        return stored.whenComplete((done, failure) -> {
            if (failure != null && Stages.unwrap(failure) instanceof StoreException.OffsetConflict found) {
                refused(found);
            }
        });
    }

    private boolean isStored(Position position) {
        Entity entity = entities.get(position.persistenceId());
        if (entity == null) {
            return true; // only what was stored is evicted
        }
        SeqNrRow row = entity.row;
        return row != null && row.generation() >= slice(position).generation() && row.seqNr() >= position.seqNr();
    }

    private static Map<String, Position> last(List<Position> positions) {
        Map<String, Position> last = new LinkedHashMap<>();
        positions.forEach(position -> last.merge(
                position.persistenceId(), position, (one, other) -> other.seqNr() > one.seqNr() ? other : one));
        return last;
    }

    private SeqNrRow row(Position position) {
        return new SeqNrRow(position.seqNr(), position.micros(), slice(position).generation(), position.isSnapshot());
    }

    private synchronized void saved(List<Position> positions, Map<String, SeqNrRow> rows) {
        List<Position> events = positions.stream()
                .filter(position -> !known(position).isSnapshot())
                .toList();
        rows.forEach((id, row) -> {
            Entity entity = entities.get(id);
            if (entity != null) {
                entity.row = row;
                entity.isSaved = entity.handedOn <= row.seqNr();
                entity.snapshots.keySet().removeIf(seqNr -> seqNr <= row.seqNr());
            }
        });
        for (Position position : events) {
            SliceRow before = slice(position);
            SliceRow after = before.with(position);
            if (!after.equals(before)) {
                slices.put(position.slice(), after);
                unflushed.add(position.slice());
            }
            progressMicros = Math.max(progressMicros, position.micros());
        }
        if (status != null) {
            status.stored(positions);
        }
        evict();
        if (nanoTime.getAsLong() - lastFlushNanos >= flushNanos && flushing.isDone()) {
            flush();
        }
    }

    /** An entity whose events are not stored yet must stay: its row would show an earlier sequence number. */
    private void evict() {
        Iterator<Entity> eldest = entities.values().iterator();
        for (int more = entities.size() - maxEntities; more > 0 && eldest.hasNext(); more--) {
            if (eldest.next().isSaved) {
                eldest.remove();
            }
        }
    }

    /**
     * Stores the rows of slices, after the rows of the entities they stand for. A failure is reported, and the rows are stored
     * the next time.
     */
    private CompletableFuture<@Nullable Void> flush() {
        Map<Integer, SliceRow> rows = new TreeMap<>();
        unflushed.forEach(slice -> rows.put(slice, slices.getOrDefault(slice, SliceRow.NONE)));
        rows.remove(range.min());
        SliceRow first = firstRow();
        Set<Integer> flushed = Set.copyOf(unflushed);
        unflushed.clear();
        lastFlushNanos = nanoTime.getAsLong();
        flushing = (log == null
                        ? table.putOwned(range, first, owner).thenCompose(done -> table.putSlices(rows))
                        : forget(log, first))
                .handle((done, failure) -> {
                    if (failure != null) {
                        flushFailed(flushed, Stages.unwrap(failure));
                    }
                    return (Void) null;
                })
                .toCompletableFuture();
        return flushing;
    }

    /** The horizon is stored before what lies beyond it is deleted. */
    private CompletionStage<Void> forget(BatchLog batches, SliceRow first) {
        long horizon = horizon();
        if (horizon > 0) {
            for (int slice = range.min(); slice <= range.max(); slice++) {
                slices.merge(slice, SliceRow.NONE.forgetting(horizon), (row, none) -> row.forgetting(horizon));
            }
        }
        return table.putOwned(range, first, owner).thenCompose(done -> batches.forget(horizon));
    }

    private synchronized void flushFailed(Set<Integer> slicesOfFlush, Throwable failure) {
        unflushed.addAll(slicesOfFlush);
        if (failure instanceof StoreException.OffsetConflict found) {
            conflict = found;
        }
        flushFailures.accept(failure);
    }

    private synchronized void refused(StoreException.OffsetConflict found) {
        conflict = found;
    }

    /** Stores what is left when the projection stops. Never fails: a restart then repeats more. */
    synchronized CompletionStage<@Nullable Void> stop() {
        return flushing.thenCompose(done -> lastFlush());
    }

    private synchronized CompletionStage<@Nullable Void> lastFlush() {
        return unflushed.isEmpty() || conflict != null ? CompletableFuture.completedFuture(null) : flush();
    }

    // ---- Management ----

    /** Whether a tool has changed the offsets since this run has read them. Looks once per flush interval. */
    CompletionStage<Boolean> isChangedByTool() {
        StoredOffsets since;
        synchronized (this) {
            long now = nanoTime.getAsLong();
            if (now - lastLookNanos < flushNanos) {
                return CompletableFuture.completedFuture(false);
            }
            lastLookNanos = now;
            since = stored;
        }
        return table.isChanged(since);
    }

    /** The newest position; null if there is none. */
    synchronized @Nullable SliceRow newest() {
        SliceRow newest = SliceRow.NONE;
        for (SliceRow row : slices.values()) {
            if (row.micros() > newest.micros()) {
                newest = row;
            }
        }
        return newest.micros() == 0 ? null : newest;
    }

    /** Sets all slices to a time; 0 for the beginning. Sends one row per slice, 25 per request. */
    CompletionStage<Void> set(long micros, Map<String, Long> seen) {
        StoredOffsets found;
        synchronized (this) {
            found = stored;
        }
        return table.putSlices(found.at(micros, seen, found.generation() + 1, log != null));
    }
}
