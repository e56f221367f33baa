package io.dynajournal.internal.query;

import akka.stream.Attributes;
import io.dynajournal.internal.store.EventLog;
import io.dynajournal.internal.store.PersistenceIds;
import java.time.Duration;

/**
 * An attribute of a stream that learns how far the query in it has read, whatever stages the application has added after the query.
 * Called on the threads of the query's stream.
 */
public interface QueryObserver extends Attributes.Attribute {

    /** What a live query by slices reads. */
    record Reading(String entityType, EventLog log, PersistenceIds ids, Duration backtrackingWindow) {}

    /** A live query of events by slices has started. */
    void started(Reading reading);

    /** All events before this time were delivered, as far as the index has shown them. */
    void readTo(long micros);

    /** A live query has failed, and retries. */
    void stuck(Throwable cause);
}
