package io.dynajournal.internal.layout.akka2;

import io.dynajournal.exception.StoreException;
import io.dynajournal.internal.dynamo.Dynamo;
import io.dynajournal.internal.dynamo.Item;
import io.dynajournal.internal.layout.JournalLayout;
import io.dynajournal.internal.model.SnapshotCriteria;
import io.dynajournal.internal.model.StoredSnapshot;
import io.dynajournal.internal.store.SnapshotTable;
import io.dynajournal.internal.store.Stages;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.DeleteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/**
 * The snapshots of akka-persistence-dynamodb 2.x: one item per persistence id, so each save replaces the snapshot before it.
 * A snapshot larger than an item is rejected.
 *
 * <p>A snapshot never replaces one with a higher sequence number: that is the save of a stale writer, or a request that
 * arrives late, and the events between the two may be deleted. Such a save succeeds without an effect, because what it would
 * have stored is superseded.
 */
final class Akka2SnapshotTable implements SnapshotTable {

    private static final String CONDITION =
            "#seq_nr BETWEEN :minSeqNr AND :maxSeqNr AND (attribute_not_exists(#write_timestamp)"
                    + " OR #write_timestamp BETWEEN :minTime AND :maxTime)";

    private final Dynamo dynamo;
    private final Akka2Snapshots settings;

    Akka2SnapshotTable(Dynamo dynamo, Akka2Snapshots settings) {
        this.dynamo = dynamo;
        this.settings = settings;
    }

    @Override
    public CompletionStage<Void> save(StoredSnapshot snapshot) {
        return Stages.guarded(() -> {
            Duration life = settings.timeToLive().of(snapshot.persistenceId()).snapshots();
            return eventOf(snapshot).thenCompose(event -> {
                Item item = Akka2SnapshotItems.item(
                        snapshot,
                        event.map(found -> found.numberOr(Akka2Items.TS, 0)).orElse(snapshot.timestamp() * 1000),
                        event.map(found -> found.texts(Akka2Items.TAGS)).orElse(Set.of()),
                        life);
                if (item.size() > JournalLayout.MAX_UPDATABLE_BYTES) {
                    throw new StoreException.ItemTooLarge(
                            settings.tableName(),
                            snapshot.persistenceId(),
                            snapshot.seqNr(),
                            item.size(),
                            JournalLayout.MAX_UPDATABLE_BYTES);
                }
                return dynamo.putIf(unlessNewer(snapshot)
                                .tableName(settings.tableName())
                                .item(item.attributes()))
                        .thenAccept(newer -> {});
            });
        });
    }

    /** The predecessor left items with nothing but an expiry; these and expired snapshots may be replaced. */
    private PutItemRequest.Builder unlessNewer(StoredSnapshot snapshot) {
        String older = "attribute_not_exists(#seq_nr) OR #seq_nr <= :seqNr";
        AttributeValue seqNr = Akka2Table.number(snapshot.seqNr());
        return settings.timeToLive().of(snapshot.persistenceId()).checkExpiry()
                ? PutItemRequest.builder()
                        .conditionExpression(older + " OR #expiry <= :now")
                        .expressionAttributeNames(Akka2Table.names(List.of(Akka2Items.SEQ_NR, Akka2Items.EXPIRY)))
                        .expressionAttributeValues(Map.of(":seqNr", seqNr, ":now", Akka2Table.number(nowSeconds())))
                : PutItemRequest.builder()
                        .conditionExpression(older)
                        .expressionAttributeNames(Akka2Table.names(List.of(Akka2Items.SEQ_NR)))
                        .expressionAttributeValues(Map.of(":seqNr", seqNr));
    }

    /** The event with the snapshot's sequence number, for its time and tags, if queries start from snapshots. */
    private CompletionStage<Optional<Item>> eventOf(StoredSnapshot snapshot) {
        if (settings.journalTable().isEmpty()) {
            return CompletableFuture.completedFuture(Optional.empty());
        }
        return dynamo.query(QueryRequest.builder()
                        .tableName(settings.journalTable())
                        .consistentRead(true)
                        .keyConditionExpression("#pid = :pid AND #seq_nr = :seqNr")
                        .projectionExpression("#ts, #tags")
                        .expressionAttributeNames(Akka2Table.names(
                                List.of(Akka2Items.PID, Akka2Items.SEQ_NR, Akka2Items.TS, Akka2Items.TAGS)))
                        .expressionAttributeValues(Map.of(
                                ":pid",
                                AttributeValue.fromS(snapshot.persistenceId()),
                                ":seqNr",
                                Akka2Table.number(snapshot.seqNr()))))
                .thenApply(page -> page.items().stream()
                        .filter(item -> item.has(Akka2Items.TS))
                        .findFirst());
    }

    @Override
    public CompletionStage<Optional<StoredSnapshot>> load(String persistenceId, SnapshotCriteria criteria) {
        return Stages.guarded(() -> {
            if (criteria.isEmpty()) {
                return CompletableFuture.completedFuture(Optional.empty());
            }
            return dynamo.query(QueryRequest.builder()
                            .tableName(settings.tableName())
                            .consistentRead(true)
                            .keyConditionExpression("#pid = :pid")
                            .expressionAttributeNames(Akka2Table.names(List.of(Akka2Items.PID)))
                            .expressionAttributeValues(Map.of(":pid", AttributeValue.fromS(persistenceId))))
                    .thenApply(page -> page.items().stream()
                            .filter(item -> isVisible(item) && Akka2SnapshotItems.isWithin(item, criteria))
                            .findFirst()
                            .map(item -> Akka2SnapshotItems.snapshot(item, settings.fallbackStore())));
        });
    }

    /** The snapshot of an item; empty if the item holds none, or has expired. */
    Optional<StoredSnapshot> visible(Item item) {
        return isVisible(item)
                ? Optional.of(Akka2SnapshotItems.snapshot(item, settings.fallbackStore()))
                : Optional.empty();
    }

    private boolean isVisible(Item item) {
        boolean check = settings.timeToLive().of(item.text(Akka2Items.PID)).checkExpiry();
        return Akka2SnapshotItems.isSnapshot(item) && !(check && Akka2SnapshotItems.isExpired(item, nowSeconds()));
    }

    @Override
    public CompletionStage<Void> delete(String persistenceId, SnapshotCriteria criteria) {
        return Stages.guarded(() -> {
            Duration life = settings.timeToLive().of(persistenceId).deletes();
            return life == null
                    ? remove(persistenceId, criteria)
                    : expire(persistenceId, criteria, nowSeconds() + life.toSeconds(), false);
        });
    }

    @Override
    public CompletionStage<Void> remove(String persistenceId, SnapshotCriteria criteria) {
        return Stages.guarded(() -> criteria.isEmpty()
                ? CompletableFuture.completedFuture(null)
                : dynamo.deleteIf(DeleteItemRequest.builder()
                                .tableName(settings.tableName())
                                .key(key(persistenceId))
                                .conditionExpression(CONDITION)
                                .expressionAttributeNames(Akka2Table.names(
                                        List.of(Akka2Items.SEQ_NR, Akka2SnapshotItems.WRITE_TIMESTAMP)))
                                .expressionAttributeValues(values(criteria)))
                        // A failed condition means that there is no such snapshot.
                        .thenAccept(existing -> {}));
    }

    @Override
    public CompletionStage<Void> expire(String persistenceId, SnapshotCriteria criteria, long expirySeconds) {
        return expire(persistenceId, criteria, expirySeconds, true);
    }

    /**
     * The condition also keeps the update from creating an item where there is no such snapshot.
     *
     * @param prolongs whether an earlier expiry is replaced, unless it has passed; a delete that is repeated must not
     */
    private CompletionStage<Void> expire(
            String persistenceId, SnapshotCriteria criteria, long expirySeconds, boolean prolongs) {
        if (criteria.isEmpty()) {
            return CompletableFuture.completedFuture(null);
        }
        Map<String, AttributeValue> values = values(criteria);
        values.put(":expiry", Akka2Table.number(expirySeconds));
        values.put(":earliest", Akka2Table.number(prolongs ? nowSeconds() : expirySeconds));
        return dynamo.updateIf(UpdateItemRequest.builder()
                        .tableName(settings.tableName())
                        .key(key(persistenceId))
                        .updateExpression("SET #expiry = :expiry")
                        .conditionExpression(CONDITION + " AND (attribute_not_exists(#expiry) OR #expiry > :earliest)")
                        .expressionAttributeNames(Akka2Table.names(
                                List.of(Akka2Items.SEQ_NR, Akka2SnapshotItems.WRITE_TIMESTAMP, Akka2Items.EXPIRY)))
                        .expressionAttributeValues(values))
                .thenAccept(existing -> {});
    }

    private static Map<String, AttributeValue> key(String persistenceId) {
        return Map.of(Akka2Items.PID, AttributeValue.fromS(persistenceId));
    }

    private static Map<String, AttributeValue> values(SnapshotCriteria criteria) {
        return new HashMap<>(Map.of(
                ":minSeqNr", Akka2Table.number(criteria.minSeqNr()),
                ":maxSeqNr", Akka2Table.number(criteria.maxSeqNr()),
                ":minTime", Akka2Table.number(criteria.minTimestamp()),
                ":maxTime", Akka2Table.number(criteria.maxTimestamp())));
    }

    private long nowSeconds() {
        return dynamo.nowMicros() / 1_000_000;
    }
}
