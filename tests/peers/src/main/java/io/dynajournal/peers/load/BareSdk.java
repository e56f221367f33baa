package io.dynajournal.peers.load;

import io.dynajournal.dynamo.ClientSettings;
import io.dynajournal.dynamo.ClientSettings.Carrier;
import io.dynajournal.dynamo.Clients;
import java.net.URI;
import java.util.HashMap;
import java.util.Map;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;

/**
 * The floor: conditional puts of the AWS client as we open it, of items like those of the native layout, without toolkit
 * and plugin. Arguments: endpoint, table. The system property {@code load.carrier} names what carries the requests.
 */
final class BareSdk implements Load {

    /** More entities than connections: on a slow machine one may wait too long, as with us, who repeat it. */
    private static final int ATTEMPTS = 5;

    private static final long TIMESTAMP = 1_794_700_800_000_123L;

    private final DynamoDbAsyncClient client;
    private final String table;
    private final Map<String, Integer> groups = new HashMap<>();

    private BareSdk(DynamoDbAsyncClient client, String table) {
        this.client = client;
        this.table = table;
    }

    public static void main(String[] args) throws Exception {
        ClientSettings settings =
                settings(URI.create(args[0]), Carrier.valueOf(System.getProperty("load.carrier", "AUTO")));
        Commands.serve(() -> new BareSdk(Clients.open(settings), args[1]));
    }

    private static ClientSettings settings(URI endpoint, Carrier carrier) {
        ClientSettings usual = ClientSettings.forEndpoint(endpoint);
        return new ClientSettings(
                usual.region(),
                usual.endpoint(),
                usual.credentials(),
                usual.allowPlainHttp(),
                usual.maxConnections(),
                usual.connectTimeout(),
                usual.acquireTimeout(),
                usual.idleTimeout(),
                ClientSettings.Tuning.of(carrier, false));
    }

    @Override
    public void start(String group, int entities, Phase phase) {
        groups.put(group, entities);
        for (int i = 0; i < entities; i++) {
            phase.done(System.nanoTime(), 0);
        }
    }

    @Override
    public void stop(String group, Phase phase) {
        groups.remove(group);
        phase.done(System.nanoTime(), 0);
    }

    @Override
    public int running(String group) {
        return groups.getOrDefault(group, 0);
    }

    @Override
    public void write(String group, Write write, Phase phase) {
        if (!write.how().equals("persist")) {
            throw new IllegalArgumentException("only single puts, not " + write.how());
        }
        for (int number = 0; number < running(group); number++) {
            put(LoadMain.id(group, number), 1, write, phase, System.nanoTime(), ATTEMPTS);
        }
    }

    private void put(String id, int seqNr, Write write, Phase phase, long since, int attempts) {
        client.putItem(request(id, seqNr, write)).whenComplete((put, failure) -> {
            if (failure == null) {
                phase.done(since, 1);
                if (seqNr < write.times()) {
                    put(id, seqNr + 1, write, phase, System.nanoTime(), ATTEMPTS);
                }
            } else if (attempts > 1) {
                put(id, seqNr, write, phase, since, attempts - 1);
            } else {
                phase.fail(failure);
            }
        });
    }

    private PutItemRequest request(String id, int seqNr, Write write) {
        Map<String, AttributeValue> item = new HashMap<>();
        item.put("pid", AttributeValue.fromS(id));
        item.put("seq", AttributeValue.fromN(Integer.toString(seqNr)));
        item.put("ts", AttributeValue.fromN(Long.toString(TIMESTAMP + seqNr)));
        item.put("pv", AttributeValue.fromN(Long.toString(TIMESTAMP + seqNr - 1)));
        item.put("w", AttributeValue.fromB(SdkBytes.fromByteArrayUnsafe(new byte[16])));
        item.put("ix", AttributeValue.fromS("#16#7"));
        item.put("ev", AttributeValue.fromB(SdkBytes.fromByteArrayUnsafe(Payloads.of(write.bytes(), seqNr))));
        return PutItemRequest.builder()
                .tableName(table)
                .item(item)
                .conditionExpression("attribute_not_exists(pid)")
                .returnValuesOnConditionCheckFailure("ALL_OLD")
                .build();
    }

    @Override
    public void snapshot(String group, int bytes, Phase phase) {
        throw new IllegalArgumentException("no snapshots");
    }
}
