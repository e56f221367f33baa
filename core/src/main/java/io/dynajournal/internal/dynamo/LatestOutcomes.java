package io.dynajournal.internal.dynamo;

import io.dynajournal.listener.Operation;
import io.dynajournal.listener.RequestEvent;
import io.dynajournal.listener.RequestListener;
import io.dynajournal.listener.RetryEvent;
import io.dynajournal.listener.ThrottlingReason;
import java.time.Clock;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Remembers how the latest requests on each table ended, for health checks. Asks for no consumed capacity. Thread-safe. */
final class LatestOutcomes implements RequestListener {

    private final Clock clock;
    private final ConcurrentHashMap<String, TableOutcomes> tables = new ConcurrentHashMap<>();

    LatestOutcomes(Clock clock) {
        this.clock = clock;
    }

    TableOutcomes of(String table) {
        TableOutcomes known = tables.get(table);
        return known == null ? tables.computeIfAbsent(table, first -> new TableOutcomes(clock)) : known;
    }

    @Override
    public void onRequest(RequestEvent event) {
        if (isOfItems(event.operation())) {
            TableOutcomes table = of(event.table());
            @Nullable Throwable failure = event.failure();
            if (failure == null) {
                table.succeeded();
            } else {
                throttled(table, event.throttlingReason());
                table.failed(failure);
            }
        }
    }

    @Override
    public void onRetry(RetryEvent event) {
        throttled(of(event.table()), event.throttlingReason());
    }

    private static void throttled(TableOutcomes table, @Nullable ThrottlingReason reason) {
        if (reason != null) {
            table.throttled(reason);
        }
    }

    /** A table that can be described may throttle, be denied or still be created. */
    private static boolean isOfItems(Operation operation) {
        return switch (operation) {
            case PUT, UPDATE, DELETE, QUERY, SCAN, BATCH_WRITE, BATCH_GET, TRANSACT -> true;
            // Is answered also if each of its writes has failed; those are sent again one by one.
            case BATCH_INSERT -> false;
            case DESCRIBE_TABLE, CREATE_TABLE, DELETE_TABLE, DESCRIBE_TIME_TO_LIVE, UPDATE_TIME_TO_LIVE -> false;
        };
    }
}
