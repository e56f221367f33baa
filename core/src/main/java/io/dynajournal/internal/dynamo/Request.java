package io.dynajournal.internal.dynamo;

import io.dynajournal.listener.Lane;
import io.dynajournal.listener.Operation;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbRequest;

/**
 * A request and how one attempt of it is sent.
 *
 * @param key gives the item's key for messages, such as {@code pid=cart-7, seq=12}; empty if there is no single item
 * @param send must not block; may throw
 */
record Request<R extends DynamoDbRequest, T>(
        Operation operation,
        String table,
        Supplier<String> key,
        R request,
        Function<R, CompletableFuture<Answer<T>>> send) {

    /** A request that is not about a single item. */
    Request(Operation operation, String table, R request, Function<R, CompletableFuture<Answer<T>>> send) {
        this(operation, table, () -> "", request, send);
    }

    /** The lane of the operation, unless its user has chosen another. */
    Lane lane() {
        return switch (operation) {
            case PUT, UPDATE, DELETE, BATCH_INSERT, BATCH_WRITE, TRANSACT -> Lane.WRITE;
            case QUERY, BATCH_GET -> Lane.RECOVERY;
            case SCAN, DESCRIBE_TABLE, CREATE_TABLE, DELETE_TABLE, DESCRIBE_TIME_TO_LIVE, UPDATE_TIME_TO_LIVE ->
                Lane.MAINTENANCE;
        };
    }

    /** Whether the request changes something, so that it matters whether a failed attempt was carried out. */
    boolean isWrite() {
        return switch (operation) {
            case QUERY, SCAN, BATCH_GET, DESCRIBE_TABLE, DESCRIBE_TIME_TO_LIVE -> false;
            case PUT,
                    UPDATE,
                    DELETE,
                    BATCH_INSERT,
                    BATCH_WRITE,
                    TRANSACT,
                    CREATE_TABLE,
                    DELETE_TABLE,
                    UPDATE_TIME_TO_LIVE -> true;
        };
    }

    /** For messages: the operation, the key and the table. */
    @Override
    public String toString() {
        String item = key.get();
        return operation + (item.isEmpty() ? "" : " of " + item) + " on table " + table;
    }
}
