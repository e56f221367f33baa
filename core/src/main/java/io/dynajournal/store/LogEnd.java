package io.dynajournal.store;

/**
 * Where a log ended when somebody looked.
 *
 * @param seqNr the highest number, 0 if there is none
 * @param timestampMicros the time of the last write, 0 if there is none
 * @param writer who made the last write, empty if there is none
 * @param seenAtMillis when it was read or written
 */
public record LogEnd(long seqNr, long timestampMicros, String writer, long seenAtMillis) {

    public static LogEnd empty(long seenAtMillis) {
        return new LogEnd(0, 0, "", seenAtMillis);
    }

    /** Whether both looks saw the same last write. */
    public boolean sameAs(LogEnd other) {
        return seqNr == other.seqNr && timestampMicros == other.timestampMicros && writer.equals(other.writer);
    }
}
