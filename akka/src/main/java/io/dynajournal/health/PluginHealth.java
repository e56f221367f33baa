package io.dynajournal.health;

import io.dynajournal.listener.ThrottlingReason;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Whether a plugin has started and DynamoDB answers for its table, and what the latest requests on the table found. Times are those
 * of this machine's clock, since the plugin's client was created.
 *
 * @param plugin the plugin's path, such as {@code dynajournal.journal}
 * @param table the table's name; null until the plugin has started, and if a plugin has several tables, of which nothing else is known
 *     here either
 * @param ready whether the plugin has started and its table answers
 * @param lastSuccess when a request was last answered, also if the condition of a write did not hold; null if none was
 * @param lastFailure when a request last failed after its retries, or the start of the plugin did; null if none did
 * @param failure why it failed. It may be long over: compare {@code lastFailure} with {@code lastSuccess}
 * @param lastThrottled when DynamoDB last throttled an attempt, even if a later attempt succeeded; null if it never did
 * @param throttlingReason what it throttled then
 */
public record PluginHealth(
        String plugin,
        @Nullable String table,
        boolean ready,
        @Nullable Instant lastSuccess,
        @Nullable Instant lastFailure,
        @Nullable Throwable failure,
        @Nullable Instant lastThrottled,
        @Nullable ThrottlingReason throttlingReason) {}
