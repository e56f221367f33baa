package io.dynajournal.cli.copy;

import io.dynajournal.cli.copy.Difference.What;
import io.dynajournal.cli.copy.Store.Journal;
import io.dynajournal.exception.StoreException;
import io.dynajournal.internal.model.DeletedRange;
import io.dynajournal.internal.model.EventBatch;
import io.dynajournal.internal.model.SeqRange;
import io.dynajournal.internal.model.StoredEvent;
import io.dynajournal.internal.store.LogEnd;
import java.util.Iterator;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Copies the log of one persistence id, from where the target ends. What the target has already is compared, never replaced. The
 * append of each layout keeps its fence: a second writer in the target, also a second copy, ends in an error.
 */
final class LogCopy {

    /** A source that deletes during each attempt is deleting faster than it is read. */
    private static final int MAX_ATTEMPTS = 5;

    private final Journal source;
    private final Journal target;
    private final Checkpoint checkpoint;
    private final LongConsumer copied;
    private final BooleanSupplier stopped;
    private final Deletes deletes;
    private final Gaps gaps;

    /** Whether events that are deleted in the source are deleted in the target. */
    enum Deletes {
        /** Never: what the target has stays there. */
        NEVER,
        /** In logs that have new events. */
        WITH_NEW_EVENTS,
        /** In all logs, which costs a page each. */
        ALWAYS
    }

    /** Decides whether sequence numbers that are missing in the source stay missing. */
    interface Gaps {

        /**
         * Whether nothing will appear before an event any more. If not, the copy of this log ends there.
         *
         * @param next the event that follows the missing ones; null if none does
         */
        boolean isFinal(String persistenceId, @Nullable StoredEvent next);
    }

    /**
     * @param checkpoint notified after each page
     * @param copied receives the number of events that were stored
     * @param stopped whether to end after the page under way
     */
    LogCopy(
            Journal source,
            Journal target,
            Checkpoint checkpoint,
            LongConsumer copied,
            BooleanSupplier stopped,
            Deletes deletes,
            Gaps gaps) {
        this.source = source;
        this.target = target;
        this.checkpoint = checkpoint;
        this.copied = copied;
        this.stopped = stopped;
        this.deletes = deletes;
        this.gaps = gaps;
    }

    /**
     * Copies what follows the checkpoint.
     *
     * @return the part that was copied: it reaches to the end of the log, unless the copy was stopped or met a gap that is not
     *     final
     */
    Position copy(String persistenceId) {
        for (int attempt = 1; ; attempt++) {
            try {
                return copyOnce(persistenceId);
            } catch (StoreException.LogMoved deleted) {
                if (attempt == MAX_ATTEMPTS) {
                    throw deleted;
                }
            }
        }
    }

    private Position copyOnce(String persistenceId) {
        LogEnd end = Blocking.result(source.log().end(persistenceId));
        LogEnd there = Blocking.result(target.log().end(persistenceId));
        checkNotAhead(persistenceId, there);
        if (end.seqNr() == 0) {
            return Position.after(0);
        }
        // A target that ends earlier than the checkpoint says was replaced since.
        long reached = checkpoint.reached(persistenceId);
        long start = reached <= there.seqNr() ? reached : 0;
        if (start == end.seqNr() && deletes != Deletes.ALWAYS) {
            return Position.after(start);
        }
        EventPages pages = EventPages.from(source.log(), persistenceId, start + 1);
        @Nullable StoredEvent first = start == 0 ? pages.first() : first(persistenceId);
        DeletedRange deleted = deleted(end, first, persistenceId);
        if (deleted.toSeqNr() > there.seqNr() && !gaps.isFinal(persistenceId, first)) {
            return Position.after(start);
        }
        there = copyDeletes(deleted, there);
        Position at = Position.after(Math.max(start, deleted.toSeqNr()));
        checkpoint.reached(persistenceId, at.to());
        while (pages.hasNext() && !stopped.getAsBoolean()) {
            // A page that was read before a delete may have events that the target must not get.
            List<StoredEvent> read = after(at.to(), pages.next());
            List<StoredEvent> page = beforeOpenGap(read, Math.max(at.to(), there.seqNr()));
            there = store(page, there);
            EventComparison comparison = comparison();
            for (StoredEvent event : page) {
                at = at.plus(comparison.kept(event));
            }
            checkpoint.handled(page.size());
            checkpoint.reached(persistenceId, at.to());
            if (page.size() < read.size()) {
                return at;
            }
        }
        return at;
    }

    /** The events of a page up to the first gap above {@code seqNr} in which events may still appear. */
    private List<StoredEvent> beforeOpenGap(List<StoredEvent> page, long seqNr) {
        long last = seqNr;
        for (int i = 0; i < page.size(); i++) {
            StoredEvent event = page.get(i);
            if (event.seqNr() > last + 1 && !gaps.isFinal(event.persistenceId(), event)) {
                return page.subList(0, i);
            }
            last = Math.max(last, event.seqNr());
        }
        return page;
    }

    private static List<StoredEvent> after(long seqNr, List<StoredEvent> page) {
        return page.isEmpty() || page.get(0).seqNr() > seqNr
                ? page
                : page.stream().filter(event -> event.seqNr() > seqNr).toList();
    }

    private @Nullable StoredEvent first(String persistenceId) {
        return EventPages.from(source.log(), persistenceId, 1).first();
    }

    /** What precedes the first event. Missing first events of an adopted table count as deleted. */
    private static DeletedRange deleted(LogEnd end, @Nullable StoredEvent first, String persistenceId) {
        return first == null
                ? new DeletedRange(persistenceId, end.seqNr(), end.writer(), end.timestampMicros())
                : new DeletedRange(
                        persistenceId, first.seqNr() - 1, first.writer(), Math.max(0, first.timestampMicros() - 1));
    }

    /** Only a writer of the target can make it longer than the source. */
    private void checkNotAhead(String persistenceId, LogEnd there) {
        LogEnd end = Blocking.result(source.log().end(persistenceId));
        if (there.seqNr() > end.seqNr()) {
            throw new CopyConflict(
                    target.table(),
                    new Difference(
                            persistenceId,
                            What.EVENT,
                            end.seqNr() + 1,
                            "the source ends at " + end.seqNr() + ", the target at " + there.seqNr() + ", written by "
                                    + there.writer()));
        }
    }

    private EventComparison comparison() {
        return new EventComparison(source.format(), target.format());
    }

    private LogEnd copyDeletes(DeletedRange deleted, LogEnd there) {
        String persistenceId = deleted.persistenceId();
        if (deleted.toSeqNr() == 0) {
            return there;
        }
        boolean isShorter = there.seqNr() < deleted.toSeqNr();
        if (deletes == Deletes.NEVER && there.seqNr() > 0 && hasEventsTo(persistenceId, deleted.toSeqNr())) {
            if (isShorter) {
                throw new CopyConflict(
                        target.table(),
                        new Difference(
                                persistenceId,
                                What.EVENT,
                                deleted.toSeqNr() + 1,
                                "events before it are missing in the source, and the target ends at " + there.seqNr()));
            }
            return there;
        }
        LogEnd end = isShorter ? Blocking.result(target.log().markDeleted(deleted, there)) : there;
        if (there.seqNr() > 0 && (isShorter || hasEventsTo(persistenceId, deleted.toSeqNr()))) {
            Blocking.result(target.log().deleteTo(persistenceId, deleted.toSeqNr()));
        }
        return end;
    }

    private boolean hasEventsTo(String persistenceId, long seqNr) {
        @Nullable
        StoredEvent first = EventPages.from(target.log(), persistenceId, 1).first();
        return first != null && first.seqNr() <= seqNr;
    }

    private LogEnd store(List<StoredEvent> page, LogEnd end) {
        int known = 0;
        while (known < page.size() && page.get(known).seqNr() <= end.seqNr()) {
            known++;
        }
        checkStored(page.subList(0, known));
        LogEnd there = end;
        for (EventBatch batch : EventBatches.of(page.subList(known, page.size()), target.format())) {
            there = append(batch, there, page);
            copied.accept(batch.size());
        }
        return there;
    }

    /** A conflict is none if the events are there: a reply was lost, or another copy was faster. */
    private LogEnd append(EventBatch batch, LogEnd there, List<StoredEvent> page) {
        try {
            return Blocking.result(target.log().append(batch, there));
        } catch (StoreException.WriteConflict conflict) {
            LogEnd now = Blocking.result(target.log().end(batch.persistenceId()));
            if (now.seqNr() != batch.lastSeqNr()) {
                throw conflict;
            }
            checkStored(page.stream()
                    .filter(event -> event.seqNr() >= batch.firstSeqNr() && event.seqNr() <= batch.lastSeqNr())
                    .toList());
            return now;
        }
    }

    /** Fails unless the target has exactly these events between the first and the last of them. */
    private void checkStored(List<StoredEvent> events) {
        if (events.isEmpty()) {
            return;
        }
        String persistenceId = events.get(0).persistenceId();
        SeqRange range = SeqRange.singleEvents(
                events.get(0).seqNr(), events.get(events.size() - 1).seqNr(), Long.MAX_VALUE);
        Iterator<StoredEvent> there = new EventPages(target.log(), persistenceId, range).events();
        EventComparison comparison = comparison();
        for (StoredEvent event : events) {
            @Nullable
            String difference =
                    there.hasNext() ? comparison.difference(event, there.next()) : "it is deleted in the target";
            if (difference != null) {
                throw new CopyConflict(
                        target.table(), new Difference(persistenceId, What.EVENT, event.seqNr(), difference));
            }
        }
    }
}
