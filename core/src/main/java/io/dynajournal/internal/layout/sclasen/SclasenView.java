package io.dynajournal.internal.layout.sclasen;

import io.dynajournal.internal.layout.sclasen.SclasenItems.Entry;
import io.dynajournal.internal.store.LogEnd;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.LongStream;

/**
 * The search for the end of a log: its marks, and the events read so far. 0.3 lost marks under load, so the sequence numbers
 * after the highest mark are read too, until {@value #AHEAD} in a row are free. Not thread-safe.
 */
final class SclasenView {

    /** One read request. More than a batch of 0.3's writes, which may have lost all its marks. */
    static final int AHEAD = 100;

    private final TreeMap<Long, Entry> entries = new TreeMap<>();
    private final long marked;
    private final long deletedTo;
    private final long start;
    private final long firstPageTo;
    private final boolean firstPageReachesEnd;
    private long end;
    private long readTo;

    /**
     * @param highest the highest mark
     * @param from the first sequence number of the first page, unless it is deleted
     * @param window the maximum number of sequence numbers of the first page
     */
    SclasenView(long highest, long deletedTo, long from, int window) {
        this.end = highest;
        this.marked = highest;
        this.deletedTo = deletedTo;
        this.start = Math.max(from, deletedTo + 1);
        this.firstPageTo = start < highest ? Math.min(highest - 1, start + window - 1) : start - 1;
        this.firstPageReachesEnd = firstPageTo >= highest - 1;
        this.readTo = Math.max(0, highest - 1);
    }

    long end() {
        return end;
    }

    /** The highest mark; 0 without one. */
    long marked() {
        return marked;
    }

    /** Whether there is an item at a sequence number near the end. */
    boolean hasEvent(long seqNr) {
        return entries.containsKey(seqNr);
    }

    long deletedTo() {
        return deletedTo;
    }

    /** The sequence numbers of the first page, the highest mark, and those after it. */
    LongStream firstSeqNrs() {
        return LongStream.concat(LongStream.rangeClosed(start, firstPageTo), nextSeqNrs());
    }

    LongStream nextSeqNrs() {
        long from = readTo + 1;
        readTo = Math.max(1, end) + AHEAD - 1;
        return LongStream.rangeClosed(from, readTo);
    }

    /** Adds items; whether the end has moved, so that more sequence numbers must be read. */
    boolean add(List<Entry> found) {
        long before = end;
        for (Entry entry : found) {
            entries.put(entry.seqNr(), entry);
            if (entry.isTaken()) {
                end = Math.max(end, entry.seqNr());
            }
        }
        return end > before;
    }

    /**
     * The sequence numbers before the end that were not found, from the highest mark on. Items are not all read at one moment,
     * so one of them may have been stored after it was looked for, but before a later one that was found.
     */
    long[] missing() {
        return start > end
                ? new long[0]
                : LongStream.rangeClosed(Math.max(start, marked), end)
                        .filter(seqNr -> !entries.containsKey(seqNr))
                        .toArray();
    }

    LogEnd logEnd(long nowMillis) {
        Entry last = entries.get(end);
        return last == null
                ? new LogEnd(end, 0, "", nowMillis)
                : new LogEnd(end, last.timestampMicros(), last.writer(), nowMillis);
    }

    SclasenCursor cursor(int window) {
        long pageTo = Math.max(start - 1, firstPageReachesEnd ? end : firstPageTo);
        List<Entry> page = start > pageTo
                ? List.of()
                : List.copyOf(entries.subMap(start, true, pageTo, true).values());
        return new SclasenCursor(start, end, page, pageTo, 0, window, false);
    }
}
