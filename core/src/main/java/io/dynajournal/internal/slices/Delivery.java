package io.dynajournal.internal.slices;

import io.dynajournal.internal.store.SliceRow;

/**
 * A commit whose events are due for delivery.
 *
 * @param fromSeqNr the first sequence number that the consumer has not received; it may lie inside the commit
 */
public record Delivery(SliceRow row, long fromSeqNr) {}
