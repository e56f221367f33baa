package io.dynajournal.internal.projection;

import io.dynajournal.internal.model.Slices;

/**
 * What a projection stores of an event or a change of a durable state.
 *
 * @param seqNr the sequence number, or the revision
 * @param micros the time of its offset, in microseconds since 1970
 */
record Position(String persistenceId, long seqNr, long micros) {

    int slice() {
        return Slices.of(persistenceId);
    }
}
