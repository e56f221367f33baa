package io.dynajournal.layout.sclasen;

import io.dynajournal.layout.sclasen.SclasenItems.Entry;
import io.dynajournal.store.LogEnd;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.LongStream;

/**
 * A log while its end is looked for: what the marks say, and what was read of the events since. 0.3 lost marks under load, so
 * the numbers behind the highest mark are looked at, too, until so many in a row are free. Not thread-safe.
 */
final class SclasenView {

    /** One request: more than a group of 0.3's writes, which may have lost all its marks. */
    static final int AHEAD = 100;

    private final TreeMap<Long, Entry> entries = new TreeMap<>();
    private final long deletedTo;
    private final long start;
    private final long firstPageTo;
    private final boolean firstPageMeetsTheRest;
    private long end;
    private long lookedTo;

    /**
     * @param highest by the marks
     * @param from where the first page starts, unless that is deleted
     * @param window how many numbers it has at most
     */
    SclasenView(long highest, long deletedTo, long from, int window) {
        this.end = highest;
        this.deletedTo = deletedTo;
        this.start = Math.max(from, deletedTo + 1);
        this.firstPageTo = start < highest ? Math.min(highest - 1, start + window - 1) : start - 1;
        this.firstPageMeetsTheRest = firstPageTo >= highest - 1;
        this.lookedTo = Math.max(0, highest - 1);
    }

    long end() {
        return end;
    }

    long deletedTo() {
        return deletedTo;
    }

    /** The first page, the highest number itself, and those behind it. */
    LongStream firstNumbers() {
        return LongStream.concat(LongStream.rangeClosed(start, firstPageTo), nextNumbers());
    }

    LongStream nextNumbers() {
        long from = lookedTo + 1;
        lookedTo = Math.max(1, end) + AHEAD - 1;
        return LongStream.rangeClosed(from, lookedTo);
    }

    /** Whether the end has moved, so that more numbers must be looked at. */
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

    LogEnd logEnd(long nowMillis) {
        Entry last = entries.get(end);
        return last == null
                ? new LogEnd(end, 0, "", nowMillis)
                : new LogEnd(end, last.timestampMicros(), last.writer(), nowMillis);
    }

    SclasenCursor cursor(int window) {
        long readTo = Math.max(start - 1, firstPageMeetsTheRest ? end : firstPageTo);
        List<Entry> page = start > readTo
                ? List.of()
                : List.copyOf(entries.subMap(start, true, readTo, true).values());
        return new SclasenCursor(start, end, page, readTo, 0, window, false);
    }
}
