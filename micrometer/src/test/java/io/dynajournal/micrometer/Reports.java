package io.dynajournal.micrometer;

import io.dynajournal.exception.StoreException;
import io.dynajournal.listener.Capacity;
import io.dynajournal.listener.Lane;
import io.dynajournal.listener.Operation;
import io.dynajournal.listener.ProjectionListener.State;
import io.dynajournal.listener.ProjectionListener.Status;
import io.dynajournal.listener.RequestEvent;
import io.dynajournal.listener.RequestEvent.Outcome;
import io.dynajournal.listener.RetryEvent;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Reports as the core makes them. */
final class Reports {

    private Reports() {}

    static RequestEvent put(Duration duration) {
        return new RequestEvent(
                Operation.PUT,
                "events",
                "Cart",
                1,
                Lane.WRITE,
                Outcome.SUCCEEDED,
                1,
                duration,
                new Capacity(1, 0.5),
                null,
                null);
    }

    static RequestEvent group(int items) {
        return new RequestEvent(
                Operation.BATCH_INSERT,
                "events",
                "",
                items,
                Lane.WRITE,
                Outcome.SUCCEEDED,
                1,
                Duration.ofMillis(5),
                new Capacity(items, 0),
                null,
                null);
    }

    static RequestEvent failedQuery() {
        return new RequestEvent(
                Operation.QUERY,
                "events",
                "Cart",
                0,
                Lane.RECOVERY,
                Outcome.FAILED,
                3,
                Duration.ofSeconds(2),
                Capacity.NONE,
                null,
                new StoreException.Unavailable("no answer", null));
    }

    static RetryEvent retry() {
        return new RetryEvent(
                Operation.PUT, "events", Lane.WRITE, 1, Duration.ofMillis(20), null, new IllegalStateException("busy"));
    }

    static Status status(State state, @Nullable Instant projectedTo, @Nullable Instant lastProgress) {
        return new Status("carts", "0-1023", 0, 1023, state, projectedTo, projectedTo, null, 7, lastProgress, 2, null);
    }
}
