package io.dynajournal.internal.query;

import akka.NotUsed;
import akka.stream.javadsl.Source;
import io.dynajournal.internal.model.StoredSnapshot;
import io.dynajournal.internal.slices.ReaderSettings;
import io.dynajournal.internal.slices.ResumePoint;
import io.dynajournal.internal.store.PageToken;
import io.dynajournal.internal.store.Pages;
import io.dynajournal.internal.store.SlicePartition;
import io.dynajournal.internal.store.SnapshotIndex;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The newest snapshot of each id in a query's slices, for a query that starts from snapshots. The whole index is read first,
 * because an id may have several snapshots in it; then the snapshots are loaded, a few at a time.
 */
final class NewestSnapshots {

    /** Maximum number of snapshots in memory. */
    private static final int MAX_LOADED = 16;

    private final SnapshotIndex index;
    private final RequestLimiter limiter;
    private final SliceQuery query;
    private final long fromMicros;
    private final Map<String, Long> newestSeqNrs = new ConcurrentHashMap<>();

    NewestSnapshots(SnapshotIndex index, RequestLimiter limiter, SliceQuery query, ReaderSettings settings) {
        this.index = index;
        this.limiter = limiter;
        this.query = query;
        this.fromMicros = fromMicros(query.start(), settings);
    }

    /**
     * A snapshot is saved after its events. Clock skew and request time are less than the backtracking window, so a snapshot
     * with events that the consumer has not received is not older than this.
     */
    private static long fromMicros(ResumePoint start, ReaderSettings settings) {
        return Math.max(0, start.fromMicros() - settings.backtrackingWindow().toNanos() / 1000);
    }

    /** The sequence number of each id's delivered snapshot; complete when the source has completed. */
    Map<String, Long> deliveredSeqNrs() {
        return Map.copyOf(newestSeqNrs);
    }

    Source<StoredSnapshot, NotUsed> source(String entityType) {
        List<CompletableFuture<Void>> reads = index.partitions(entityType, query.slices()).stream()
                .map(partition -> read(partition).toCompletableFuture())
                .toList();
        return Source.completionStage(CompletableFuture.allOf(reads.toArray(CompletableFuture<?>[]::new))
                        .thenApply(read -> keys()))
                .mapMaterializedValue(done -> NotUsed.getInstance())
                .mapConcat(keys -> keys)
                .grouped(MAX_LOADED)
                .mapAsync(1, keys -> limiter.run(() -> index.load(keys)).thenApply(found -> delivered(keys, found)))
                .mapConcat(found -> found);
    }

    private List<SnapshotIndex.Key> keys() {
        return newestSeqNrs.entrySet().stream()
                .map(newest -> new SnapshotIndex.Key(newest.getKey(), newest.getValue()))
                .toList();
    }

    private CompletionStage<Void> read(SlicePartition partition) {
        return Pages.<PageToken>drain(
                null,
                start -> limiter.run(() -> index.read(partition, fromMicros, start))
                        .thenApply(page -> {
                            page.keys().stream().filter(this::isIncluded).forEach(this::keep);
                            return page.next();
                        }));
    }

    /** A snapshot at sequence number 0 contains no event. */
    private boolean isIncluded(SnapshotIndex.Key key) {
        return key.seqNr() > query.start().seen().getOrDefault(key.persistenceId(), 0L)
                && query.slices().contains(key.persistenceId());
    }

    private void keep(SnapshotIndex.Key key) {
        newestSeqNrs.merge(key.persistenceId(), key.seqNr(), Math::max);
    }

    /** A snapshot may have been deleted since the index was read, or replaced by a newer one. */
    private List<StoredSnapshot> delivered(List<SnapshotIndex.Key> keys, List<StoredSnapshot> found) {
        keys.forEach(key -> newestSeqNrs.remove(key.persistenceId()));
        List<StoredSnapshot> included = found.stream()
                .filter(snapshot -> isIncluded(new SnapshotIndex.Key(snapshot.persistenceId(), snapshot.seqNr())))
                .toList();
        included.forEach(snapshot -> keep(new SnapshotIndex.Key(snapshot.persistenceId(), snapshot.seqNr())));
        return included;
    }
}
