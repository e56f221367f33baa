package io.dynajournal.internal.dynamo;

import io.dynajournal.listener.ThrottlingReason;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Whether DynamoDB answers for a table, and what the latest requests found. Requests that administer the table do not count.
 *
 * @param answers whether the latest request was answered, or the read that was sent for lack of one. A table that throttles answers while
 *     some requests succeed
 * @param lastSuccess when a request was last answered; also if a condition did not hold
 * @param lastFailure when a request last failed, after its retries
 * @param failure why it failed
 * @param lastThrottled when an attempt was last throttled, whether or not its request succeeded later
 * @param throttlingReason what was throttled then
 */
public record TableHealth(
        boolean answers,
        @Nullable Instant lastSuccess,
        @Nullable Instant lastFailure,
        @Nullable Throwable failure,
        @Nullable Instant lastThrottled,
        @Nullable ThrottlingReason throttlingReason) {}
