package io.dynajournal.listener;

import java.time.Duration;

/**
 * A failed attempt of a request that will be retried.
 *
 * @param table the table's name
 * @param attempt the number of the failed attempt, 1 for the first
 * @param delay time until the next attempt
 * @param cause why the attempt failed: an exception of the AWS SDK, or a timeout
 */
public record RetryEvent(Operation operation, String table, int attempt, Duration delay, Throwable cause) {}
