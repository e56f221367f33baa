package io.dynajournal.internal.projection;

/**
 * The row of an entity: the last event that was projected.
 *
 * @param micros the time of that event
 * @param generation of the offsets of its slice when it was stored; see {@link SliceRow#generation}
 */
record SeqNrRow(long seqNr, long micros, long generation) {}
