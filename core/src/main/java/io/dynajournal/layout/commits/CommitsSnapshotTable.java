package io.dynajournal.layout.commits;

import io.dynajournal.dynamo.Dynamo;
import io.dynajournal.dynamo.Item;
import io.dynajournal.dynamo.ItemPage;
import io.dynajournal.model.SnapshotCriteria;
import io.dynajournal.model.StoredSnapshot;
import io.dynajournal.store.Pages;
import io.dynajournal.store.SnapshotTable;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;

/**
 * The native snapshot table: an item per snapshot, parts for large ones. A head is written after its parts and removed
 * before them, so whoever finds a head without parts has read it just before it was replaced or deleted, and reads again.
 */
final class CommitsSnapshotTable implements SnapshotTable {

    /** Bounds what a search by time reads beyond its first hit. */
    private static final int SEARCH = 8;

    private static final int READS = 3;

    private final Dynamo dynamo;
    private final CommitsSnapshots settings;
    private final Parts parts;

    CommitsSnapshotTable(Dynamo dynamo, CommitsSnapshots settings) {
        this.dynamo = dynamo;
        this.settings = settings;
        this.parts = new Parts(dynamo, settings.tableName(), settings.itemSize());
    }

    @Override
    public CompletionStage<Void> save(StoredSnapshot snapshot) {
        return ReservedIds.guarded(snapshot.persistenceId(), () -> {
            Item head = SnapshotItems.head(snapshot, dynamo.nowMicros());
            PayloadFit fit =
                    PayloadFit.of(head, SnapshotItems.frame(snapshot), settings.itemSize(), settings.compression());
            CompletionStage<Void> ready =
                    fit.inParts() ? parts.write(head, fit.bytes()) : CompletableFuture.completedFuture(null);
            if (!fit.inParts()) {
                head.bytes(SnapshotItems.BODY, fit.bytes());
            }
            return ready.thenCompose(stored -> dynamo.put(PutItemRequest.builder()
                            .tableName(settings.tableName())
                            .item(head.attributes())))
                    .thenCompose(
                            old -> isSame(old, head) ? CompletableFuture.completedFuture(null) : parts.delete(old));
        });
    }

    /** After a lost reply the old item is our own, and its parts are the ones we have just written. */
    private static boolean isSame(Item old, Item head) {
        return old.has(Parts.PART)
                && head.has(Parts.PART)
                && old.text(Parts.PART).equals(head.text(Parts.PART));
    }

    @Override
    public CompletionStage<Optional<StoredSnapshot>> load(String persistenceId, SnapshotCriteria criteria) {
        return ReservedIds.guarded(persistenceId, () -> load(persistenceId, criteria, READS));
    }

    private CompletionStage<Optional<StoredSnapshot>> load(String persistenceId, SnapshotCriteria criteria, int reads) {
        return newest(persistenceId, criteria).thenCompose(found -> {
            if (found.isEmpty()) {
                return CompletableFuture.completedFuture(Optional.empty());
            }
            Item head = found.get();
            return whole(head).thenCompose(snapshot -> {
                if (snapshot.isPresent()) {
                    return CompletableFuture.completedFuture(snapshot);
                }
                if (reads > 1) {
                    return load(persistenceId, criteria, reads - 1);
                }
                throw head.corrupt(Parts.PARTS, "names parts that are not there", null);
            });
        });
    }

    /** With its parts; empty if they are gone. */
    CompletionStage<Optional<StoredSnapshot>> whole(Item head) {
        return head.has(Parts.SUM)
                ? parts.read(head)
                        .thenApply(payload ->
                                payload == null ? Optional.empty() : Optional.of(SnapshotItems.snapshot(head, payload)))
                : CompletableFuture.completedFuture(
                        Optional.of(SnapshotItems.snapshot(head, head.bytes(SnapshotItems.BODY))));
    }

    private CompletionStage<Optional<Item>> newest(String persistenceId, SnapshotCriteria criteria) {
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
                .thenApply(done -> Optional.ofNullable(found.get()));
    }

    @Override
    public CompletionStage<Void> delete(String persistenceId, SnapshotCriteria criteria) {
        return ReservedIds.guarded(
                persistenceId,
                () -> pages(
                        persistenceId,
                        criteria,
                        query -> query.projectionExpression("pid, seq, parts, #part")
                                .expressionAttributeNames(names(criteria, Map.of("#part", Parts.PART))),
                        page -> deleteAll(page.items()).thenApply(deleted -> true)));
    }

    private CompletionStage<Void> deleteAll(List<Item> heads) {
        List<Map<String, AttributeValue>> keys = heads.stream()
                .map(head -> Map.of(
                        SnapshotItems.PID, AttributeValue.fromS(head.text(SnapshotItems.PID)),
                        SnapshotItems.SEQ, number(head.number(SnapshotItems.SEQ))))
                .toList();
        return dynamo.deleteAll(settings.tableName(), keys)
                .thenCompose(deleted -> Pages.drain(
                        0,
                        index -> index == heads.size()
                                ? CompletableFuture.completedFuture(null)
                                : parts.delete(heads.get(index)).thenApply(gone -> index + 1)));
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
        return Pages.<Map<String, AttributeValue>>drain(null, start -> {
            QueryRequest.Builder query = QueryRequest.builder()
                    .tableName(settings.tableName())
                    .consistentRead(true)
                    .keyConditionExpression("pid = :pid AND seq BETWEEN :minSeq AND :maxSeq")
                    .exclusiveStartKey(start);
            Map<String, AttributeValue> values = new HashMap<>(Map.of(
                    ":pid", AttributeValue.fromS(persistenceId),
                    ":minSeq", number(criteria.minSeqNr()),
                    ":maxSeq", number(criteria.maxSeqNr())));
            if (criteria.boundsTime()) {
                query.filterExpression("#ts BETWEEN :minTs AND :maxTs")
                        .expressionAttributeNames(names(criteria, Map.of()));
                values.put(":minTs", number(criteria.minTimestamp()));
                values.put(":maxTs", number(criteria.maxTimestamp()));
            }
            return dynamo.query(shape.of(query.expressionAttributeValues(values)))
                    .thenCompose(page -> step.take(page).thenApply(more -> more ? page.next() : null));
        });
    }

    private static Map<String, String> names(SnapshotCriteria criteria, Map<String, String> others) {
        Map<String, String> names = new HashMap<>(others);
        if (criteria.boundsTime()) {
            names.put("#ts", SnapshotItems.TS);
        }
        return names;
    }

    private static AttributeValue number(long value) {
        return AttributeValue.fromN(Long.toString(value));
    }
}
