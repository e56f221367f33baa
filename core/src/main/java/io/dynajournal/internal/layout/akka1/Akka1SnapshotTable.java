package io.dynajournal.internal.layout.akka1;

import io.dynajournal.exception.StoreException;
import io.dynajournal.internal.dynamo.Dynamo;
import io.dynajournal.internal.dynamo.Item;
import io.dynajournal.internal.dynamo.ItemPage;
import io.dynajournal.internal.dynamo.ItemSize;
import io.dynajournal.internal.model.SnapshotCriteria;
import io.dynajournal.internal.model.StoredSnapshot;
import io.dynajournal.internal.store.Pages;
import io.dynajournal.internal.store.SnapshotTable;
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
 * Snapshots in a table of 1.x, one item each.
 *
 * <p>The latest snapshot is the one with the highest sequence number; the predecessor selects by time. A search by time and a
 * delete read as many pages as they need; the predecessor reads one snapshot, or the first megabyte. The format cannot hold
 * the metadata of replicated entities: such a snapshot is rejected, where the predecessor drops the metadata.
 *
 * <p>DynamoDB limits an item and its copy in a local index together. The predecessor's index copies all attributes, which
 * leaves half of the 400 KB. Before the first larger snapshot the table is described; without that permission DynamoDB decides.
 */
final class Akka1SnapshotTable implements SnapshotTable {

    private static final Logger log = LoggerFactory.getLogger(Akka1SnapshotTable.class);

    /** Items per page of a search by time; bounds what is read beyond the first match. */
    private static final int SEARCH_PAGE_ITEMS = 8;

    private final Dynamo dynamo;
    private final Akka1Snapshots settings;
    private final Akka1FormatChoice format;
    private volatile @Nullable CompletionStage<Integer> sizeLimit;

    Akka1SnapshotTable(Dynamo dynamo, Akka1Snapshots settings) {
        this.dynamo = dynamo;
        this.settings = settings;
        this.format = settings.format(dynamo);
    }

    @Override
    public CompletionStage<Void> save(StoredSnapshot snapshot) {
        String persistenceId = snapshot.persistenceId();
        if (snapshot.metadata() != null) {
            return CompletableFuture.failedFuture(new StoreException.Refused(
                    "Snapshot " + snapshot.seqNr() + " of " + persistenceId
                            + " has metadata of a replicated entity, which the layout akka1 of table "
                            + settings.tableName()
                            + " cannot store. Use the layout commits or akka2. Nothing was stored.",
                    null));
        }
        return format.get()
                .thenCompose(form -> save(
                        persistenceId,
                        snapshot.seqNr(),
                        Akka1SnapshotItems.item(settings.journalName(), form, snapshot)));
    }

    private CompletionStage<Void> save(String persistenceId, long seqNr, Item item) {
        if (item.size() > settings.maxItemSize()) {
            return CompletableFuture.failedFuture(new StoreException.ItemTooLarge(
                    settings.tableName(), persistenceId, seqNr, item.size(), settings.maxItemSize()));
        }
        return limit(item).thenCompose(limit -> {
            if (item.size() > limit) {
                throw new StoreException.ItemTooLarge(
                        settings.tableName(),
                        persistenceId,
                        seqNr,
                        item.size(),
                        limit,
                        "the index " + Akka1Snapshots.TIME_INDEX
                                + " holds a copy of the item and DynamoDB counts both");
            }
            return dynamo.put(PutItemRequest.builder()
                            .tableName(settings.tableName())
                            .item(item.attributes()))
                    .thenAccept(old -> {});
        });
    }

    /** The size limit for an item; the table is described only for items that are large enough to need it. */
    private CompletionStage<Integer> limit(Item item) {
        if (item.size() <= ItemSize.LIMIT / 2) {
            return CompletableFuture.completedFuture(ItemSize.LIMIT);
        }
        CompletionStage<Integer> known = sizeLimit;
        if (known == null) {
            known = dynamo.fullCopies(settings.tableName()).handle((copies, failure) -> {
                if (failure == null) {
                    return ItemSize.LIMIT / (1 + copies);
                }
                log.warn(
                        "Table {} could not be described, so the size limit of its snapshots is unknown; DynamoDB will"
                                + " reject those that are too large ({})",
                        settings.tableName(),
                        failure.getMessage());
                return ItemSize.LIMIT;
            });
            sizeLimit = known;
        }
        return known;
    }

    @Override
    public CompletionStage<Optional<StoredSnapshot>> load(String persistenceId, SnapshotCriteria criteria) {
        AtomicReference<@Nullable Item> found = new AtomicReference<>();
        return pages(
                        persistenceId,
                        criteria,
                        query -> query.scanIndexForward(false).limit(criteria.boundsTime() ? SEARCH_PAGE_ITEMS : 1),
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

    private interface QueryOptions {
        QueryRequest.Builder addTo(QueryRequest.Builder query);
    }

    private interface PageHandler {
        /** Whether to read the next page. */
        CompletionStage<Boolean> handle(ItemPage page);
    }

    /** Reads the snapshots that match, page by page. A page may be empty although the next one is not. */
    private CompletionStage<Void> pages(
            String persistenceId, SnapshotCriteria criteria, QueryOptions options, PageHandler handler) {
        if (criteria.isEmpty()) {
            return CompletableFuture.completedFuture(null);
        }
        return Pages.<Map<String, AttributeValue>>drain(
                null,
                start -> dynamo.query(
                                options.addTo(query(persistenceId, criteria).exclusiveStartKey(start)))
                        .thenCompose(page -> handler.handle(page).thenApply(more -> more ? page.next() : null)));
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
