package io.dynajournal.query;

import akka.NotUsed;
import akka.stream.javadsl.Source;
import io.dynajournal.model.StoredSnapshot;
import io.dynajournal.slices.ReaderSettings;
import io.dynajournal.slices.Start;
import io.dynajournal.store.PageToken;
import io.dynajournal.store.Pages;
import io.dynajournal.store.SlicePartition;
import io.dynajournal.store.SnapshotIndex;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The newest snapshot of each id in a query's slices, for a query that starts from snapshots. First the index is read
 * whole, because an id may have several snapshots there; then they are loaded, a few at a time.
 */
final class NewestSnapshots {

    /** How many snapshots are in memory at once. */
    private static final int LOADED = 16;

    private final SnapshotIndex index;
    private final Lane lane;
    private final SliceQuery query;
    private final long fromMicros;
    private final Map<String, Long> numbers = new ConcurrentHashMap<>();

    NewestSnapshots(SnapshotIndex index, Lane lane, SliceQuery query, ReaderSettings settings) {
        this.index = index;
        this.lane = lane;
        this.query = query;
        this.fromMicros = fromMicros(query.start(), settings);
    }

    /**
     * A snapshot of events that the consumer has not had was saved after them; clocks and the time of requests differ by the
     * window at most.
     */
    private static long fromMicros(Start start, ReaderSettings settings) {
        return Math.max(0, start.fromMicros() - settings.window().toNanos() / 1000);
    }

    /** Up to which number each id was handed over. To be asked for when all snapshots were. */
    Map<String, Long> numbers() {
        return Map.copyOf(numbers);
    }

    Source<StoredSnapshot, NotUsed> source(String entityType) {
        List<CompletableFuture<Void>> reads = index.partitions(entityType, query.slices()).stream()
                .map(partition -> read(partition).toCompletableFuture())
                .toList();
        return Source.completionStage(CompletableFuture.allOf(reads.toArray(CompletableFuture<?>[]::new))
                        .thenApply(read -> keys()))
                .mapMaterializedValue(done -> NotUsed.getInstance())
                .mapConcat(keys -> keys)
                .grouped(LOADED)
                .mapAsync(1, keys -> lane.run(() -> index.load(keys)).thenApply(found -> handedOver(keys, found)))
                .mapConcat(found -> found);
    }

    private List<SnapshotIndex.Key> keys() {
        return numbers.entrySet().stream()
                .map(newest -> new SnapshotIndex.Key(newest.getKey(), newest.getValue()))
                .toList();
    }

    private CompletionStage<Void> read(SlicePartition partition) {
        return Pages.<PageToken>drain(
                null,
                start -> lane.run(() -> index.read(partition, fromMicros, start))
                        .thenApply(page -> {
                            page.keys().stream().filter(this::isWanted).forEach(this::keep);
                            return page.next();
                        }));
    }

    /** A snapshot before the first event stands for no event. */
    private boolean isWanted(SnapshotIndex.Key key) {
        return key.seqNr() > query.start().seen().getOrDefault(key.persistenceId(), 0L)
                && query.slices().contains(key.persistenceId());
    }

    private void keep(SnapshotIndex.Key key) {
        numbers.merge(key.persistenceId(), key.seqNr(), Math::max);
    }

    /** What was deleted since the index was read stands for nothing; a newer one may have come in its place. */
    private List<StoredSnapshot> handedOver(List<SnapshotIndex.Key> asked, List<StoredSnapshot> found) {
        asked.forEach(key -> numbers.remove(key.persistenceId()));
        List<StoredSnapshot> wanted = found.stream()
                .filter(snapshot -> isWanted(new SnapshotIndex.Key(snapshot.persistenceId(), snapshot.seqNr())))
                .toList();
        wanted.forEach(snapshot -> keep(new SnapshotIndex.Key(snapshot.persistenceId(), snapshot.seqNr())));
        return wanted;
    }
}
