package io.dynajournal.internal.layout.akka1;

import io.dynajournal.internal.layout.GapReporter.Gap;
import io.dynajournal.internal.layout.akka1.Akka1Items.Entry;
import io.dynajournal.internal.model.SeqRange;
import io.dynajournal.internal.model.StoredEvent;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Selects the events of a range from the items of a log in order, complete atomic writes only. Pure; not thread-safe.
 *
 * <p>A write is complete when every one of its sequence numbers above the low mark has an item with the same bounds and the
 * same writer. A maximum is applied first and incomplete writes are left out afterwards, so that fewer events than the maximum
 * may be selected. Events below the low mark are deleted and not required; the predecessor requires them and loses the rest.
 */
final class Akka1Walk {

    /** No sequence number is missing. */
    static final long NOTHING = Long.MAX_VALUE;

    private final String persistenceId;
    private final SeqRange range;
    private final Akka1Cursor at;
    private final List<StoredEvent> events = new ArrayList<>();
    private List<Entry> open;
    private long covered;
    private long counted;
    private boolean cut;
    private @Nullable Gap gap;
    private long firstMissing = NOTHING;

    Akka1Walk(String persistenceId, SeqRange range, Akka1Cursor at) {
        this.persistenceId = persistenceId;
        this.range = range;
        this.at = at;
        this.open = new ArrayList<>(at.open());
        this.covered = at.covered();
        this.counted = at.counted();
    }

    List<StoredEvent> events() {
        return events;
    }

    long covered() {
        return covered;
    }

    /** Whether the upper end or the maximum of the range was reached. */
    boolean isCut() {
        return cut;
    }

    /** The first sequence number without an item, in a gap or in an incomplete write. */
    long firstMissing() {
        return firstMissing;
    }

    /** The first gap. */
    @Nullable
    Gap gap() {
        return gap;
    }

    /** The last sequence number to read. Single events need the whole write at the upper end, to know that it is complete. */
    long limit() {
        long to = Math.min(range.to(), at.end());
        return range.granularity() == SeqRange.Granularity.SINGLE_EVENTS && !open.isEmpty()
                ? Math.max(to, Math.min(open.get(0).last(), at.end()))
                : to;
    }

    /** The number of events that may still count. */
    long remaining() {
        return range.max() - counted;
    }

    Akka1Cursor next(long next, boolean large) {
        return new Akka1Cursor(at.lowest(), at.end(), next, List.of(), open, covered, counted, large);
    }

    void take(List<Entry> entries) {
        for (Entry entry : entries) {
            if (cut || entry.seqNr() > at.end()) {
                return;
            }
            take(entry);
        }
    }

    private void take(Entry entry) {
        if (!open.isEmpty() && !continuesOpenWrite(entry)) {
            drop(entry.seqNr() - 1);
        }
        if ((entry.seqNr() > range.to() && open.isEmpty()) || remaining() <= 0) {
            cut = true;
            return;
        }
        if (entry.seqNr() > covered + 1) {
            missing(covered + 1, entry.seqNr() - 1);
        }
        covered = Math.max(covered, entry.seqNr());
        if (entry.isTombstone()) {
            covered = Math.max(covered, entry.last() - 1);
        } else if (entry.isSingle()) {
            give(List.of(entry));
        } else if (!open.isEmpty() || entry.seqNr() == Math.max(entry.first(), at.lowest())) {
            open.add(entry);
            if (entry.seqNr() == entry.last()) {
                List<Entry> whole = open;
                open = new ArrayList<>();
                give(whole);
            }
        } else {
            // The first events of its write are missing: incomplete and never acknowledged.
            countIncomplete(List.of(entry));
        }
    }

    /** As with the predecessor, the events of an incomplete write count towards the maximum of a recovery. */
    private void countIncomplete(List<Entry> entries) {
        if (isWhole()) {
            counted += entries.stream()
                    .filter(entry -> entry.seqNr() >= range.from())
                    .count();
        }
    }

    private boolean isWhole() {
        return range.granularity() == SeqRange.Granularity.WHOLE_WRITES;
    }

    private boolean continuesOpenWrite(Entry entry) {
        Entry before = open.get(open.size() - 1);
        return entry.seqNr() == before.seqNr() + 1 && entry.isOfSameWrite(before);
    }

    /** Discards an incomplete write and accounts for the sequence numbers that its writer claimed. */
    private void drop(long to) {
        countIncomplete(open);
        firstMissing = Math.min(firstMissing, open.get(open.size() - 1).seqNr() + 1);
        covered = Math.max(covered, Math.min(to, open.get(0).last() - 1));
        open = new ArrayList<>();
    }

    /** Called after the last item. */
    void finish() {
        if (!open.isEmpty()) {
            drop(at.end());
        }
        cut |= range.to() < at.end();
        if (!cut && covered < at.end()) {
            missing(covered + 1, at.end());
            covered = at.end();
        }
    }

    private void missing(long from, long to) {
        firstMissing = Math.min(firstMissing, from);
        if (gap == null) {
            gap = new Gap(from - 1, to + 1);
        }
    }

    private void give(List<Entry> write) {
        boolean whole = isWhole();
        List<Entry> wanted = write.stream()
                .filter(entry -> entry.seqNr() >= range.from())
                .filter(entry -> whole || entry.seqNr() <= range.to())
                .toList();
        boolean beyond = write.get(write.size() - 1).seqNr() > range.to();
        boolean tooMany = wanted.size() > remaining();
        cut = beyond || tooMany;
        if (whole && cut) {
            return;
        }
        long room = Math.min(wanted.size(), remaining());
        wanted.stream().limit(room).forEach(entry -> events.add(entry.event(persistenceId)));
        counted += room;
        cut |= remaining() <= 0;
    }
}
