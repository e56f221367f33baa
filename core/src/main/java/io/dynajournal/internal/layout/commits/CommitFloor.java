package io.dynajournal.internal.layout.commits;

import io.dynajournal.internal.dynamo.Dynamo;
import io.dynajournal.internal.dynamo.Item;
import io.dynajournal.internal.store.LruMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/**
 * Writes the floor of a log whose commits expire: the item at key 0 that keeps the highest sequence number, and the persistence
 * id in its index, after all commits have expired. A commit that expires is acknowledged only after the floor has reached its last
 * sequence number. The floor is raised ahead, so that it costs one write for {@value #RESERVED} events and not for each; when
 * all commits have expired, the log therefore continues up to {@value #RESERVED} sequence numbers later. It is raised after the
 * commit and names it: where that commit is missing, it has expired, although earlier ones may be left. Thread-safe.
 */
final class CommitFloor {

    /** How far ahead of the last event the floor is raised. */
    static final int RESERVED = 100;

    /** The number of persistence ids whose floor is remembered; a forgotten one costs a write. */
    private static final int MAX_REMEMBERED_IDS = 100_000;

    private final Dynamo dynamo;
    private final String table;
    private final LruMap<String, Long> floors;

    CommitFloor(Dynamo dynamo, String table) {
        this(dynamo, table, new LruMap<>(MAX_REMEMBERED_IDS));
    }

    private CommitFloor(Dynamo dynamo, String table, LruMap<String, Long> floors) {
        this.dynamo = dynamo;
        this.table = table;
        this.floors = floors;
    }

    /** The same floors, written with requests of another lane. */
    CommitFloor in(Dynamo lane) {
        return new CommitFloor(lane, table, floors);
    }

    /** A stored commit that expires: its last sequence number, and when it expires. */
    record Expiring(long seqNr, long expirySeconds) {

        static final Expiring NONE = new Expiring(0, 0);
    }

    /**
     * What a floor says.
     *
     * @param seqNr the highest sequence number that may have expired; 0 without a floor
     * @param commit the commit for which the floor was raised last
     */
    record Level(long seqNr, Expiring commit) {

        static final Level NONE = new Level(0, Expiring.NONE);

        static Level of(Item floor) {
            return new Level(
                    floor.number(CommitItems.HIGHEST),
                    new Expiring(
                            floor.numberOr(CommitItems.EXPIRING_TO, 0), floor.numberOr(CommitItems.EXPIRING_AT, 0)));
        }
    }

    /**
     * Raises the floor for a commit that expires, unless it is high enough.
     *
     * @param firstKey the key of the commit. With 1 the log is new, or was reset by another process: the floor is written anyway
     * @param lastSeqNr the last sequence number that is to be covered
     */
    CompletionStage<Void> reserve(String persistenceId, long firstKey, long lastSeqNr, Expiring commit) {
        Long known = floors.get(persistenceId);
        return firstKey > 1 && known != null && known >= lastSeqNr
                ? CompletableFuture.completedFuture(null)
                : raise(persistenceId, lastSeqNr + RESERVED, firstKey == 1, commit);
    }

    /**
     * Raises the floor; it is never lowered.
     *
     * @param withId whether it takes over the row in the index of ids, because the first commit expires
     * @param commit the stored commit for which it is raised; {@link Expiring#NONE} leaves the one before
     */
    CompletionStage<Void> raise(String persistenceId, long seqNr, boolean withId, Expiring commit) {
        boolean named = commit.seqNr() > 0;
        Map<String, AttributeValue> values = new HashMap<>();
        values.put(":hi", ItemKey.number(seqNr));
        values.put(":ts", ItemKey.number(dynamo.nowMicros()));
        if (withId) {
            values.put(":id", AttributeValue.fromS(CommitItems.idPartition(persistenceId)));
        }
        if (named) {
            values.put(":xs", ItemKey.number(commit.seqNr()));
            values.put(":xe", ItemKey.number(commit.expirySeconds()));
        }
        return dynamo.updateIf(update(persistenceId)
                        .updateExpression("SET hi = :hi, ts = if_not_exists(ts, :ts)" + (withId ? ", id = :id" : "")
                                + (named ? ", xs = :xs, xe = :xe" : "") + " REMOVE #exp")
                        .conditionExpression("attribute_not_exists(hi) OR hi < :hi")
                        .expressionAttributeNames(Map.of("#exp", CommitItems.EXPIRY))
                        .expressionAttributeValues(values))
                .thenCompose(higher -> {
                    floors.put(persistenceId, higher.map(CommitFloor::highest).orElse(seqNr));
                    return withId && isWithoutId(higher)
                            ? setId(persistenceId)
                            : CompletableFuture.completedFuture(null);
                });
    }

    private static long highest(Item floor) {
        return floor.number(CommitItems.HIGHEST);
    }

    private static boolean isWithoutId(Optional<Item> floor) {
        return floor.isPresent() && !floor.get().has(CommitItems.ID_PARTITION);
    }

    private CompletionStage<Void> setId(String persistenceId) {
        return dynamo.updateIf(update(persistenceId)
                        .updateExpression("SET id = :id")
                        .conditionExpression("attribute_exists(hi)")
                        .expressionAttributeValues(
                                Map.of(":id", AttributeValue.fromS(CommitItems.idPartition(persistenceId)))))
                .thenAccept(missing -> {});
    }

    /** A recovery may come after a reset by another process, so it forgets what this one knows of the floor. */
    void forget(String persistenceId) {
        floors.remove(persistenceId);
    }

    /** Lets the floor expire with its log, if there is one. */
    CompletionStage<Void> expire(String persistenceId, long expirySeconds) {
        floors.remove(persistenceId);
        return dynamo.updateIf(update(persistenceId)
                        .updateExpression("SET #exp = :exp")
                        .conditionExpression("attribute_exists(hi)")
                        .expressionAttributeNames(Map.of("#exp", CommitItems.EXPIRY))
                        .expressionAttributeValues(Map.of(":exp", ItemKey.number(expirySeconds))))
                .thenAccept(missing -> {});
    }

    private UpdateItemRequest.Builder update(String persistenceId) {
        return UpdateItemRequest.builder().tableName(table).key(new ItemKey(persistenceId, 0).attributes());
    }
}
