package io.dynajournal.internal.layout.sclasen;

import java.util.List;

/**
 * The low marks of a persistence id: each shard holds the sequence number that 0.3 deleted last among its own.
 *
 * @param seqNrs in order
 */
record SclasenLowMarks(List<Long> seqNrs) {

    /** Whether they follow each other, as those of a delete from the front do and those of deletes of single events do not. */
    boolean isContiguous() {
        return !seqNrs.isEmpty() && highest() - lowest() == seqNrs.size() - 1;
    }

    long lowest() {
        return seqNrs.get(0);
    }

    long highest() {
        return seqNrs.get(seqNrs.size() - 1);
    }
}
