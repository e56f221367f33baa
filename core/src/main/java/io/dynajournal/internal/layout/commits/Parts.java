package io.dynajournal.internal.layout.commits;

import io.dynajournal.exception.StoreException;
import io.dynajournal.internal.dynamo.Dynamo;
import io.dynajournal.internal.dynamo.Item;
import io.dynajournal.internal.dynamo.ItemSize;
import io.dynajournal.internal.store.Pages;
import io.dynajournal.internal.store.Stages;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/**
 * Payloads that are too large for one item. The parts are in the same table under a random hash key that only the head item
 * names: they are invisible until the head is stored, and no other writer can change them. Unless their head expires they have
 * no expiry, because the head may be stored after its writer has given up on it. With one, they expire a day after it.
 */
final class Parts {

    /** In the head: the random id of the parts. */
    static final String ID = "part";

    /** In the head: how many parts there are. */
    static final String COUNT = "parts";

    /** In the head: the SHA-256 of the whole payload. */
    static final String DIGEST = "sum";

    /** In each part: the key of the head, by which parts without a head are recognised. */
    static final String OWNER = "of";

    static final String OWNER_SEQ = "at";

    /** In the head and in each part; the name is the same in all tables. */
    static final String EXPIRY = "exp";

    /** A head is not put if writing its parts took longer: the doctor may be about to delete them. */
    static final Duration MAX_AGE = Duration.ofMinutes(5);

    /** DynamoDB removes expired items in any order, and parts must not be missing while their head is visible. */
    static final long EXPIRY_MARGIN_SECONDS = 86_400;

    private static final String BODY = "body";
    static final String KEY_PREFIX = ReservedIds.PREFIX + "part/";
    private static final int MAX_PUTS_IN_FLIGHT = 4;
    private static final int MAX_PARTS = 100_000;

    /** Keys, names and numbers of a part; the owner's persistence id is added to it. */
    private static final int OVERHEAD_BYTES = 128;

    private final Dynamo dynamo;
    private final String table;
    private final int maxItemBytes;

    Parts(Dynamo dynamo, String table, int maxItemBytes) {
        this.dynamo = dynamo;
        this.table = table;
        this.maxItemBytes = maxItemBytes;
    }

    /** How many write units the parts of a payload take, without the head. */
    static int writeUnits(int payloadBytes, int maxItemBytes, int ownerBytes) {
        int chunkBytes = chunkBytes(maxItemBytes, ownerBytes);
        int lastBytes = payloadBytes % chunkBytes;
        return payloadBytes / chunkBytes * ItemSize.writeUnits(maxItemBytes)
                + (lastBytes == 0 ? 0 : ItemSize.writeUnits(lastBytes + OVERHEAD_BYTES + ownerBytes));
    }

    private static int chunkBytes(int maxItemBytes, int ownerBytes) {
        return maxItemBytes - OVERHEAD_BYTES - ownerBytes;
    }

    /**
     * Stores the parts of a payload, and adds to the head what readers need. The caller puts the head afterwards. Fails if it took
     * longer than {@link #MAX_AGE}.
     */
    CompletionStage<Void> write(Item head, byte[] payload) {
        String owner = head.text(ItemKey.PID);
        String id = UUID.randomUUID().toString();
        int chunkBytes = chunkBytes(maxItemBytes, ItemSize.utf8(owner));
        int count = (payload.length + chunkBytes - 1) / chunkBytes;
        head.text(ID, id).number(COUNT, count).bytes(DIGEST, digest(payload));
        long startedNanos = dynamo.nanoTime();
        return Pages.drain(0, from -> {
                    if (from >= count) {
                        return CompletableFuture.completedFuture(null);
                    }
                    int to = Math.min(count, from + MAX_PUTS_IN_FLIGHT);
                    List<CompletableFuture<Item>> puts = new ArrayList<>();
                    for (int i = from; i < to; i++) {
                        byte[] chunk = Arrays.copyOfRange(
                                payload, i * chunkBytes, Math.min(payload.length, (i + 1) * chunkBytes));
                        Item part = Item.create()
                                .text(ItemKey.PID, KEY_PREFIX + id)
                                .number(ItemKey.SEQ, i + 1)
                                .text(OWNER, owner)
                                .number(OWNER_SEQ, head.number(ItemKey.SEQ))
                                .bytes(BODY, chunk);
                        if (head.has(EXPIRY)) {
                            part.number(EXPIRY, head.number(EXPIRY) + EXPIRY_MARGIN_SECONDS);
                        }
                        puts.add(dynamo.put(PutItemRequest.builder()
                                        .tableName(table)
                                        .item(part.attributes()))
                                .toCompletableFuture());
                    }
                    return CompletableFuture.allOf(puts.toArray(CompletableFuture[]::new))
                            .thenApply(stored -> to);
                })
                .thenAccept(stored -> {
                    if (dynamo.nanoTime() - startedNanos > MAX_AGE.toNanos()) {
                        throw new StoreException.Unavailable(
                                "Table " + table + ": writing the parts of " + owner + ", seq="
                                        + head.number(ItemKey.SEQ)
                                        + ", took longer than " + MAX_AGE.toMinutes()
                                        + " minutes. Their head was not sent, so"
                                        + " nothing of it was stored. An entity must recover before it writes again.",
                                null);
                    }
                });
    }

    /** The payload of a head. Null if parts are missing: the head was deleted or replaced after it was read, or is damaged. */
    CompletionStage<byte @Nullable []> read(Item head) {
        long count = head.number(COUNT);
        if (!isPossible(count)) {
            throw head.corrupt(COUNT, "is " + count + " (expected 1 to " + MAX_PARTS + ")", null);
        }
        String id = head.text(ID);
        List<byte[]> chunks = new ArrayList<>();
        return Pages.<Map<String, AttributeValue>>drain(
                        null,
                        start -> dynamo.query(QueryRequest.builder()
                                        .tableName(table)
                                        .consistentRead(true)
                                        .keyConditionExpression("pid = :pid")
                                        .expressionAttributeValues(
                                                Map.of(":pid", AttributeValue.fromS(KEY_PREFIX + id)))
                                        .exclusiveStartKey(start))
                                .thenApply(page -> {
                                    page.items()
                                            .forEach(part -> chunks.add(
                                                    ItemKey.named(table, part).bytes(BODY)));
                                    // Further parts are none of ours; their digest will not be that of the head.
                                    return chunks.size() > count ? null : page.next();
                                }))
                .thenApply(done -> chunks.size() < count ? null : whole(head, chunks));
    }

    private static boolean isPossible(long count) {
        return count >= 1 && count <= MAX_PARTS;
    }

    private static byte[] whole(Item head, List<byte[]> chunks) {
        byte[] payload =
                new byte[chunks.stream().mapToInt(chunk -> chunk.length).sum()];
        int position = 0;
        for (byte[] chunk : chunks) {
            System.arraycopy(chunk, 0, payload, position, chunk.length);
            position += chunk.length;
        }
        if (!Arrays.equals(digest(payload), head.bytes(DIGEST))) {
            throw head.corrupt(DIGEST, "is not the SHA-256 of the " + chunks.size() + " parts", null);
        }
        return payload;
    }

    /** The error for a head that is still in place although its parts are missing. */
    static StoreException.CorruptItem missing(Item head) {
        return head.corrupt(
                COUNT,
                "names " + head.number(COUNT) + " part items under the key " + KEY_PREFIX + head.text(ID)
                        + ", of which some do not exist,",
                null);
    }

    /** Whether two heads name the same parts. */
    static boolean areSame(Item one, Item other) {
        return one.has(ID) && other.has(ID) && one.text(ID).equals(other.text(ID));
    }

    /** Lets the parts expire that an item names, if it names any; a day after the item itself. */
    CompletionStage<Void> expire(Item head, long expirySeconds) {
        return Stages.inOrder(
                        keys(head),
                        key -> dynamo.updateIf(UpdateItemRequest.builder()
                                .tableName(table)
                                .key(key)
                                .updateExpression("SET #exp = :exp")
                                .conditionExpression("attribute_exists(pid)")
                                .expressionAttributeNames(Map.of("#exp", EXPIRY))
                                .expressionAttributeValues(
                                        Map.of(":exp", ItemKey.number(expirySeconds + EXPIRY_MARGIN_SECONDS)))))
                .thenAccept(done -> {});
    }

    /** None if the number of parts is damaged: they stay, without a head, and the doctor finds them. */
    private static List<Map<String, AttributeValue>> keys(Item head) {
        List<Map<String, AttributeValue>> keys = new ArrayList<>();
        long count = head.has(ID) ? head.numberOr(COUNT, 0) : 0;
        if (isPossible(count)) {
            for (long i = 1; i <= count; i++) {
                keys.add(new ItemKey(KEY_PREFIX + head.text(ID), i).attributes());
            }
        }
        return keys;
    }

    /** Deletes the parts that an item names, if it names any. */
    CompletionStage<Void> delete(Item head) {
        List<Map<String, AttributeValue>> keys = keys(head);
        return keys.isEmpty() ? CompletableFuture.completedFuture(null) : dynamo.deleteAll(table, keys);
    }

    private static byte[] digest(byte[] payload) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(payload);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java platform has SHA-256", e);
        }
    }
}
