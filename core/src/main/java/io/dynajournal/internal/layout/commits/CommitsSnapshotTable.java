package io.dynajournal.internal.layout.commits;

import io.dynajournal.internal.dynamo.Dynamo;
import io.dynajournal.internal.dynamo.Item;
import io.dynajournal.internal.model.SnapshotCriteria;
import io.dynajournal.internal.model.StoredSnapshot;
import io.dynajournal.internal.store.Pages;
import io.dynajournal.internal.store.SnapshotTable;
import io.dynajournal.internal.store.Stages;
import java.time.Duration;
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
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/**
 * The native snapshot table: one item per snapshot, and parts for large ones. A head is written after its parts and deleted
 * before them, so a head without parts was replaced or deleted after it was read, and is read again.
 */
final class CommitsSnapshotTable implements SnapshotTable {

    /** The page size of a search by time: limits what it reads after its first match. */
    private static final int SEARCH_PAGE_ITEMS = 8;

    private static final int MAX_READS = 3;

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
            Duration life = settings.timeToLive().of(snapshot.persistenceId()).snapshots();
            if (life != null) {
                head.number(SnapshotItems.EXPIRY, nowSeconds() + life.toSeconds());
            }
            PayloadFit fit = PayloadFit.of(
                    head,
                    SnapshotItems.frame(snapshot),
                    (covered, inParts) -> SnapshotItems.covered(covered),
                    settings.itemSize(),
                    settings.compression());
            CompletionStage<Void> ready =
                    fit.inParts() ? parts.write(head, fit.bytes()) : CompletableFuture.completedFuture(null);
            if (!fit.inParts()) {
                head.bytes(SnapshotItems.BODY, fit.bytes());
            }
            return ready.thenCompose(stored -> dynamo.put(PutItemRequest.builder()
                            .tableName(settings.tableName())
                            .item(head.attributes())))
                    // After a lost reply the replaced item is our own: it names the parts that were just written.
                    .thenCompose(replaced -> Parts.areSame(replaced, head)
                            ? CompletableFuture.completedFuture(null)
                            : parts.delete(replaced));
        });
    }

    @Override
    public CompletionStage<Optional<StoredSnapshot>> load(String persistenceId, SnapshotCriteria criteria) {
        return ReservedIds.guarded(persistenceId, () -> load(persistenceId, criteria, MAX_READS));
    }

    private CompletionStage<Optional<StoredSnapshot>> load(
            String persistenceId, SnapshotCriteria criteria, int readsLeft) {
        return newest(persistenceId, criteria).thenCompose(found -> {
            if (found.isEmpty()) {
                return CompletableFuture.completedFuture(Optional.empty());
            }
            Item head = found.get();
            return whole(head).thenCompose(snapshot -> {
                if (snapshot.isPresent()) {
                    return CompletableFuture.completedFuture(snapshot);
                }
                if (readsLeft > 1) {
                    return load(persistenceId, criteria, readsLeft - 1);
                }
                throw Parts.missing(head);
            });
        });
    }

    /** The snapshot of a head; empty if its parts are missing. */
    CompletionStage<Optional<StoredSnapshot>> whole(Item head) {
        return head.has(Parts.DIGEST)
                ? parts.read(head)
                        .thenApply(frame ->
                                frame == null ? Optional.empty() : Optional.of(SnapshotItems.snapshot(head, frame)))
                : CompletableFuture.completedFuture(
                        Optional.of(SnapshotItems.snapshot(head, head.bytes(SnapshotItems.BODY))));
    }

    private CompletionStage<Optional<Item>> newest(String persistenceId, SnapshotCriteria criteria) {
        AtomicReference<@Nullable Item> found = new AtomicReference<>();
        return pages(
                        persistenceId,
                        criteria,
                        query -> query.scanIndexForward(false).limit(criteria.boundsTime() ? SEARCH_PAGE_ITEMS : 1),
                        heads -> {
                            heads.stream()
                                    .filter(head -> !isExpired(head))
                                    .findFirst()
                                    .ifPresent(found::set);
                            return CompletableFuture.completedFuture(found.get() == null);
                        })
                .thenApply(done -> Optional.ofNullable(found.get()));
    }

    @Override
    public CompletionStage<Optional<Long>> newestSeqNr(String persistenceId) {
        return ReservedIds.guarded(
                persistenceId,
                () -> newest(persistenceId, SnapshotCriteria.ALL)
                        .thenApply(head -> head.map(found -> found.number(ItemKey.SEQ))));
    }

    /** Whether a snapshot counts as deleted, because it has expired. */
    boolean isExpired(Item head) {
        return settings.timeToLive().of(head.text(ItemKey.PID)).checkExpiry()
                && head.numberOr(SnapshotItems.EXPIRY, Long.MAX_VALUE) <= nowSeconds();
    }

    private long nowSeconds() {
        return dynamo.nowMicros() / 1_000_000;
    }

    @Override
    public CompletionStage<Void> delete(String persistenceId, SnapshotCriteria criteria) {
        Duration life = settings.timeToLive().of(persistenceId).deletes();
        return life == null
                ? remove(persistenceId, criteria)
                : expire(persistenceId, criteria, nowSeconds() + life.toSeconds(), false);
    }

    @Override
    public CompletionStage<Void> expire(String persistenceId, SnapshotCriteria criteria, long expirySeconds) {
        return expire(persistenceId, criteria, expirySeconds, true);
    }

    /** @param prolongs whether an earlier expiry is replaced, unless it has passed; a delete that is repeated must not */
    private CompletionStage<Void> expire(
            String persistenceId, SnapshotCriteria criteria, long expirySeconds, boolean prolongs) {
        long earliest = prolongs ? nowSeconds() : expirySeconds;
        return ReservedIds.guarded(
                persistenceId,
                () -> pages(
                        persistenceId,
                        criteria,
                        query -> query.projectionExpression("pid, seq, #ts, #exp, parts, #part")
                                .expressionAttributeNames(Map.of(
                                        "#part", Parts.ID,
                                        "#ts", SnapshotItems.TIMESTAMP,
                                        "#exp", SnapshotItems.EXPIRY)),
                        heads -> Stages.inOrder(heads, head -> expire(head, expirySeconds, earliest))
                                .thenApply(expired -> true)));
    }

    /**
     * The condition keeps the update from creating an item where the snapshot was deleted meanwhile.
     *
     * @param earliest an expiry up to this one stays
     */
    private CompletionStage<Void> expire(Item head, long expirySeconds, long earliest) {
        // Parts must not expire before their head, whatever happens in between.
        long before = head.numberOr(SnapshotItems.EXPIRY, 0);
        return before > 0 && before < expirySeconds
                ? parts.expire(head, expirySeconds).thenCompose(done -> expireHead(head, expirySeconds, earliest))
                : expireHead(head, expirySeconds, earliest).thenCompose(done -> parts.expire(head, expirySeconds));
    }

    private CompletionStage<Void> expireHead(Item head, long expirySeconds, long earliest) {
        return dynamo.updateIf(UpdateItemRequest.builder()
                        .tableName(settings.tableName())
                        .key(ItemKey.of(head).attributes())
                        .updateExpression("SET #exp = :exp")
                        .conditionExpression("#ts = :ts AND (attribute_not_exists(#exp) OR #exp > :earliest)")
                        .expressionAttributeNames(Map.of("#exp", SnapshotItems.EXPIRY, "#ts", SnapshotItems.TIMESTAMP))
                        .expressionAttributeValues(Map.of(
                                ":exp", ItemKey.number(expirySeconds),
                                ":earliest", ItemKey.number(earliest),
                                ":ts", ItemKey.number(head.number(SnapshotItems.TIMESTAMP)))))
                .thenAccept(changed -> {});
    }

    @Override
    public CompletionStage<Void> remove(String persistenceId, SnapshotCriteria criteria) {
        return ReservedIds.guarded(
                persistenceId,
                () -> pages(
                        persistenceId,
                        criteria,
                        query -> query.projectionExpression("pid, seq, parts, #part")
                                .expressionAttributeNames(names(criteria, Map.of("#part", Parts.ID))),
                        heads -> deleteAll(heads).thenApply(deleted -> true)));
    }

    private CompletionStage<Void> deleteAll(List<Item> heads) {
        return dynamo.deleteAll(
                        settings.tableName(),
                        heads.stream()
                                .map(head -> ItemKey.of(head).attributes())
                                .toList())
                .thenCompose(deleted -> Stages.inOrder(heads, parts::delete))
                .thenAccept(deleted -> {});
    }

    private interface QueryShape {
        QueryRequest.Builder apply(QueryRequest.Builder query);
    }

    private interface PageConsumer {
        /** Whether to read the next page. */
        CompletionStage<Boolean> accept(List<Item> heads);
    }

    /** Reads the snapshots that meet the criteria, page by page. A page may be empty although the next one is not. */
    private CompletionStage<Void> pages(
            String persistenceId, SnapshotCriteria criteria, QueryShape shape, PageConsumer consumer) {
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
                    ":minSeq", ItemKey.number(criteria.minSeqNr()),
                    ":maxSeq", ItemKey.number(criteria.maxSeqNr())));
            if (criteria.boundsTime()) {
                query.filterExpression("#ts BETWEEN :minTs AND :maxTs")
                        .expressionAttributeNames(names(criteria, Map.of()));
                values.put(":minTs", ItemKey.number(criteria.minTimestamp()));
                values.put(":maxTs", ItemKey.number(criteria.maxTimestamp()));
            }
            return dynamo.query(shape.apply(query.expressionAttributeValues(values)))
                    .thenCompose(page -> {
                        page.items().forEach(head -> ItemKey.named(settings.tableName(), head));
                        return consumer.accept(page.items()).thenApply(more -> more ? page.next() : null);
                    });
        });
    }

    private static Map<String, String> names(SnapshotCriteria criteria, Map<String, String> others) {
        Map<String, String> names = new HashMap<>(others);
        if (criteria.boundsTime()) {
            names.put("#ts", SnapshotItems.TIMESTAMP);
        }
        return names;
    }
}
