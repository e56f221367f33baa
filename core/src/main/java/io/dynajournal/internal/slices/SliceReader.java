package io.dynajournal.internal.slices;

import io.dynajournal.internal.model.SliceRange;
import io.dynajournal.internal.slices.ReadRequest.IndexRead;
import io.dynajournal.internal.slices.ReadRequest.MissedCommitsRead;
import io.dynajournal.internal.store.SlicePartition;
import io.dynajournal.internal.store.SliceRow;
import io.dynajournal.internal.store.SliceRows.RowPage;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Decides what a query by slice reads and delivers; pure. Its driver sends the {@link #reads}, hands back what they return,
 * and takes deliveries when there is demand. All times are in microseconds.
 *
 * <p>Each commit of an entity is delivered once, in the order of sequence numbers:
 *
 * <ul>
 *   <li>For a tracked entity the reader compares sequence numbers. For any other it compares the time of the previous commit
 *       with the time from which on it delivers; if the row does not have that time, it reads the table. A missed commit is
 *       read from the table before anything else is delivered. If it is not there, it was deleted.
 *   <li>A missed last commit has no successor that would show the gap. So each range is read a second time when it is as old
 *       as the backtracking window: {@link PartitionCursor}.
 *   <li>A live reader never reads beyond its now: one commit from the future would carry its position away. A reader of
 *       current events reads ahead by the slack, because writers' clocks differ.
 *   <li>Partitions are merged by time. None gets ahead of another by more than the slack, nor of its own backtracking by more
 *       than slack and window, nor of the last partition lookup by more than {@link ReaderSettings#partitionsValidMicros}.
 *       So the time of any delivered event is an offset to resume from: {@link ResumePoint#after}.
 *   <li>The number of tracked entities is limited. At the limit, a row of another entity waits until backtracking lets the
 *       oldest one be forgotten.
 * </ul>
 *
 * In memory are at most a head page and a backtracked page per partition. Not thread-safe.
 */
public final class SliceReader {

    /** Maximum number of missed commits per read. */
    private static final int MISSED_COMMITS_PER_READ = 100;

    private final ReaderSettings settings;
    private final SliceRange slices;
    private final ResumePoint start;
    private final boolean live;
    private final Predicate<SliceRow> filter;
    private final TrackedEntities tracked;
    private final Map<SlicePartition, PartitionCursor> partitions = new LinkedHashMap<>();
    private int inFlight;
    private int lastPolled;
    private @Nullable Gap gap;
    private long gaps;
    private long currentTo = Long.MIN_VALUE;
    private long partitionsFoundAt = Long.MIN_VALUE;
    private boolean waitingForRoom;

    /** A row that waits until the missed commits before it are read. */
    private static final class Gap {
        private final SliceRow row;
        private final Queue<SliceRow> missed = new ArrayDeque<>();
        private MissedCommitsRead read;
        private boolean sent;
        private boolean received;
        private boolean more;
        private long retryAt = Long.MIN_VALUE;

        Gap(SliceRow row, MissedCommitsRead read) {
            this.row = row;
            this.read = read;
        }
    }

    /**
     * @param live whether to continue when everything is read
     * @param filter which commits to deliver; the others are tracked all the same
     */
    public SliceReader(
            ReaderSettings settings, SliceRange slices, ResumePoint start, boolean live, Predicate<SliceRow> filter) {
        this.settings = settings;
        this.slices = slices;
        this.start = start;
        this.live = live;
        this.filter = filter;
        this.tracked = new TrackedEntities(start, settings.trackedEntities());
    }

    /**
     * Hands over the result of a partition lookup. New partitions are read from the resume point on.
     *
     * @param lookedUpAt when the lookup was sent
     */
    public void partitionsFound(Collection<SlicePartition> found, long lookedUpAt) {
        for (SlicePartition partition : found) {
            partitions.computeIfAbsent(
                    partition, added -> new PartitionCursor(added, settings, live, start.fromMicros()));
        }
        partitionsFoundAt = Math.max(partitionsFoundAt, lookedUpAt);
    }

    /**
     * Polls the partitions of a persistence id soon, because it has just been written.
     *
     * @return whether there is such a partition
     */
    public boolean wakeUp(String persistenceId, long now) {
        boolean found = false;
        for (PartitionCursor cursor : partitions.values()) {
            if (cursor.partition().mayHold(persistenceId)) {
                cursor.wakeUp(now);
                found = true;
            }
        }
        return found;
    }

    /** The reads to send now. Each must be answered by {@code received} or {@code failed}. */
    public List<ReadRequest> reads(long now) {
        List<ReadRequest> reads = new ArrayList<>();
        Gap open = gap;
        if (open != null && !open.sent && now >= open.retryAt) {
            open.sent = true;
            inFlight++;
            reads.add(open.read);
        }
        if (currentTo == Long.MIN_VALUE) {
            currentTo = now + settings.slackMicros();
        }
        long laggingBelow = laggingBelow();
        List<PartitionCursor> cursors = List.copyOf(partitions.values());
        for (int i = 0; i < cursors.size() && inFlight < settings.parallelism(); i++) {
            lastPolled = (lastPolled + 1) % cursors.size();
            PartitionCursor cursor = cursors.get(lastPolled);
            boolean lagging = cursor.takenTo() < laggingBelow;
            IndexRead read = cursor.nextRead(now, lagging, live ? now : currentTo, backtracks());
            if (read != null) {
                inFlight++;
                reads.add(read);
            }
        }
        return reads;
    }

    /** A reader of current events backtracks only to forget tracked entities. */
    private boolean backtracks() {
        return live || waitingForRoom;
    }

    /** Partitions that were not read up to this time hold up the others. */
    private long laggingBelow() {
        PartitionCursor cursor = earliest();
        SliceRow row = cursor == null ? null : cursor.first();
        return row == null ? Long.MIN_VALUE : row.timestampMicros() - settings.slackMicros();
    }

    /** When to call {@link #reads} again if nothing else happens. */
    public long nextReadAt() {
        long at = gap != null && !gap.sent ? gap.retryAt : Long.MAX_VALUE;
        if (inFlight < settings.parallelism()) {
            for (PartitionCursor cursor : partitions.values()) {
                at = Math.min(at, cursor.nextReadAt(backtracks()));
            }
        }
        return at;
    }

    /**
     * Hands over a page.
     *
     * @param read as it was sent: {@link IndexRead#sentEarlier} if the page is another query's
     */
    public void received(IndexRead read, RowPage page, long now) {
        inFlight--;
        cursor(read).received(read, page, now);
    }

    public void received(MissedCommitsRead read, List<SliceRow> rows) {
        inFlight--;
        if (gap != null && gap.read.equals(read)) {
            gap.missed.addAll(rows);
            gap.received = true;
            gap.more = rows.size() >= read.limit();
        }
    }

    /** The read will be due again later. */
    public void failed(ReadRequest read, long now) {
        inFlight--;
        if (read instanceof IndexRead index) {
            cursor(index).failed(now);
        } else if (gap != null) {
            gap.sent = false;
            gap.retryAt = now + settings.schedule().refreshMicros();
        }
    }

    private PartitionCursor cursor(IndexRead read) {
        PartitionCursor cursor = partitions.get(read.partition());
        if (cursor == null) {
            throw new IllegalArgumentException("This reader has not sent " + read);
        }
        return cursor;
    }

    /** The commits that can be delivered now, up to a maximum. */
    public List<Delivery> take(int maxCommits) {
        List<Delivery> deliveries = new ArrayList<>();
        boolean more = true;
        while (more && deliveries.size() < maxCommits) {
            more = step(deliveries);
        }
        return deliveries;
    }

    /** Handles one row; false if none can be handled now. */
    private boolean step(List<Delivery> deliveries) {
        waitingForRoom = false;
        if (gap != null) {
            return stepGap(gap, deliveries);
        }
        PartitionCursor cursor = earliest();
        SliceRow row = cursor == null ? null : cursor.first();
        if (cursor == null || row == null || isTooEarlyFor(row)) {
            return false;
        }
        if (slices.contains(row.persistenceId())) {
            if (tracked.last(row.persistenceId()) == null && !tracked.hasRoomFor(row, settledTo())) {
                waitingForRoom = true;
                return false;
            }
            cursor.removeFirst();
            handle(row, deliveries);
        } else {
            cursor.removeFirst();
        }
        return true;
    }

    private void handle(SliceRow row, List<Delivery> deliveries) {
        if (isReset(row)) {
            tracked.forget(row.persistenceId());
        }
        MissedCommitsRead missed = missedBefore(row);
        if (missed == null) {
            deliver(row, deliveries);
        } else {
            gaps++;
            gap = new Gap(row, missed);
        }
    }

    private long settledTo() {
        long settled = Long.MAX_VALUE;
        for (PartitionCursor cursor : partitions.values()) {
            settled = Math.min(settled, cursor.settledTo());
        }
        return settled;
    }

    /**
     * Whether the entity's sequence numbers began anew, which some layouts allow: a sequence number that was delivered long
     * ago has a time that the commit of then cannot have.
     */
    private boolean isReset(SliceRow row) {
        TrackedEntities.Last last = tracked.last(row.persistenceId());
        return last != null
                && row.endSeqNr() <= last.seqNr()
                && row.timestampMicros() > last.micros() + settings.backtrackingWindowMicros();
    }

    private @Nullable PartitionCursor earliest() {
        PartitionCursor earliest = null;
        long at = Long.MAX_VALUE;
        for (PartitionCursor cursor : partitions.values()) {
            SliceRow row = cursor.first();
            if (row != null && (earliest == null || row.timestampMicros() < at)) {
                earliest = cursor;
                at = row.timestampMicros();
            }
        }
        return earliest;
    }

    /** Whether the row's time would not yet be safe to resume from. */
    private boolean isTooEarlyFor(SliceRow row) {
        if (live && row.timestampMicros() > partitionsFoundAt + settings.partitionsValidMicros()) {
            return true;
        }
        for (PartitionCursor cursor : partitions.values()) {
            if (cursor.safeTo() < row.timestampMicros() - settings.slackMicros()) {
                return true;
            }
        }
        return false;
    }

    /** The read of missed commits before this row; null if the row is next, or was delivered before. */
    private @Nullable MissedCommitsRead missedBefore(SliceRow row) {
        TrackedEntities.Last last = tracked.last(row.persistenceId());
        if (last == null) {
            return row.previousMicros() == 0 || row.previousMicros() < tracked.floorMicros()
                    ? null
                    : missed(row, 0, tracked.floorMicros());
        }
        if (row.seqNr() <= last.seqNr() + 1) {
            return null;
        }
        return last.commitEnd() || row.previousMicros() == SliceRow.UNKNOWN
                ? missed(row, last.seqNr(), 0)
                // The sequence number may lie inside a commit, which is found by its time.
                : missed(row, 0, last.micros());
    }

    private static MissedCommitsRead missed(SliceRow row, long afterSeqNr, long fromMicros) {
        return new MissedCommitsRead(row.persistenceId(), afterSeqNr, row.seqNr(), fromMicros, MISSED_COMMITS_PER_READ);
    }

    /** Delivers the missed commits, then the row that waits for them. */
    private boolean stepGap(Gap open, List<Delivery> deliveries) {
        if (!open.received) {
            return false;
        }
        SliceRow missed = open.missed.poll();
        if (missed != null) {
            deliver(missed, deliveries);
            return true;
        }
        MissedCommitsRead further = open.more ? missedBefore(open.row) : null;
        if (further != null) {
            open.read = further;
            open.sent = false;
            open.received = false;
            return false;
        }
        gap = null;
        deliver(open.row, deliveries);
        return true;
    }

    private void deliver(SliceRow row, List<Delivery> deliveries) {
        TrackedEntities.Last last = tracked.last(row.persistenceId());
        long from = last == null ? row.seqNr() : last.seqNr() + 1;
        if (from > row.endSeqNr()) {
            return;
        }
        tracked.delivered(row);
        if (filter.test(row)) {
            deliveries.add(new Delivery(row, Math.max(from, row.seqNr())));
        }
    }

    /** Whether everything was delivered; never for a live reader. */
    public boolean isDone() {
        return !live && gap == null && partitions.values().stream().allMatch(PartitionCursor::isFinished);
    }

    /** How many rows the index showed before their predecessor. */
    public long gapsFound() {
        return gaps;
    }

    /** How many entities are tracked now. */
    public int trackedEntities() {
        return tracked.size();
    }

    /** Whether a row waits for backtracking, because as many entities are tracked as the settings allow. */
    public boolean isWaitingForRoom() {
        return waitingForRoom;
    }

    /** All partitions were read up to this time, and every row was taken. */
    public long readTo() {
        return partitions.values().stream()
                .mapToLong(PartitionCursor::takenTo)
                .min()
                .orElse(Long.MIN_VALUE);
    }
}
