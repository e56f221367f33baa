package io.dynajournal.layout.commits;

import io.dynajournal.dynamo.Dynamo;
import io.dynajournal.dynamo.Item;
import io.dynajournal.dynamo.ItemSize;
import io.dynajournal.store.Pages;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
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

/**
 * Payloads that are larger than an item. The parts stand in the same table under a random hash key that only the head
 * knows, so nobody sees them before the head is there, and no other writer can touch them. They never expire by themselves:
 * the head may land after a writer has given up on it.
 */
final class Parts {

    /** In the head: the random id, how many parts there are, and the SHA-256 of the whole payload. */
    static final String PART = "part";

    static final String PARTS = "parts";
    static final String SUM = "sum";

    /** In each part: whose it is, so that parts without a head can be told from others. */
    private static final String OWNER = "of";

    private static final String OWNER_SEQ = "at";
    private static final String BODY = "body";
    private static final String PID = "pid";
    private static final String SEQ = "seq";

    private static final String KEY = ReservedIds.PREFIX + "part/";
    private static final int WRITES_AT_ONCE = 4;
    private static final int MAX_PARTS = 100_000;

    /** Keys, names and numbers beside the chunk; the owner's id comes on top. */
    private static final int OVERHEAD = 128;

    private final Dynamo dynamo;
    private final String table;
    private final int itemSize;

    Parts(Dynamo dynamo, String table, int itemSize) {
        this.dynamo = dynamo;
        this.table = table;
        this.itemSize = itemSize;
    }

    /** How many write units a payload takes in parts, without its head. */
    static int writeUnits(int length, int itemSize, int ownerLength) {
        int chunk = chunkSize(itemSize, ownerLength);
        int rest = length % chunk;
        return length / chunk * ((itemSize + 1023) / 1024)
                + (rest == 0 ? 0 : (rest + OVERHEAD + ownerLength + 1023) / 1024);
    }

    private static int chunkSize(int itemSize, int ownerLength) {
        return itemSize - OVERHEAD - ownerLength;
    }

    /** Stores a payload and writes what a reader needs into the head, which is put afterwards by the caller. */
    CompletionStage<Void> write(Item head, byte[] payload) {
        String owner = head.text(PID);
        String id = UUID.randomUUID().toString();
        int chunk = chunkSize(itemSize, ItemSize.utf8(owner));
        int count = (payload.length + chunk - 1) / chunk;
        head.text(PART, id).number(PARTS, count).bytes(SUM, digest(payload));
        return Pages.drain(0, from -> {
            if (from >= count) {
                return CompletableFuture.completedFuture(null);
            }
            int to = Math.min(count, from + WRITES_AT_ONCE);
            List<CompletableFuture<Item>> puts = new ArrayList<>();
            for (int i = from; i < to; i++) {
                Item part = Item.create()
                        .text(PID, KEY + id)
                        .number(SEQ, i + 1)
                        .text(OWNER, owner)
                        .number(OWNER_SEQ, head.number(SEQ))
                        .bytes(BODY, Arrays.copyOfRange(payload, i * chunk, Math.min(payload.length, (i + 1) * chunk)));
                puts.add(dynamo.put(PutItemRequest.builder().tableName(table).item(part.attributes()))
                        .toCompletableFuture());
            }
            return CompletableFuture.allOf(puts.toArray(CompletableFuture[]::new))
                    .thenApply(stored -> to);
        });
    }

    /** The payload of a head; null if its parts are gone, as after a delete. */
    CompletionStage<byte @Nullable []> read(Item head) {
        long count = head.number(PARTS);
        if (count < 1 || count > MAX_PARTS) {
            throw head.corrupt(PARTS, "is out of range: " + count, null);
        }
        String id = head.text(PART);
        List<byte[]> chunks = new ArrayList<>();
        return Pages.<Map<String, AttributeValue>>drain(
                        null,
                        start -> dynamo.query(QueryRequest.builder()
                                        .tableName(table)
                                        .consistentRead(true)
                                        .keyConditionExpression("pid = :pid")
                                        .expressionAttributeValues(Map.of(":pid", AttributeValue.fromS(KEY + id)))
                                        .exclusiveStartKey(start))
                                .thenApply(page -> {
                                    page.items().forEach(part -> chunks.add(part.bytes(BODY)));
                                    return page.next();
                                }))
                .thenApply(done -> chunks.size() < count ? null : whole(head, chunks));
    }

    private static byte[] whole(Item head, List<byte[]> chunks) {
        byte[] payload =
                new byte[chunks.stream().mapToInt(chunk -> chunk.length).sum()];
        int position = 0;
        for (byte[] chunk : chunks) {
            System.arraycopy(chunk, 0, payload, position, chunk.length);
            position += chunk.length;
        }
        if (!Arrays.equals(digest(payload), head.bytes(SUM))) {
            throw head.corrupt(SUM, "does not fit the " + chunks.size() + " parts", null);
        }
        return payload;
    }

    /** Removes the parts of a head, or of what is left of it. */
    CompletionStage<Void> delete(Item head) {
        if (!head.has(PART)) {
            return CompletableFuture.completedFuture(null);
        }
        String id = head.text(PART);
        List<Map<String, AttributeValue>> keys = new ArrayList<>();
        for (long i = 1; i <= Math.min(MAX_PARTS, head.numberOr(PARTS, 0)); i++) {
            keys.add(Map.of(PID, AttributeValue.fromS(KEY + id), SEQ, AttributeValue.fromN(Long.toString(i))));
        }
        return dynamo.deleteAll(table, keys);
    }

    private static byte[] digest(byte[] payload) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(payload);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
