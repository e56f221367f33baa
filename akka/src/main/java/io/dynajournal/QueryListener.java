package io.dynajournal;

import java.time.Instant;

/**
 * Sees how far queries are, for metrics. Called on the threads of streams: an implementation must be thread-safe, quick, and
 * must not throw.
 */
public interface QueryListener {

    QueryListener NONE = new QueryListener() {};

    /**
     * Where a query by slice or by tag is.
     *
     * @param query what it asks for, in words
     * @param delivered how many events it has delivered since it was started
     * @param readTo everything before was delivered, as far as the index shows it; now minus this is how far it is behind
     * @param missed how often the index showed a write before its predecessor, which then was read from the table
     */
    record Progress(String query, long delivered, Instant readTo, long missed) {}

    /** Called while a query reads or delivers, for each query at most once a second. */
    default void progressed(Progress progress) {}

    /** A live query could not read, and tries again. The log says so too, for each query at most twice a minute. */
    default void stuck(String query, Throwable cause) {}
}
