package io.dynajournal.internal.model;

/** Which snapshots to load or delete; all bounds are inclusive, times are in milliseconds. */
public record SnapshotCriteria(long minSeqNr, long maxSeqNr, long minTimestamp, long maxTimestamp) {

    public static final SnapshotCriteria ALL = new SnapshotCriteria(0, Long.MAX_VALUE, 0, Long.MAX_VALUE);

    public SnapshotCriteria {
        minSeqNr = Math.max(0, minSeqNr);
        minTimestamp = Math.max(0, minTimestamp);
    }

    public static SnapshotCriteria exactly(long seqNr) {
        return new SnapshotCriteria(seqNr, seqNr, 0, Long.MAX_VALUE);
    }

    /** The same, only snapshots after a sequence number. */
    public SnapshotCriteria after(long seqNr) {
        return new SnapshotCriteria(Math.max(minSeqNr, seqNr + 1), maxSeqNr, minTimestamp, maxTimestamp);
    }

    public boolean boundsTime() {
        return minTimestamp > 0 || maxTimestamp < Long.MAX_VALUE;
    }

    public boolean isEmpty() {
        return minSeqNr > maxSeqNr || minTimestamp > maxTimestamp;
    }
}
