package io.dynajournal.query;

import io.dynajournal.model.StoredEvent;

/**
 * An event on its way to a consumer.
 *
 * @param readMicros when it was read
 */
record Found(StoredEvent event, long readMicros) {}
