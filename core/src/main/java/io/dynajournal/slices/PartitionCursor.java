package io.dynajournal.slices;

import io.dynajournal.store.PageToken;
import io.dynajournal.store.SlicePartition;
import io.dynajournal.store.SliceRow;
import io.dynajournal.store.SliceRows.RowPage;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * How far a partition has been read.
 *
 * <p>The head reads what is new, up to now. Rows may show later than others that are younger; so what the head has read
 * before it was as old as the window is read once more when it is. The first reading of old rows needs no second one, nor
 * does a partition without rows: the head asks again from its last row on, however long ago that was.
 */
final class PartitionCursor {

    /** What the second reading takes at once: this part of the window. */
    private static final int STEPS = 8;

    private static final long NEVER = Long.MIN_VALUE / 2;

    private final SlicePartition partition;
    private final ReaderSettings settings;
    private final boolean live;
    private final ArrayDeque<SliceRow> head = new ArrayDeque<>();
    private final ArrayDeque<SliceRow> late = new ArrayDeque<>();

    private boolean busy;
    // The range the head is in, and where its next page begins; no range without a page.
    private long rangeTo;
    // The last row of all.
    private long rangeLast;
    private @Nullable PageToken headNext;
    private @Nullable PageToken lateNext;
    private long lateTo;
    private long notBefore = Long.MIN_VALUE;

    private long position;
    private long readTo;
    private long settled;
    private boolean finished;

    private long since;
    private long lastLook;
    private boolean lastFound;
    private long nextLook;

    PartitionCursor(SlicePartition partition, ReaderSettings settings, boolean live, long fromMicros) {
        this.partition = partition;
        this.settings = settings;
        this.live = live;
        this.position = fromMicros - 1;
        this.readTo = fromMicros - 1;
        this.settled = fromMicros - 1;
        this.rangeLast = fromMicros - 1;
        this.since = NEVER;
        this.nextLook = Long.MIN_VALUE;
    }

    SlicePartition partition() {
        return partition;
    }

    /** The earliest row that waits. A slow consumer may have left rows for so long that they were read again. */
    @Nullable
    SliceRow first() {
        return isLateFirst() ? late.peek() : head.peek();
    }

    private boolean isLateFirst() {
        SliceRow again = late.peek();
        SliceRow row = head.peek();
        return again != null && (row == null || again.timestampMicros() <= row.timestampMicros());
    }

    void drop() {
        if (isLateFirst()) {
            late.remove();
        } else {
            head.remove();
        }
    }

    /** All rows up to here have been handed over, as far as the index shows them. */
    long handedTo() {
        SliceRow row = head.peek();
        return row == null ? readTo : row.timestampMicros() - 1;
    }

    /** Whoever resumes a window before this time skips nothing. */
    long safeTo() {
        if (!live) {
            return handedTo();
        }
        SliceRow again = late.peek();
        long second = again == null ? settled : Math.min(settled, again.timestampMicros() - 1);
        return Math.min(handedTo(), second + settings.windowMicros());
    }

    /** Rows up to here will not be seen again. */
    long settled() {
        SliceRow row = first();
        return row == null ? settled : Math.min(settled, row.timestampMicros() - 1);
    }

    boolean isFinished() {
        return finished && head.isEmpty();
    }

    void woken(long now) {
        since = now;
        nextLook = Math.min(nextLook, Math.max(now, lastLook + settings.pace().gap(lastFound)));
    }

    /**
     * What to read now; null if nothing.
     *
     * @param lagging whether others wait for this partition
     * @param to how far to read
     */
    Ask.@Nullable OfIndex ask(long now, boolean lagging, long to) {
        if (busy || now < notBefore) {
            return null;
        }
        if (late.isEmpty() && lateAt() <= now) {
            busy = true;
            if (lateNext == null) {
                lateTo = Math.min(rangeLast, now - settings.windowMicros());
            }
            return ask(settled + 1, lateTo, lateNext, true, now, fresh(now));
        }
        boolean due = headNext != null || lagging || nextLook <= now;
        if (!head.isEmpty() || finished || !due) {
            return null;
        }
        if (headNext == null) {
            rangeTo = to;
        }
        if (rangeTo <= position) {
            nextLook = settings.pace().next(now, since);
            return null;
        }
        busy = true;
        // What others have seen since something happened here will do.
        return ask(position + 1, rangeTo, headNext, false, now, fresh(now));
    }

    private long fresh(long now) {
        if (!live) {
            return 0;
        }
        long half = settings.pace().refreshMicros() / 2;
        return headNext != null || since == NEVER ? half : Math.max(0, Math.min(half, now - since));
    }

    private Ask.OfIndex ask(long from, long to, @Nullable PageToken start, boolean again, long now, long fresh) {
        return new Ask.OfIndex(partition, from, to, start, settings.pageRows(), again, now, fresh);
    }

    /** When something is to be read; not before an answer that is awaited. */
    long askAt() {
        if (busy) {
            return Long.MAX_VALUE;
        }
        long lateAt = late.isEmpty() ? lateAt() : Long.MAX_VALUE;
        long headAt = !head.isEmpty() || finished ? Long.MAX_VALUE : headNext != null ? Long.MIN_VALUE : nextLook;
        return Math.max(notBefore, Math.min(lateAt, headAt));
    }

    /** When the next second reading is due. */
    private long lateAt() {
        if (!live || rangeLast <= settled) {
            return Long.MAX_VALUE;
        }
        return lateNext != null
                ? Long.MIN_VALUE
                : Math.min(rangeLast, settled + settings.windowMicros() / STEPS) + settings.windowMicros();
    }

    void answered(Ask.OfIndex ask, RowPage page, long now) {
        busy = false;
        if (ask.again()) {
            late.addAll(page.rows());
            lateNext = page.next();
            if (page.next() == null) {
                settled = Math.max(settled, Math.min(ask.toMicros(), ask.askedMicros() - settings.windowMicros()));
            }
            return;
        }
        head.addAll(page.rows());
        // Rows of one time may be on two pages.
        long pageFrom = ask.start() == null ? ask.fromMicros() : rangeLast;
        boolean goesOn = settled >= pageFrom - 1;
        if (!page.rows().isEmpty()) {
            rangeLast = page.rows().get(page.rows().size() - 1).timestampMicros();
        }
        readTo = Math.max(readTo, page.next() == null ? ask.toMicros() : rangeLast - 1);
        if (goesOn) {
            settled = Math.max(settled, Math.min(readTo, ask.askedMicros() - settings.windowMicros()));
        }
        headNext = page.next();
        if (page.next() == null) {
            boolean found = rangeLast > position;
            position = rangeLast;
            looked(now, found);
        }
    }

    private void looked(long now, boolean found) {
        finished = !live;
        lastLook = now;
        lastFound = found;
        if (since == NEVER) {
            since = now - settings.pace().refreshMicros();
        }
        if (found) {
            since = settings.pace().sinceRows(now);
        }
        nextLook = settings.pace().next(now, since);
    }

    void failed(long now) {
        busy = false;
        notBefore = now + settings.pace().refreshMicros();
    }
}
