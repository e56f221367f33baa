package io.dynajournal.listener;

import java.time.Duration;
import java.time.Instant;

/**
 * Receives the progress of queries, for metrics; pass one to {@code DynajournalSetup.withQueryListener}. Its methods are
 * called on the threads of the streams, so they must be thread-safe and fast. If one throws, the query continues and the
 * first failure is logged.
 */
public interface QueryListener {

    /** Does nothing. */
    QueryListener NONE = new QueryListener() {};

    /**
     * How far a query by slice or by tag is.
     *
     * @param query which query, for a label or a log line
     * @param delivered number of events delivered since the stream was started
     * @param readTo all events before this time were delivered, as far as the index has shown them. Now minus this is the
     *     lag of the consumer
     * @param gaps how often the index showed a commit before its predecessor, which was then read from the table
     */
    record Progress(String query, long delivered, Instant readTo, long gaps) {}

    /**
     * A failure after which a live query retries.
     *
     * @param query which query, for a label or a log line
     * @param cause what failed: throttling, or DynamoDB could not be reached
     * @param retryAfter how long the query waits before it retries
     */
    record Stuck(String query, Throwable cause, Duration retryAfter) {}

    /** Called while a query reads or delivers, at most once a second per query. */
    default void progressed(Progress progress) {}

    /** Called for each failure after which a live query retries. It is also logged, at most twice a minute per query. */
    default void stuck(Stuck stuck) {}
}
