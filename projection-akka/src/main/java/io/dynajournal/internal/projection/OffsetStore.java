package io.dynajournal.internal.projection;

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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
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
    private final KnownEntities entities;
    private final KnownSlices slices;
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
        this.entities = new KnownEntities(config.reset());
        this.slices = new KnownSlices(stored, config.packedWindow(), log == null ? Map.of() : log.window());
        this.lastFlushNanos = nanoTime.getAsLong();
        this.lastLookNanos = lastFlushNanos;
    }

    /** Reads the offsets of a range of slices, for the management. */
    static CompletionStage<OffsetStore> open(
            OffsetTable table, String projection, SliceRange range, ProjectionConfig config, LongSupplier nanoTime) {
        LayoutCheck check = new LayoutCheck(table, projection, config.packedWindow() != null);
        return check.range(range)
                .thenCompose(fits -> table.read(range))
                .thenCompose(check::stored)
                .thenCompose(stored -> with(
                        table,
                        projection,
                        config,
                        nanoTime,
                        failure -> {},
                        stored,
                        UUID.randomUUID().toString()));
    }

    /** Reads the offsets of a range of slices, for a run. With the layout packed no other instance commits from now on. */
    static CompletionStage<OffsetStore> openToRun(
            OffsetTable table,
            String projection,
            SliceRange range,
            ProjectionConfig config,
            LongSupplier nanoTime,
            Consumer<Throwable> flushFailures) {
        String owner = UUID.randomUUID().toString();
        boolean packed = config.packedWindow() != null;
        LayoutCheck check = new LayoutCheck(table, projection, packed);
        return check.range(range)
                .thenCompose(fits -> table.ownLogs(packed ? List.of(range) : List.of(), owner))
                .thenCompose(owned -> table.read(range))
                .thenCompose(check::stored)
                .thenCompose(stored -> packed ? ownOtherLogs(table, stored, owner) : completed(stored))
                .thenCompose(stored -> with(table, projection, config, nanoTime, flushFailures, stored, owner));
    }

    private static CompletionStage<StoredOffsets> ownOtherLogs(OffsetTable table, StoredOffsets stored, String owner) {
        List<SliceRange> others = stored.otherLogs();
        return others.isEmpty()
                ? completed(stored)
                : table.ownLogs(others, owner).thenCompose(owned -> table.readFirstRowsAgain(stored));
    }

    private static CompletionStage<StoredOffsets> completed(StoredOffsets stored) {
        return CompletableFuture.completedFuture(stored);
    }

    private static CompletionStage<OffsetStore> with(
            OffsetTable table,
            String projection,
            ProjectionConfig config,
            LongSupplier nanoTime,
            Consumer<Throwable> flushFailures,
            StoredOffsets stored,
            String owner) {
        CompletionStage<@Nullable BatchLog> log = config.packedWindow() == null
                ? CompletableFuture.completedFuture(null)
                : BatchLog.read(table, stored, owner, config.reset()).thenApply(read -> read);
        return log.thenApply(
                read -> new OffsetStore(table, projection, config, nanoTime, flushFailures, stored, owner, read));
    }

    /** Reports what is stored now and later. */
    void reportTo(ProjectionStatus reported) {
        boolean paused;
        long resume;
        SliceRow newest;
        synchronized (this) {
            status = reported;
            paused = slices.read().paused();
            resume = slices.read().resumeMicros();
            newest = slices.newest();
        }
        reported.opened(paused, resume, newest == null ? 0 : newest.micros(), settings.stuckAfter());
    }

    synchronized boolean isPaused() {
        return slices.read().paused();
    }

    /**
     * Makes this run the owner of the range.
     *
     * @return the time from which the query must read; 0 for the beginning
     */
    CompletionStage<Long> start() {
        StoredOffsets found;
        synchronized (this) {
            found = slices.read();
        }
        return (log == null ? startWithRows(found) : startWithLog(found)).thenApply(done -> resumeMicros());
    }

    private CompletionStage<Void> startWithRows(StoredOffsets found) {
        Map<Integer, SliceRow> placed = settings.startsNow() ? found.startingAt(table.nowMicros()) : Map.of();
        if (placed.isEmpty()) {
            return table.own(range, firstRow(), found.owner(), owner);
        }
        // The row of the first slice is the last one: a start that is interrupted before is continued.
        Map<Integer, SliceRow> others = new HashMap<>(placed);
        others.remove(range.min());
        return table.putSlices(others).thenCompose(done -> {
            place(placed);
            return table.own(range, firstRow(), found.owner(), owner);
        });
    }

    private CompletionStage<Void> startWithLog(StoredOffsets found) {
        if (settings.startsNow() && found.isEmpty()) {
            place(found.packedAt(table.nowMicros()));
        }
        CompletionStage<Void> announced = table.putOwnedWithLog(range, firstRow(), found.owner(), owner);
        return found.hasLog(range) ? announced : announced.thenCompose(done -> checkForNewRanges(found));
    }

    private synchronized void place(Map<Integer, SliceRow> rows) {
        slices.place(rows);
    }

    /**
     * Two ranges that start for the first time do not see each other when they open, so each reads again after it has stored
     * its own row.
     */
    private CompletionStage<Void> checkForNewRanges(StoredOffsets found) {
        List<SliceRange> known = found.otherLogs();
        return table.read(range)
                .thenCombine(table.ownsLogs(known, owner), (now, owns) -> owns && known.containsAll(now.otherLogs()))
                .thenAccept(alone -> {
                    if (!alone) {
                        throw new StoreException.OffsetConflict("Projection " + projection + ", slices " + range.min()
                                + " to " + range.max() + ": an instance with other slices has started at the same time,"
                                + " by its row in table " + table.name()
                                + ". Nothing was projected. The toolkit starts this one again.");
                    }
                });
    }

    private synchronized long resumeMicros() {
        return slices.read().resumeMicros();
    }

    private synchronized SliceRow firstRow() {
        return slices.firstRow();
    }

    // ---- Order: used by the stage before the handler ----

    /** Reads the rows of the entities that are not known yet. An entity without a row is remembered, too. */
    CompletionStage<Void> load(Collection<String> persistenceIds) {
        Set<String> unknown = new HashSet<>(persistenceIds);
        synchronized (this) {
            // get marks them as used, so that none of them is evicted before its turn.
            unknown.removeIf(entities::use);
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
        entities.add(persistenceId, row, slices.generation(persistenceId));
    }

    /**
     * The last sequence number of a loaded entity that was handed on or stored before an event; 0 if there is none, or if
     * sequence numbers have started again.
     */
    synchronized long lastSeqNr(Position next) {
        return entities.lastSeqNr(next);
    }

    synchronized boolean isBeforeReset(Position position) {
        return entities.isBeforeReset(position);
    }

    synchronized void handedOn(Position position) {
        entities.handedOn(position);
    }

    /** What is handed on with this sequence number is a snapshot. */
    synchronized void isSnapshot(Position position) {
        entities.isSnapshot(position);
    }

    /** Whether an event of an entity without a row lies before the time that the offset was set to. */
    synchronized boolean isBeforeStart(Position position) {
        return slices.isBeforeStart(position);
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
            last(positions).forEach((id, position) -> rows.put(id, row(entities.known(position))));
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
                    .filter(position -> !entities.isStored(position, slices.generation(position.persistenceId())))
                    .map(position -> {
                        SeqNrRow row = row(entities.known(position));
                        rows.put(position.persistenceId(), row);
                        return new OffsetTable.Write(position, row, entities.row(position.persistenceId()));
                    })
                    .toList();
        }
        if (writes.isEmpty()) {
            return CompletableFuture.completedFuture(null);
        }
        int offsets = log == null ? writes.size() : BatchLog.actions(rows);
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

    private static Map<String, Position> last(List<Position> positions) {
        Map<String, Position> last = new LinkedHashMap<>();
        positions.forEach(position -> last.put(position.persistenceId(), position));
        return last;
    }

    private SeqNrRow row(Position position) {
        return new SeqNrRow(
                position.seqNr(),
                position.micros(),
                slices.generation(position.persistenceId()),
                position.isSnapshot());
    }

    private synchronized void saved(List<Position> positions, Map<String, SeqNrRow> rows) {
        List<Position> events = positions.stream()
                .filter(position -> !entities.known(position).isSnapshot())
                .toList();
        entities.saved(rows);
        slices.saved(events);
        if (status != null) {
            status.stored(positions);
        }
        entities.evict(maxEntities);
        if (nanoTime.getAsLong() - lastFlushNanos >= flushNanos && flushing.isDone()) {
            flush();
        }
    }

    /**
     * Stores the rows of slices, after the rows of the entities they stand for. A failure is reported, and the rows are stored
     * the next time.
     */
    private CompletableFuture<@Nullable Void> flush() {
        SliceRow first = slices.firstRow();
        Map<Integer, SliceRow> rows = slices.takeUnflushed();
        Set<Integer> flushed = Set.copyOf(rows.keySet());
        rows.remove(range.min());
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
        long horizon = slices.forget();
        return table.putOwnedWithLog(range, first, owner, owner).thenCompose(done -> batches.forget(horizon));
    }

    private synchronized void flushFailed(Set<Integer> slicesOfFlush, Throwable failure) {
        slices.flushAgain(slicesOfFlush);
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
        return slices.isFlushed() || conflict != null ? CompletableFuture.completedFuture(null) : flush();
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
            since = slices.read();
        }
        return table.isChanged(since);
    }

    /** The newest position; null if there is none. */
    synchronized @Nullable SliceRow newest() {
        return slices.newest();
    }

    /**
     * Sets all slices to a time; 0 for the beginning. Sends one row per slice, 25 per request.
     *
     * @param seen the sequence numbers of that time that count as projected; they are stored like those that were
     */
    CompletionStage<Void> set(long micros, Map<String, Long> seen) {
        StoredOffsets found;
        synchronized (this) {
            found = slices.read();
        }
        long generation = found.generation() + 1;
        Map<String, SeqNrRow> projected = new LinkedHashMap<>();
        seen.forEach((id, seqNr) -> {
            if (range.contains(id)) {
                projected.put(id, new SeqNrRow(seqNr, micros, generation));
            }
        });
        // With the layout packed, instances that have read the old offsets commit nothing more.
        return table.ownLogs(log == null ? List.of() : found.logs(), owner)
                .thenCompose(owned -> table.putSlices(found.at(micros, seen, generation, log != null)))
                .thenCompose(placed ->
                        projected.isEmpty() || log == null ? table.putSeqNrs(projected) : log.append(projected));
    }
}
