package io.dynajournal.layout.akka1;

import io.dynajournal.dynamo.Dynamo;
import io.dynajournal.dynamo.Item;
import io.dynajournal.dynamo.ItemPage;
import io.dynajournal.dynamo.ItemSize;
import io.dynajournal.model.SnapshotCriteria;
import io.dynajournal.model.StoredSnapshot;
import io.dynajournal.store.Pages;
import io.dynajournal.store.SnapshotTable;
import io.dynajournal.store.StoreException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;

/**
 * Snapshots in the table of 1.x, an item each.
 *
 * <p>The newest is the one with the highest number, whatever the clocks said; the predecessor takes the youngest. A search
 * by time goes over as many pages as it needs, and so does a delete; the predecessor looks at one snapshot, or at the first
 * megabyte. The metadata of replicated entities has no place in this format and is refused; the predecessor forgets it.
 *
 * <p>DynamoDB counts an item and its entry in the index together. Where the index holds all attributes, as the predecessor
 * makes it, half an item is the limit. Before the first larger snapshot the table is asked how its index is made; without
 * the permission to ask, DynamoDB decides.
 */
final class Akka1SnapshotTable implements SnapshotTable {

    private static final Logger log = LoggerFactory.getLogger(Akka1SnapshotTable.class);

    /** Bounds what a search by time reads beyond its first hit. */
    private static final int SEARCH = 8;

    private final Dynamo dynamo;
    private final Akka1Snapshots settings;
    private volatile @Nullable CompletionStage<Integer> largest;

    Akka1SnapshotTable(Dynamo dynamo, Akka1Snapshots settings) {
        this.dynamo = dynamo;
        this.settings = settings;
    }

    @Override
    public CompletionStage<Void> save(StoredSnapshot snapshot) {
        String persistenceId = snapshot.persistenceId();
        if (snapshot.metadata() != null) {
            return CompletableFuture.failedFuture(new StoreException.Refused(
                    "The snapshot " + snapshot.seqNr() + " of " + persistenceId
                            + " has metadata of a replicated entity, and the layout of table " + settings.tableName()
                            + " (akka1) has no room for it.",
                    null));
        }
        Item item = Akka1SnapshotItems.item(settings.journalName(), snapshot);
        if (item.size() > settings.maxItemSize()) {
            return CompletableFuture.failedFuture(new StoreException.ItemTooLarge(
                    settings.tableName(), persistenceId, snapshot.seqNr(), item.size(), settings.maxItemSize()));
        }
        return limit(item).thenCompose(limit -> {
            if (item.size() > limit) {
                throw new StoreException.ItemTooLarge(
                        settings.tableName(),
                        persistenceId,
                        snapshot.seqNr(),
                        item.size(),
                        limit,
                        "the index " + Akka1Snapshots.TIME_INDEX + " holds a copy of it, and DynamoDB counts both");
            }
            return dynamo.put(PutItemRequest.builder()
                            .tableName(settings.tableName())
                            .item(item.attributes()))
                    .thenAccept(old -> {});
        });
    }

    /** How large an item may be; asked for only where it matters. */
    private CompletionStage<Integer> limit(Item item) {
        if (item.size() <= ItemSize.LIMIT / 2) {
            return CompletableFuture.completedFuture(ItemSize.LIMIT);
        }
        CompletionStage<Integer> known = largest;
        if (known == null) {
            known = dynamo.fullCopies(settings.tableName()).handle((copies, failure) -> {
                if (failure == null) {
                    return ItemSize.LIMIT / (1 + copies);
                }
                log.warn(
                        "How the indexes of table {} are made could not be found out; DynamoDB decides how large a"
                                + " snapshot may be ({})",
                        settings.tableName(),
                        failure.getMessage());
                return ItemSize.LIMIT;
            });
            largest = known;
        }
        return known;
    }

    @Override
    public CompletionStage<Optional<StoredSnapshot>> load(String persistenceId, SnapshotCriteria criteria) {
        AtomicReference<@Nullable Item> found = new AtomicReference<>();
        return pages(
                        persistenceId,
                        criteria,
                        query -> query.scanIndexForward(false).limit(criteria.boundsTime() ? SEARCH : 1),
                        page -> {
                            if (!page.items().isEmpty()) {
                                found.set(page.items().get(0));
                            }
                            return CompletableFuture.completedFuture(found.get() == null);
                        })
                .thenApply(done ->
                        Optional.ofNullable(found.get()).map(item -> Akka1SnapshotItems.snapshot(item, persistenceId)));
    }

    @Override
    public CompletionStage<Void> delete(String persistenceId, SnapshotCriteria criteria) {
        return pages(
                persistenceId,
                criteria,
                query -> query.projectionExpression("#par, #seq"),
                page -> dynamo.deleteAll(settings.tableName(), keys(page.items()))
                        .thenApply(deleted -> true));
    }

    private static List<Map<String, AttributeValue>> keys(List<Item> items) {
        return items.stream()
                .map(item -> Map.of(
                        Akka1SnapshotItems.PAR, AttributeValue.fromS(item.text(Akka1SnapshotItems.PAR)),
                        Akka1SnapshotItems.SEQ, number(item.number(Akka1SnapshotItems.SEQ))))
                .toList();
    }

    private interface Shape {
        QueryRequest.Builder of(QueryRequest.Builder query);
    }

    private interface Step {
        /** Whether to read on. */
        CompletionStage<Boolean> take(ItemPage page);
    }

    /** Goes over the snapshots of the criteria; a page may be empty although the next one is not. */
    private CompletionStage<Void> pages(String persistenceId, SnapshotCriteria criteria, Shape shape, Step step) {
        if (criteria.isEmpty()) {
            return CompletableFuture.completedFuture(null);
        }
        return Pages.<Map<String, AttributeValue>>drain(
                null,
                start -> dynamo.query(shape.of(query(persistenceId, criteria).exclusiveStartKey(start)))
                        .thenCompose(page -> step.take(page).thenApply(more -> more ? page.next() : null)));
    }

    private QueryRequest.Builder query(String persistenceId, SnapshotCriteria criteria) {
        QueryRequest.Builder query = QueryRequest.builder()
                .tableName(settings.tableName())
                .consistentRead(true)
                .keyConditionExpression("#par = :par AND #seq BETWEEN :minSeq AND :maxSeq");
        Map<String, String> names =
                new HashMap<>(Map.of("#par", Akka1SnapshotItems.PAR, "#seq", Akka1SnapshotItems.SEQ));
        Map<String, AttributeValue> values = new HashMap<>(Map.of(
                ":par", AttributeValue.fromS(Akka1SnapshotItems.par(settings.journalName(), persistenceId)),
                ":minSeq", number(criteria.minSeqNr()),
                ":maxSeq", number(criteria.maxSeqNr())));
        if (criteria.boundsTime()) {
            query.filterExpression("#ts BETWEEN :minTs AND :maxTs");
            names.put("#ts", Akka1SnapshotItems.TS);
            values.put(":minTs", number(criteria.minTimestamp()));
            values.put(":maxTs", number(criteria.maxTimestamp()));
        }
        return query.expressionAttributeNames(names).expressionAttributeValues(values);
    }

    private static AttributeValue number(long value) {
        return AttributeValue.fromN(Long.toString(value));
    }
}
