package io.dynajournal.slices;

import io.dynajournal.store.SliceRow;

/**
 * A write whose events are to be delivered.
 *
 * @param fromSeqNr the first number the consumer has not had; it may lie inside the write
 */
public record Delivery(SliceRow row, long fromSeqNr) {}
