package io.dynajournal.testkit.sclasen;

import io.dynajournal.internal.dynamo.Item;
import io.dynajournal.internal.envelope.PersistentMessage;
import io.dynajournal.internal.model.Payload;
import io.dynajournal.testkit.Await;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** A table of 0.3, read and written without a layout; the keys are those of its documentation. */
record SclasenTable(DynamoDbAsyncClient client, String name) {

    private static Map<String, AttributeValue> key(String key) {
        return Map.of("key", AttributeValue.fromS(key));
    }

    void remove(String key) {
        Await.result(client.deleteItem(request -> request.tableName(name).key(key(key))));
    }

    void put(String key, Map<String, AttributeValue> attributes) {
        Map<String, AttributeValue> item = new HashMap<>(attributes);
        item.put("key", AttributeValue.fromS(key));
        Await.result(client.putItem(request -> request.tableName(name).item(item)));
    }

    void putEvent(String key, byte[] payload) {
        put(
                key,
                Map.of(
                        "payload", AttributeValue.fromB(SdkBytes.fromByteArray(payload)),
                        "deleted", AttributeValue.fromS("false")));
    }

    /** An event as Akka 2.3 writes it: without manifest, writer and time. */
    void putEvent(String key, String persistenceId, long seqNr) {
        putEvent(key, message(persistenceId, seqNr));
    }

    static byte[] message(String persistenceId, long seqNr) {
        Payload payload = new Payload(1, "", ("event-" + seqNr).getBytes(StandardCharsets.UTF_8));
        return new PersistentMessage(payload, seqNr, persistenceId, false, "", "", 0, null).encode();
    }

    void putMark(String key, long seqNr) {
        put(key, Map.of("sequenceNr", AttributeValue.fromN(Long.toString(seqNr))));
    }

    /** Null if there is none. */
    @Nullable
    Map<String, AttributeValue> get(String key) {
        var response = Await.result(
                client.getItem(request -> request.tableName(name).key(key(key)).consistentRead(true)));
        return response.hasItem() ? response.item() : null;
    }

    /** All items by key; for tables of up to a megabyte. */
    Map<String, Map<String, AttributeValue>> items() {
        Map<String, Map<String, AttributeValue>> items = new TreeMap<>();
        Await.result(client.scan(request -> request.tableName(name).consistentRead(true)))
                .items()
                .forEach(item -> items.put(Item.of(item).text("key"), item));
        return items;
    }
}
