package io.dynajournal.internal.query;

import io.dynajournal.internal.model.StoredState;

/**
 * A durable state that a query has read.
 *
 * @param rowMicros the time of its index row, which is its offset; the state itself may be newer
 * @param readMicros when it was read
 */
record ReadState(StoredState state, long rowMicros, long readMicros) {}
