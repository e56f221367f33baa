package io.dynajournal.testkit.simulator;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What happens to a request.
 *
 * @param toServer how long it takes until the request is carried out
 * @param toClient how long its reply takes
 * @param throttling why it is throttled; null for other faults
 */
public record Fate(
        Fault fault,
        Duration toServer,
        Duration toClient,
        @Nullable Throttling throttling) {

    /** No fault. */
    public static Fate delayed(Duration toServer, Duration toClient) {
        return new Fate(Fault.NONE, toServer, toClient, null);
    }

    /** A fault, with the usual delays. */
    public static Fate of(Fault fault) {
        return new Fate(
                fault,
                Duration.ofMillis(1),
                Duration.ofMillis(1),
                fault == Fault.THROTTLED ? Throttling.TABLE_CAPACITY : null);
    }

    /** This fate with another fault. */
    public Fate with(Fault other, @Nullable Throttling reason) {
        return new Fate(other, toServer, toClient, reason);
    }
}
