package io.dynajournal.internal.store;

/**
 * Where a log ended when it was read or written.
 *
 * @param seqNr the highest sequence number; 0 if there is none
 * @param timestampMicros the time of the last write; 0 if there is none
 * @param writer the uuid of the last write's writer; empty if there is none
 * @param seenAtMillis when it was read or written
 * @param storedSeqNr the highest sequence number that the table shows an item for; less than {@code seqNr} where later ones may
 *     have expired
 */
public record LogEnd(long seqNr, long timestampMicros, String writer, long seenAtMillis, long storedSeqNr) {

    /**
     * The view of a writer whose view was forgotten after one of its events was rejected. It may have skipped a sequence number
     * that another writer has used since, so that the next one proves nothing.
     */
    public static final LogEnd FORGOTTEN_AFTER_REJECTION = new LogEnd(-1, 0, "", 0);

    /** An end that an item shows. */
    public LogEnd(long seqNr, long timestampMicros, String writer, long seenAtMillis) {
        this(seqNr, timestampMicros, writer, seenAtMillis, seqNr);
    }

    public static LogEnd empty(long seenAtMillis) {
        return new LogEnd(0, 0, "", seenAtMillis);
    }

    /** This end, if sequence numbers up to another one may have been used and have expired. */
    public LogEnd raisedTo(long usedSeqNr) {
        return usedSeqNr <= seqNr ? this : new LogEnd(usedSeqNr, timestampMicros, writer, seenAtMillis, storedSeqNr);
    }

    /** Whether both have the same last write. */
    public boolean sameAs(LogEnd other) {
        return seqNr == other.seqNr && timestampMicros == other.timestampMicros && writer.equals(other.writer);
    }
}
