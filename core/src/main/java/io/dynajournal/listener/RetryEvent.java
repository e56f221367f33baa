package io.dynajournal.listener;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A failed attempt of a request that will be retried.
 *
 * @param table the table's name
 * @param lane which requests go before this one, and which after it
 * @param attempt the number of the failed attempt, 1 for the first
 * @param delay time until the next attempt
 * @param throttlingReason what DynamoDB throttled; null if the attempt failed otherwise
 * @param cause why the attempt failed: an exception of the AWS SDK, or a timeout
 */
public record RetryEvent(
        Operation operation,
        String table,
        Lane lane,
        int attempt,
        Duration delay,
        @Nullable ThrottlingReason throttlingReason,
        Throwable cause) {}
