package io.dynajournal.layout.akka2;

import io.dynajournal.dynamo.Dynamo;
import io.dynajournal.dynamo.Item;
import io.dynajournal.dynamo.ItemSize;
import io.dynajournal.model.SnapshotCriteria;
import io.dynajournal.model.StoredSnapshot;
import io.dynajournal.store.SnapshotTable;
import io.dynajournal.store.StoreException;
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
 * The snapshots of akka-persistence-dynamodb 2.x: one item per id, so the last one saved is the only one, whatever its
 * number. A snapshot that does not fit into an item is refused.
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
        return Akka2EventLog.staged(() -> {
            Duration life = settings.timeToLive().of(snapshot.persistenceId()).snapshots();
            return eventOf(snapshot).thenCompose(event -> {
                Item item = Akka2SnapshotItems.item(
                        snapshot,
                        event.map(found -> found.numberOr(Akka2Items.TS, 0)).orElse(snapshot.timestamp() * 1000),
                        event.map(found -> found.texts(Akka2Items.TAGS)).orElse(Set.of()),
                        life);
                if (item.size() > ItemSize.LIMIT) {
                    throw new StoreException.ItemTooLarge(
                            settings.tableName(),
                            snapshot.persistenceId(),
                            snapshot.seqNr(),
                            item.size(),
                            ItemSize.LIMIT);
                }
                return dynamo.put(PutItemRequest.builder()
                                .tableName(settings.tableName())
                                .item(item.attributes()))
                        .thenAccept(old -> {});
            });
        });
    }

    /** The time and tags of the event with the snapshot's number, if queries start from snapshots. */
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
        return Akka2EventLog.staged(() -> {
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

    /** The snapshot of an item; empty if it is none, or has expired. */
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
        return Akka2EventLog.staged(() -> {
            if (criteria.isEmpty()) {
                return CompletableFuture.completedFuture(null);
            }
            Map<String, AttributeValue> key = Map.of(Akka2Items.PID, AttributeValue.fromS(persistenceId));
            Duration life = settings.timeToLive().of(persistenceId).deletes();
            Map<String, AttributeValue> values = new HashMap<>(Map.of(
                    ":minSeqNr", Akka2Table.number(criteria.minSeqNr()),
                    ":maxSeqNr", Akka2Table.number(criteria.maxSeqNr()),
                    ":minTime", Akka2Table.number(criteria.minTimestamp()),
                    ":maxTime", Akka2Table.number(criteria.maxTimestamp())));
            // A refusal means that there is no such snapshot; the condition also keeps an update from making an item.
            CompletionStage<Optional<Item>> done;
            if (life == null) {
                done = dynamo.deleteIf(DeleteItemRequest.builder()
                        .tableName(settings.tableName())
                        .key(key)
                        .conditionExpression(CONDITION)
                        .expressionAttributeNames(
                                Akka2Table.names(List.of(Akka2Items.SEQ_NR, Akka2SnapshotItems.WRITE_TIMESTAMP)))
                        .expressionAttributeValues(values));
            } else {
                values.put(":expiry", Akka2Table.number(nowSeconds() + life.toSeconds()));
                done = dynamo.updateIf(UpdateItemRequest.builder()
                        .tableName(settings.tableName())
                        .key(key)
                        .updateExpression("SET #expiry = :expiry")
                        .conditionExpression(CONDITION)
                        .expressionAttributeNames(Akka2Table.names(
                                List.of(Akka2Items.SEQ_NR, Akka2SnapshotItems.WRITE_TIMESTAMP, Akka2Items.EXPIRY)))
                        .expressionAttributeValues(values));
            }
            return done.thenAccept(refusal -> {});
        });
    }

    private long nowSeconds() {
        return dynamo.nowMicros() / 1_000_000;
    }
}
