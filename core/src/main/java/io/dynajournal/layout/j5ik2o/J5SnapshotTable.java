package io.dynajournal.layout.j5ik2o;

import io.dynajournal.dynamo.Dynamo;
import io.dynajournal.dynamo.Item;
import io.dynajournal.dynamo.ItemPage;
import io.dynajournal.dynamo.ItemSize;
import io.dynajournal.model.SnapshotCriteria;
import io.dynajournal.model.StoredSnapshot;
import io.dynajournal.store.Pages;
import io.dynajournal.store.SnapshotTable;
import io.dynajournal.store.StoreException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;

/**
 * j5ik2o's snapshot table, in its present and its legacy format: a row per snapshot of up to 400 KB.
 *
 * <p>Snapshots are read where the resolvers say they are, consistently; under SequenceNumberBased that is a Query per shard,
 * all at once. Behind a stale snapshot that an index still showed, the events could be deleted already. The index is asked
 * only where nothing was found, because the predecessor changed its default resolver and left older rows where they were
 * ({@code look-for-other-keys}), and under a user's own partition key resolver, which cannot tell the place of a snapshot without its number.
 */
final class J5SnapshotTable implements SnapshotTable {

    /** Bounds what a search reads beyond its first hit. */
    private static final int SEARCH = 8;

    private final Dynamo dynamo;
    private final J5Snapshots settings;
    private final J5SnapshotItems items;

    J5SnapshotTable(Dynamo dynamo, J5Snapshots settings) {
        this.dynamo = dynamo;
        this.settings = settings;
        this.items = settings.items();
    }

    @Override
    public CompletionStage<Void> save(StoredSnapshot snapshot) {
        return staged(() -> {
            Item row = items.row(snapshot);
            if (row.size() > ItemSize.LIMIT) {
                throw new StoreException.ItemTooLarge(
                        settings.tableName(), snapshot.persistenceId(), snapshot.seqNr(), row.size(), ItemSize.LIMIT);
            }
            return dynamo.putIf(PutItemRequest.builder()
                            .tableName(settings.tableName())
                            .item(row.attributes())
                            .conditionExpression("attribute_not_exists(#id) OR #id = :id")
                            .expressionAttributeNames(
                                    Map.of("#id", settings.columns().persistenceId()))
                            .expressionAttributeValues(Map.of(":id", AttributeValue.fromS(snapshot.persistenceId()))))
                    .thenAccept(refusal -> refusal.ifPresent(there -> {
                        throw J5Collision.of(
                                settings.tableName(),
                                snapshot.persistenceId(),
                                snapshot.seqNr(),
                                items.persistenceId(there));
                    }));
        });
    }

    @Override
    public CompletionStage<Optional<StoredSnapshot>> load(String persistenceId, SnapshotCriteria criteria) {
        return staged(() -> {
                    if (criteria.isEmpty()) {
                        return CompletableFuture.completedFuture(Optional.<Item>empty());
                    }
                    List<J5SnapshotQuery> places = J5SnapshotQuery.places(settings, persistenceId);
                    return newestOf(places, criteria)
                            .thenCompose(found -> found.isPresent() || !settings.hasOtherPlaces(places.get(0))
                                    ? CompletableFuture.completedFuture(found)
                                    : newest(J5SnapshotQuery.index(settings, persistenceId), criteria));
                })
                .thenApply(found -> found.map(items::snapshot));
    }

    private CompletionStage<Optional<Item>> newestOf(List<J5SnapshotQuery> places, SnapshotCriteria criteria) {
        List<CompletableFuture<Optional<Item>>> searches = places.stream()
                .map(place -> newest(place, criteria).toCompletableFuture())
                .toList();
        return CompletableFuture.allOf(searches.toArray(CompletableFuture[]::new))
                .thenApply(done -> searches.stream()
                        .flatMap(search -> search.getNow(Optional.empty()).stream())
                        .max(Comparator.comparingLong(items::seqNr)));
    }

    private CompletionStage<Optional<Item>> newest(J5SnapshotQuery place, SnapshotCriteria criteria) {
        AtomicReference<@Nullable Item> newest = new AtomicReference<>();
        return Pages.<Map<String, AttributeValue>>drain(
                        null,
                        start -> dynamo.query(place.request(criteria, start)
                                        .scanIndexForward(false)
                                        .limit(criteria.boundsTime() || start != null ? SEARCH : 1))
                                .thenApply(page -> {
                                    keepNewest(newest, page);
                                    return place.isInOrder() && newest.get() != null ? null : page.next();
                                }))
                .thenApply(done -> Optional.ofNullable(newest.get()));
    }

    private void keepNewest(AtomicReference<@Nullable Item> newest, ItemPage page) {
        for (Item row : page.items()) {
            Item best = newest.get();
            if (best == null || items.seqNr(row) > items.seqNr(best)) {
                newest.set(row);
            }
        }
    }

    @Override
    public CompletionStage<Void> delete(String persistenceId, SnapshotCriteria criteria) {
        return staged(() -> {
            if (criteria.isEmpty()) {
                return CompletableFuture.completedFuture(null);
            }
            List<J5SnapshotQuery> places = new ArrayList<>(J5SnapshotQuery.places(settings, persistenceId));
            if (settings.hasOtherPlaces(places.get(0))) {
                // Rows that an older resolver has placed elsewhere: without this, a delete would bring them to light.
                places.add(J5SnapshotQuery.index(settings, persistenceId));
            }
            return Pages.drain(
                    0,
                    index -> index == places.size()
                            ? CompletableFuture.completedFuture(null)
                            : delete(places.get(index), criteria).thenApply(deleted -> index + 1));
        });
    }

    private CompletionStage<Void> delete(J5SnapshotQuery place, SnapshotCriteria criteria) {
        return Pages.<Map<String, AttributeValue>>drain(
                null,
                start -> dynamo.query(place.request(criteria, start))
                        .thenCompose(page -> dynamo.deleteAll(
                                        settings.tableName(),
                                        page.items().stream()
                                                .map(row -> items.key(row).attributes())
                                                .toList())
                                .thenApply(deleted -> page.next())));
    }

    /** Resolvers may throw; nothing is thrown at a caller who expects a stage. */
    private static <T> CompletionStage<T> staged(Supplier<CompletionStage<T>> call) {
        try {
            return call.get();
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }
}
