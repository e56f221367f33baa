package io.dynajournal.internal.query;

import akka.stream.Attributes;

/**
 * Learns how far the query is that it is an attribute of, also if a part of the application is between the two. Called on the
 * threads of the query's stream.
 */
public interface QueryObserver extends Attributes.Attribute {

    /** All events before this time were delivered, as far as the index has shown them. */
    void readTo(long micros);

    /** A live query has failed, and retries. */
    void stuck(Throwable cause);
}
