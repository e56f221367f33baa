package io.dynajournal.listener;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A request that has ended, with all its attempts.
 *
 * @param table the table's name
 * @param entityType what is before the {@code |} of the persistence id; empty if the request is about none or several, if the id has
 *     none, and on the layouts akka1 and sclasen
 * @param items how many items it writes, or reads by their keys: the size of the batch, if it is one; 0 for queries and scans
 * @param lane which requests go before this one, and which after it
 * @param attempts number of attempts, 1 or more; 0 if no connection became free in time and nothing was sent
 * @param duration from the call to the end, with delays between attempts and the wait for a connection
 * @param capacity capacity units that DynamoDB reports for the last attempt; zero unless it succeeded
 * @param throttlingReason what DynamoDB throttled in the last attempt; null unless that made the request fail
 * @param failure why it failed; null unless the outcome is {@link Outcome#FAILED}
 */
public record RequestEvent(
        Operation operation,
        String table,
        String entityType,
        int items,
        Lane lane,
        Outcome outcome,
        int attempts,
        Duration duration,
        Capacity capacity,
        @Nullable ThrottlingReason throttlingReason,
        @Nullable Throwable failure) {

    /** How a request ended. */
    public enum Outcome {
        SUCCEEDED,

        /** The condition of a write did not hold, so nothing was stored. DynamoDB bills it like the write. */
        CONDITION_FAILED,

        /** It was rejected, throttled or not answered until its timeout. */
        FAILED
    }
}
