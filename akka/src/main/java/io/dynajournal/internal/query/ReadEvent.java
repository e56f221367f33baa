package io.dynajournal.internal.query;

import io.dynajournal.internal.model.StoredEvent;

/**
 * An event that a query has read.
 *
 * @param readMicros when it was read
 */
record ReadEvent(StoredEvent event, long readMicros) {}
