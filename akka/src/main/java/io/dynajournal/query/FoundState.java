package io.dynajournal.query;

import io.dynajournal.model.StoredState;

/**
 * A state on its way to a consumer.
 *
 * @param rowMicros the time up to which the query has read; the state itself may be newer than the row that led to it
 * @param readMicros when it was read
 */
record FoundState(StoredState state, long rowMicros, long readMicros) {}
