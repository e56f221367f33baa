package io.dynajournal.slices;

import io.dynajournal.model.SliceRange;
import io.dynajournal.store.SlicePartition;
import io.dynajournal.store.SliceRow;
import io.dynajournal.store.SliceRows.RowPage;
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
 * Decides what a query by slice reads and delivers; pure. Whoever drives it asks for {@link #asks}, answers them, and takes
 * deliveries when there is demand.
 *
 * <p>Each write of an id is delivered once, in the order of its numbers:
 *
 * <ul>
 *   <li>Of an id that it knows, the reader compares numbers. Of one that it does not, it compares the time of the write
 *       before with the time from which on it delivers, or looks at the table if the row does not tell that time. If a write was missed, it is read from the table first, and
 *       nothing is delivered meanwhile; if it is not there it was deleted.
 *   <li>The last write of an id has no successor that would betray it. So what was read before it was as old as the window
 *       is read once more when it is: {@link PartitionCursor}.
 *   <li>A live reader never reads beyond its now, because one write from the future would carry its position away.
 *       One that ends looks a little further, for the writers' clocks.
 *   <li>Partitions are merged by time, and none gets ahead of another by more than the slack, nor of its own second reading
 *       by more than slack and window. So the time of any event that was delivered is an offset to resume from: {@link
 *       Start#behind}.
 * </ul>
 *
 * What waits is at most a page and a page of late rows for each partition. Not thread-safe.
 */
public final class SliceReader {

    /** How many missed writes are asked for at once. */
    private static final int MISSED = 100;

    private final ReaderSettings settings;
    private final SliceRange slices;
    private final Start start;
    private final boolean live;
    private final Predicate<SliceRow> wanted;
    private final KnownIds known;
    private final Map<SlicePartition, PartitionCursor> partitions = new LinkedHashMap<>();
    private int onTheWay;
    private int turn;
    private @Nullable Gap gap;
    private long missed;
    private long until = Long.MIN_VALUE;

    /** A row that waits for those before it. */
    private static final class Gap {
        private final SliceRow row;
        private Ask.OfTable ask;
        private final Queue<SliceRow> found = new ArrayDeque<>();
        private boolean asked;
        private boolean answered;
        private boolean more;
        private long notBefore = Long.MIN_VALUE;

        Gap(SliceRow row, Ask.OfTable ask) {
            this.row = row;
            this.ask = ask;
        }
    }

    /**
     * @param live whether to go on when everything is read
     * @param wanted which writes to deliver; the others are followed all the same
     */
    public SliceReader(
            ReaderSettings settings, SliceRange slices, Start start, boolean live, Predicate<SliceRow> wanted) {
        this.settings = settings;
        this.slices = slices;
        this.start = start;
        this.live = live;
        this.wanted = wanted;
        this.known = new KnownIds(start, settings.knownIds());
    }

    /** Makes it read these partitions too, from its start on; those that it has stay. */
    public void add(Collection<SlicePartition> more) {
        for (SlicePartition partition : more) {
            partitions.computeIfAbsent(
                    partition, added -> new PartitionCursor(added, settings, live, start.fromMicros()));
        }
    }

    /**
     * A write of this id was made just now.
     *
     * @return whether there is a partition for it
     */
    public boolean woken(String persistenceId, long now) {
        boolean found = false;
        for (PartitionCursor cursor : partitions.values()) {
            if (cursor.partition().mayHold(persistenceId)) {
                cursor.woken(now);
                found = true;
            }
        }
        return found;
    }

    /** What to read now. Each of these must be answered or failed. */
    public List<Ask> asks(long now) {
        List<Ask> asks = new ArrayList<>();
        Gap open = gap;
        if (open != null && !open.asked && now >= open.notBefore) {
            open.asked = true;
            onTheWay++;
            asks.add(open.ask);
        }
        if (until == Long.MIN_VALUE) {
            until = now + settings.slackMicros();
        }
        long lagging = laggingBelow();
        List<PartitionCursor> cursors = List.copyOf(partitions.values());
        for (int i = 0; i < cursors.size() && onTheWay < settings.parallelism(); i++) {
            turn = (turn + 1) % cursors.size();
            PartitionCursor cursor = cursors.get(turn);
            Ask ask = cursor.ask(now, cursor.handedTo() < lagging, live ? now : until);
            if (ask != null) {
                onTheWay++;
                asks.add(ask);
            }
        }
        return asks;
    }

    /** Partitions that were not read up to here hold up the others. */
    private long laggingBelow() {
        PartitionCursor cursor = earliest();
        SliceRow row = cursor == null ? null : cursor.first();
        return row == null ? Long.MIN_VALUE : row.timestampMicros() - settings.slackMicros();
    }

    /** When to ask for {@link #asks} again if nothing else happens. */
    public long askAt() {
        long at = gap != null && !gap.asked ? gap.notBefore : Long.MAX_VALUE;
        if (onTheWay < settings.parallelism()) {
            for (PartitionCursor cursor : partitions.values()) {
                at = Math.min(at, cursor.askAt());
            }
        }
        return at;
    }

    public void answered(Ask.OfIndex ask, RowPage page, long now) {
        onTheWay--;
        cursor(ask).answered(ask, page, now);
    }

    public void answered(Ask.OfTable ask, List<SliceRow> rows) {
        onTheWay--;
        if (gap != null && gap.ask.equals(ask)) {
            gap.found.addAll(rows);
            gap.answered = true;
            gap.more = rows.size() >= ask.limit();
        }
    }

    /** It will be asked again later. */
    public void failed(Ask ask, long now) {
        onTheWay--;
        if (ask instanceof Ask.OfIndex index) {
            cursor(index).failed(now);
        } else if (gap != null) {
            gap.asked = false;
            gap.notBefore = now + settings.pace().refreshMicros();
        }
    }

    private PartitionCursor cursor(Ask.OfIndex ask) {
        PartitionCursor cursor = partitions.get(ask.partition());
        if (cursor == null) {
            throw new IllegalArgumentException("nobody asked for " + ask);
        }
        return cursor;
    }

    /** What can be delivered now, up to a number of writes. */
    public List<Delivery> take(int max) {
        List<Delivery> out = new ArrayList<>();
        while (out.size() < max && step(out)) {
            known.forgetOld(settledTo());
        }
        return out;
    }

    private long settledTo() {
        if (gap != null) {
            return Long.MIN_VALUE;
        }
        long settled = Long.MAX_VALUE;
        for (PartitionCursor cursor : partitions.values()) {
            settled = Math.min(settled, cursor.settled());
        }
        return settled;
    }

    /** Whether there was a row to look at. */
    private boolean step(List<Delivery> out) {
        if (gap != null) {
            return close(gap, out);
        }
        PartitionCursor cursor = earliest();
        SliceRow row = cursor == null ? null : cursor.first();
        if (cursor == null || row == null || isAhead(row)) {
            return false;
        }
        cursor.drop();
        if (slices.contains(row.persistenceId())) {
            if (beganAnew(row)) {
                known.forget(row.persistenceId());
            }
            Ask.OfTable lookUp = lookUp(row);
            if (lookUp == null) {
                deliver(row, out);
            } else {
                missed++;
                gap = new Gap(row, lookUp);
            }
        }
        return true;
    }

    /**
     * Whether the numbers of the id were reset, which some layouts allow: a number that was delivered long ago stands at a
     * time that no write of then can have.
     */
    private boolean beganAnew(SliceRow row) {
        KnownIds.Last last = known.of(row.persistenceId());
        return last != null
                && row.endSeqNr() <= last.end()
                && row.timestampMicros() > last.micros() + settings.windowMicros();
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

    private boolean isAhead(SliceRow row) {
        for (PartitionCursor cursor : partitions.values()) {
            if (cursor.safeTo() < row.timestampMicros() - settings.slackMicros()) {
                return true;
            }
        }
        return false;
    }

    /** What must be read before this row; null if it is next, or known already. */
    private Ask.@Nullable OfTable lookUp(SliceRow row) {
        KnownIds.Last last = known.of(row.persistenceId());
        if (last == null) {
            return row.previousMicros() == 0 || row.previousMicros() < known.floor()
                    ? null
                    : new Ask.OfTable(row.persistenceId(), 0, row.seqNr(), known.floor(), MISSED);
        }
        if (row.seqNr() <= last.end() + 1) {
            return null;
        }
        return last.whole() || row.previousMicros() == SliceRow.UNKNOWN
                ? new Ask.OfTable(row.persistenceId(), last.end(), row.seqNr(), 0, MISSED)
                // The number may lie inside a write, which is found by its time.
                : new Ask.OfTable(row.persistenceId(), 0, row.seqNr(), last.micros(), MISSED);
    }

    /** Delivers what was missed, then the row that waits for it. */
    private boolean close(Gap open, List<Delivery> out) {
        if (!open.answered) {
            return false;
        }
        SliceRow found = open.found.poll();
        if (found != null) {
            deliver(found, out);
            return true;
        }
        Ask.OfTable further = open.more ? lookUp(open.row) : null;
        if (further != null) {
            open.ask = further;
            open.asked = false;
            open.answered = false;
            return false;
        }
        gap = null;
        deliver(open.row, out);
        return true;
    }

    private void deliver(SliceRow row, List<Delivery> out) {
        KnownIds.Last last = known.of(row.persistenceId());
        long from = last == null ? row.seqNr() : last.end() + 1;
        if (from > row.endSeqNr()) {
            return;
        }
        known.delivered(row);
        if (wanted.test(row)) {
            out.add(new Delivery(row, Math.max(from, row.seqNr())));
        }
    }

    /** Whether everything was delivered; never for a live reader. */
    public boolean isDone() {
        return !live && gap == null && partitions.values().stream().allMatch(PartitionCursor::isFinished);
    }

    /** How many rows came before one of their id that the index had not shown. */
    public long missedSoFar() {
        return missed;
    }

    /** For how many ids the last number is remembered. */
    public int knownIds() {
        return known.size();
    }

    /** All partitions were read up to here, and what was found has been taken. */
    public long readTo() {
        return partitions.values().stream()
                .mapToLong(PartitionCursor::handedTo)
                .min()
                .orElse(Long.MIN_VALUE);
    }
}
