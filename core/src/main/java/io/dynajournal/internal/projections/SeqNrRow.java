package io.dynajournal.internal.projections;

/**
 * The row of an entity: the last event that was projected.
 *
 * @param micros the time of that event
 * @param generation of the offsets of its slice when it was stored; see {@link SliceRow#generation}
 * @param isSnapshot whether a snapshot was projected, whose time says nothing about other entities. Known only with the layout
 *     packed
 */
public record SeqNrRow(long seqNr, long micros, long generation, boolean isSnapshot) {

    public SeqNrRow(long seqNr, long micros, long generation) {
        this(seqNr, micros, generation, false);
    }
}
