package io.dynajournal.internal.projections;

import io.dynajournal.internal.model.Slices;

/**
 * What a projection stores of an event or a change of a durable state.
 *
 * @param seqNr the sequence number, or the revision
 * @param micros the time of its offset, in microseconds since 1970; of a snapshot, the time when it was saved
 * @param isSnapshot whether it stands for the events up to it; earlier events of other entities may still be to come
 */
public record Position(String persistenceId, long seqNr, long micros, boolean isSnapshot) {

    public Position(String persistenceId, long seqNr, long micros) {
        this(persistenceId, seqNr, micros, false);
    }

    public int slice() {
        return Slices.of(persistenceId);
    }
}
