package io.dynajournal.internal.layout.j5ik2o;

import io.dynajournal.exception.StoreException;
import io.dynajournal.internal.dynamo.Dynamo;
import io.dynajournal.internal.dynamo.Item;
import io.dynajournal.internal.dynamo.ItemPage;
import io.dynajournal.internal.dynamo.ItemSize;
import io.dynajournal.internal.model.SnapshotCriteria;
import io.dynajournal.internal.model.StoredSnapshot;
import io.dynajournal.internal.store.Pages;
import io.dynajournal.internal.store.SnapshotTable;
import io.dynajournal.internal.store.Stages;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;

/**
 * j5ik2o's snapshot table in its current and its legacy format: a row of up to 400 KB per snapshot.
 *
 * <p>Snapshots are read from the partitions that the resolvers return, consistently; with SequenceNumberBased that is a Query
 * per shard, concurrently. An index could return an old snapshot whose following events are deleted already. So it is read
 * only for snapshots after the one that was found, under keys of other resolvers ({@code look-for-other-keys}), and with a
 * user's own partition key resolver, which needs the sequence number to compute a partition.
 */
final class J5SnapshotTable implements SnapshotTable {

    /** Items per page of a search; bounds what is read beyond the first match. */
    private static final int SEARCH_PAGE_ITEMS = 8;

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
        return Stages.guarded(() -> {
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
                    .thenAccept(conflicting -> conflicting.ifPresent(existing -> {
                        throw J5Collision.of(
                                settings.tableName(),
                                snapshot.persistenceId(),
                                snapshot.seqNr(),
                                items.persistenceId(existing));
                    }));
        });
    }

    @Override
    public CompletionStage<Optional<StoredSnapshot>> load(String persistenceId, SnapshotCriteria criteria) {
        return Stages.guarded(() -> {
                    if (criteria.isEmpty()) {
                        return CompletableFuture.completedFuture(Optional.<Item>empty());
                    }
                    List<J5SnapshotQuery> queries = J5SnapshotQuery.all(settings, persistenceId);
                    return latestOf(queries, criteria)
                            .thenCompose(found -> settings.searchesIndexAfter(queries.get(0))
                                    ? withOthers(persistenceId, criteria, found)
                                    : CompletableFuture.completedFuture(found));
                })
                .thenApply(found -> found.map(items::snapshot));
    }

    /** The snapshot found, or a later one under a key of other resolvers. */
    private CompletionStage<Optional<Item>> withOthers(
            String persistenceId, SnapshotCriteria criteria, Optional<Item> found) {
        SnapshotCriteria later =
                found.map(row -> criteria.after(items.seqNr(row))).orElse(criteria);
        return later.isEmpty()
                ? CompletableFuture.completedFuture(found)
                : latest(J5SnapshotQuery.index(settings, persistenceId), later)
                        .thenApply(other -> other.or(() -> found));
    }

    private CompletionStage<Optional<Item>> latestOf(List<J5SnapshotQuery> queries, SnapshotCriteria criteria) {
        List<CompletableFuture<Optional<Item>>> searches = queries.stream()
                .map(query -> latest(query, criteria).toCompletableFuture())
                .toList();
        return CompletableFuture.allOf(searches.toArray(CompletableFuture[]::new))
                .thenApply(done -> searches.stream()
                        .flatMap(search -> search.getNow(Optional.empty()).stream())
                        .max(Comparator.comparingLong(items::seqNr)));
    }

    private CompletionStage<Optional<Item>> latest(J5SnapshotQuery query, SnapshotCriteria criteria) {
        AtomicReference<@Nullable Item> latest = new AtomicReference<>();
        return Pages.<Map<String, AttributeValue>>drain(
                        null,
                        start -> dynamo.query(query.request(criteria, start)
                                        .scanIndexForward(false)
                                        .limit(criteria.boundsTime() || start != null ? SEARCH_PAGE_ITEMS : 1))
                                .thenApply(page -> {
                                    keepLatest(latest, page);
                                    return query.isInOrder() && latest.get() != null ? null : page.next();
                                }))
                .thenApply(done -> Optional.ofNullable(latest.get()));
    }

    private void keepLatest(AtomicReference<@Nullable Item> latest, ItemPage page) {
        for (Item row : page.items()) {
            Item best = latest.get();
            if (best == null || items.seqNr(row) > items.seqNr(best)) {
                latest.set(row);
            }
        }
    }

    @Override
    public CompletionStage<Void> delete(String persistenceId, SnapshotCriteria criteria) {
        return Stages.guarded(() -> {
            if (criteria.isEmpty()) {
                return CompletableFuture.completedFuture(null);
            }
            List<J5SnapshotQuery> queries = new ArrayList<>(J5SnapshotQuery.all(settings, persistenceId));
            if (settings.searchesIndexAfter(queries.get(0))) {
                // Rows under keys of other resolvers: if they stayed, a load would find them after this delete.
                queries.add(J5SnapshotQuery.index(settings, persistenceId));
            }
            return Pages.drain(
                    0,
                    index -> index == queries.size()
                            ? CompletableFuture.completedFuture(null)
                            : delete(queries.get(index), criteria).thenApply(deleted -> index + 1));
        });
    }

    private CompletionStage<Void> delete(J5SnapshotQuery query, SnapshotCriteria criteria) {
        return Pages.<Map<String, AttributeValue>>drain(
                null,
                start -> dynamo.query(query.request(criteria, start))
                        .thenCompose(page -> dynamo.deleteAll(
                                        settings.tableName(),
                                        page.items().stream()
                                                .map(row -> items.key(row).attributes())
                                                .toList())
                                .thenApply(deleted -> page.next())));
    }
}
