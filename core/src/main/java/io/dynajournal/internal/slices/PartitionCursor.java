package io.dynajournal.internal.slices;

import io.dynajournal.internal.slices.ReadRequest.IndexRead;
import io.dynajournal.internal.store.PageToken;
import io.dynajournal.internal.store.SlicePartition;
import io.dynajournal.internal.store.SliceRow;
import io.dynajournal.internal.store.SliceRows.RowPage;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * How far a partition has been read. All times are in microseconds.
 *
 * <p>The head reads new rows, up to now. The index may show a row later than newer ones, so backtracking reads each range
 * once more when it is as old as the backtracking window. Rows that were that old when the head read them are not read again.
 * Neither is a partition without rows: the head always polls from its last row on, however old that is.
 */
final class PartitionCursor {

    /** Backtracking waits until this part of the window has become due, and reads it together. */
    private static final int BACKTRACKS_PER_WINDOW = 8;

    private static final long NEVER = Long.MIN_VALUE / 2;

    private final SlicePartition partition;
    private final ReaderSettings settings;
    private final boolean live;
    private final ArrayDeque<SliceRow> headRows = new ArrayDeque<>();
    private final ArrayDeque<SliceRow> backtrackedRows = new ArrayDeque<>();

    private boolean inFlight;
    private long retryAt = Long.MIN_VALUE;

    // The head: it polls the range after its position, page by page, up to headTo.
    private long position;
    private long headTo;
    private @Nullable PageToken headNext;
    private long lastRow;
    private long readTo;
    private boolean finished;

    // Backtracking: everything up to settledTo needs no further read.
    private long settledTo;
    private long backtrackFrom;
    private long backtrackTo;
    private long backtrackSettles;
    private @Nullable PageToken backtrackNext;

    private long quietSince = NEVER;
    private long lastPoll;
    private boolean lastPollFoundRows;
    private long nextPoll = Long.MIN_VALUE;

    PartitionCursor(SlicePartition partition, ReaderSettings settings, boolean live, long fromMicros) {
        this.partition = partition;
        this.settings = settings;
        this.live = live;
        this.position = fromMicros - 1;
        this.readTo = fromMicros - 1;
        this.settledTo = fromMicros - 1;
        this.lastRow = fromMicros - 1;
    }

    SlicePartition partition() {
        return partition;
    }

    /** The earliest row not yet taken. Behind a slow consumer, rows may be backtracked before the head's are taken. */
    @Nullable
    SliceRow first() {
        return isBacktrackedFirst() ? backtrackedRows.peek() : headRows.peek();
    }

    private boolean isBacktrackedFirst() {
        SliceRow backtracked = backtrackedRows.peek();
        SliceRow head = headRows.peek();
        return backtracked != null && (head == null || backtracked.timestampMicros() <= head.timestampMicros());
    }

    void removeFirst() {
        if (isBacktrackedFirst()) {
            backtrackedRows.remove();
        } else {
            headRows.remove();
        }
    }

    /** All rows up to this time were taken, as far as the index has shown them. */
    long takenTo() {
        SliceRow row = headRows.peek();
        return row == null ? readTo : row.timestampMicros() - 1;
    }

    /** A reader that resumes a window before this time skips nothing. */
    long safeTo() {
        if (!live) {
            return takenTo();
        }
        SliceRow row = backtrackedRows.peek();
        long backtracked = row == null ? settledTo : Math.min(settledTo, row.timestampMicros() - 1);
        return Math.min(takenTo(), backtracked + settings.backtrackingWindowMicros());
    }

    /** No row up to this time will be seen again. */
    long settledTo() {
        SliceRow backtracked = backtrackedRows.peek();
        long settled = backtracked == null
                ? settledTo
                : Math.min(backtracked.timestampMicros() - 1, Math.max(settledTo, backtrackSettles));
        SliceRow head = headRows.peek();
        return head == null ? settled : Math.min(settled, head.timestampMicros() - 1);
    }

    boolean isFinished() {
        return finished && headRows.isEmpty() && backtrackedRows.isEmpty();
    }

    /** Polls soon: something was written. */
    void wakeUp(long now) {
        quietSince = now;
        long earliest = lastPoll + settings.schedule().minIntervalMicros(lastPollFoundRows);
        nextPoll = Math.min(nextPoll, Math.max(now, earliest));
    }

    /**
     * The read that is due; null if none.
     *
     * @param lagging whether other partitions wait for this one
     * @param to the end of the range
     */
    @Nullable
    IndexRead nextRead(long now, boolean lagging, long to, boolean backtracks) {
        if (inFlight || now < retryAt) {
            return null;
        }
        if (settledTo >= backtrackTo) {
            // The head has settled the rest of the range meanwhile.
            backtrackNext = null;
        }
        if (backtracks && backtrackedRows.isEmpty() && backtrackAt() <= now) {
            inFlight = true;
            if (backtrackNext == null) {
                backtrackFrom = settledTo + 1;
                backtrackTo = Math.min(lastRow, now - settings.backtrackingWindowMicros());
            }
            // The range of a further page stays: its start key must lie in it.
            return read(backtrackFrom, backtrackTo, backtrackNext, true, now);
        }
        boolean due = headNext != null || lagging || nextPoll <= now;
        if (!headRows.isEmpty() || finished || !due) {
            return null;
        }
        if (headNext == null) {
            headTo = to;
        }
        if (headTo <= position) {
            nextPoll = settings.schedule().nextPollMicros(now, quietSince);
            return null;
        }
        inFlight = true;
        return read(position + 1, headTo, headNext, false, now);
    }

    private IndexRead read(long from, long to, @Nullable PageToken start, boolean backtracking, long now) {
        return new IndexRead(partition, from, to, start, settings.pageSize(), backtracking, now, maxAge(now));
    }

    /** A shared page that is newer than the last wake-up is fresh enough. */
    private long maxAge(long now) {
        if (!live) {
            return 0;
        }
        long half = settings.schedule().refreshMicros() / 2;
        return headNext != null || quietSince == NEVER ? half : Math.max(0, Math.min(half, now - quietSince));
    }

    /** When the next read is due, if no read is in flight. */
    long nextReadAt(boolean backtracks) {
        if (inFlight) {
            return Long.MAX_VALUE;
        }
        long backtrackAt = backtracks && backtrackedRows.isEmpty() ? backtrackAt() : Long.MAX_VALUE;
        long headAt = !headRows.isEmpty() || finished ? Long.MAX_VALUE : headNext != null ? Long.MIN_VALUE : nextPoll;
        return Math.max(retryAt, Math.min(backtrackAt, headAt));
    }

    private long backtrackAt() {
        if (lastRow <= settledTo) {
            return Long.MAX_VALUE;
        }
        long window = settings.backtrackingWindowMicros();
        return backtrackNext != null
                ? Long.MIN_VALUE
                : Math.min(lastRow, settledTo + window / BACKTRACKS_PER_WINDOW) + window;
    }

    void received(IndexRead read, RowPage page, long now) {
        inFlight = false;
        long oldEnough = read.sentMicros() - settings.backtrackingWindowMicros();
        if (read.backtracking()) {
            receivedBacktracked(read, page, oldEnough);
        } else {
            receivedHead(read, page, oldEnough, now);
        }
    }

    private void receivedBacktracked(IndexRead read, RowPage page, long oldEnough) {
        backtrackedRows.addAll(page.rows());
        backtrackNext = page.next();
        backtrackSettles = Math.min(read.toMicros(), oldEnough);
        if (page.next() == null) {
            settledTo = Math.max(settledTo, backtrackSettles);
        }
    }

    private void receivedHead(IndexRead read, RowPage page, long oldEnough, long now) {
        headRows.addAll(page.rows());
        // Rows of the same time may be on two pages.
        long pageFrom = read.start() == null ? read.fromMicros() : lastRow;
        boolean contiguous = settledTo >= pageFrom - 1;
        if (!page.rows().isEmpty()) {
            lastRow = page.rows().get(page.rows().size() - 1).timestampMicros();
        }
        readTo = Math.max(readTo, page.next() == null ? read.toMicros() : lastRow - 1);
        if (contiguous) {
            settledTo = Math.max(settledTo, Math.min(readTo, oldEnough));
        }
        headNext = page.next();
        if (page.next() == null) {
            boolean foundRows = lastRow > position;
            position = lastRow;
            polled(now, foundRows);
        }
    }

    private void polled(long now, boolean foundRows) {
        finished = !live;
        lastPoll = now;
        lastPollFoundRows = foundRows;
        if (quietSince == NEVER) {
            quietSince = now - settings.schedule().refreshMicros();
        }
        if (foundRows) {
            quietSince = settings.schedule().quietSinceAfterRows(now);
        }
        nextPoll = settings.schedule().nextPollMicros(now, quietSince);
    }

    void failed(long now) {
        inFlight = false;
        retryAt = now + settings.schedule().refreshMicros();
    }
}
