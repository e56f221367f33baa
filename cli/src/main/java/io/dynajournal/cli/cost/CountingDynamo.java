package io.dynajournal.cli.cost;

import io.dynajournal.internal.dynamo.AwsClient;
import io.dynajournal.internal.dynamo.Dynamo;
import io.dynajournal.internal.dynamo.Item;
import io.dynajournal.internal.dynamo.RetrySettings;
import io.dynajournal.internal.dynamo.TableSpec;
import io.dynajournal.listener.RequestEvent;
import io.dynajournal.listener.RequestListener;
import io.dynajournal.testkit.simulator.SimulatedDynamoDb;
import io.dynajournal.testkit.simulator.VirtualTime;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * A DynamoDB in this process that counts units by AWS's published rules. Time passes only while it is waited for. Nothing is sent
 * over a network. Not thread-safe.
 */
final class CountingDynamo implements AutoCloseable {

    private static final int CONNECTIONS = 50;

    /** Stored timestamps have digits like those of a real clock, so that they are as large. */
    private static final Duration UNEVEN = Duration.ofNanos(13_717_371);

    /** What DynamoDB adds to an item and to an index row, in bytes, when it counts storage. */
    static final int STORED_OVERHEAD = 100;

    /** What a table holds, in bytes as they are billed. */
    record Stored(long table, long indexes) {
        Stored minus(Stored other) {
            return new Stored(table - other.table, indexes - other.indexes);
        }
    }

    private final VirtualTime time = new VirtualTime(1);
    private final SimulatedDynamoDb server = SimulatedDynamoDb.in(time);
    private final AwsClient client = AwsClient.of(server.client("cost"), CONNECTIONS, time);
    private final Dynamo dynamo = new Dynamo(client, RetrySettings.DEFAULTS, new Meter(), time.clock());
    private final Map<String, TableSpec> tables = new HashMap<>();
    private Units sum = Units.NONE;

    private final class Meter implements RequestListener {
        @Override
        public void onRequest(RequestEvent event) {
            double table = event.capacity().table();
            double indexes = event.capacity().indexes();
            sum = sum.plus(
                    switch (event.operation()) {
                        case PUT, UPDATE, DELETE, BATCH_INSERT, BATCH_WRITE, TRANSACT -> new Units(table, indexes, 0);
                        case QUERY, SCAN, BATCH_GET -> new Units(0, 0, table + indexes);
                        case DESCRIBE_TABLE, CREATE_TABLE, DELETE_TABLE, DESCRIBE_TIME_TO_LIVE, UPDATE_TIME_TO_LIVE ->
                            Units.NONE;
                    });
        }
    }

    Dynamo dynamo() {
        return dynamo;
    }

    void create(TableSpec table) {
        tables.put(table.name(), table);
        await(dynamo.tables().create(table));
    }

    <T> T await(CompletionStage<T> stage) {
        return time.await(stage);
    }

    /** Lets some time pass, as between two writes of an entity. */
    void pause() {
        time.run(UNEVEN);
    }

    /** Lets what goes on in the background come to its end. */
    void settle() {
        time.run(Duration.ofMinutes(5));
    }

    /** The units since the last call. */
    Units take() {
        Units taken = sum;
        sum = Units.NONE;
        return taken;
    }

    Stored stored(String table) {
        @Nullable TableSpec spec = tables.get(table);
        long bytes = 0;
        long rows = 0;
        for (Map<String, AttributeValue> attributes : server.items(table)) {
            Item item = Item.of(attributes);
            bytes += item.size() + STORED_OVERHEAD;
            if (spec != null) {
                rows += rows(spec, item);
            }
        }
        return new Stored(bytes, rows);
    }

    private static long rows(TableSpec table, Item item) {
        long bytes = 0;
        for (TableSpec.Index index : table.indexes()) {
            if (has(item, index.hash()) && has(item, index.range())) {
                bytes += row(table, index, item) + STORED_OVERHEAD;
            }
        }
        for (TableSpec.LocalIndex index : table.localIndexes()) {
            bytes += has(item, index.range()) ? item.size() + STORED_OVERHEAD : 0;
        }
        return bytes;
    }

    private static boolean has(Item item, TableSpec.@Nullable Key key) {
        return key == null || item.has(key.name());
    }

    private static int row(TableSpec table, TableSpec.Index index, Item item) {
        if (index.projected().equals(TableSpec.Index.EVERYTHING)) {
            return item.size();
        }
        return Stream.concat(
                        Stream.of(table.hash(), table.range(), index.hash(), index.range())
                                .flatMap(Stream::ofNullable)
                                .map(TableSpec.Key::name),
                        index.projected().stream())
                .distinct()
                .filter(item::has)
                .mapToInt(item::size)
                .sum();
    }

    @Override
    public void close() {
        client.close();
        server.close();
    }
}
