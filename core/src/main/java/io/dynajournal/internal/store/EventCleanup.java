package io.dynajournal.internal.store;

import io.dynajournal.internal.model.SeqRange;
import io.dynajournal.internal.model.SnapshotCriteria;
import io.dynajournal.internal.model.StoredEvent;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Cleans up what is stored of one persistence id, on every layout. Each operation may be repeated, whether it has failed or
 * not. All but those that reset the sequence number are safe while the entity is alive: it can go on writing and recovers
 * from what is left. Thread-safe; no method throws or blocks.
 */
public final class EventCleanup {

    private final EventJournal journal;
    private final EventLog log;

    /**
     * The clean-up of a journal.
     *
     * @param log for reads that are not part of a recovery
     */
    public EventCleanup(EventJournal journal, EventLog log) {
        this.journal = journal;
        this.log = log;
    }

    /** Deletes the events up to a sequence number, inclusive. The highest sequence number is kept. */
    public CompletionStage<Void> deleteEventsTo(String persistenceId, long toSeqNr) {
        return journal.removeTo(persistenceId, toSeqNr);
    }

    /**
     * Deletes all events.
     *
     * @param resetSeqNr whether the next event has sequence number 1; no entity of this id may be alive then
     */
    public CompletionStage<Void> deleteAllEvents(String persistenceId, boolean resetSeqNr) {
        return resetSeqNr ? journal.reset(persistenceId) : journal.removeTo(persistenceId, Long.MAX_VALUE);
    }

    /** Deletes the events that were written before a time, up to the first that was not. */
    public CompletionStage<Void> deleteEventsBefore(String persistenceId, long micros) {
        return lastBefore(persistenceId, micros)
                .thenCompose(last ->
                        last == 0 ? CompletableFuture.completedFuture(null) : journal.removeTo(persistenceId, last));
    }

    /** The last event of those that were written before a time; 0 if there is none. */
    private CompletionStage<Long> lastBefore(String persistenceId, long micros) {
        SeqRange all = SeqRange.singleEvents(1, Long.MAX_VALUE, Long.MAX_VALUE);
        AtomicLong last = new AtomicLong();
        return Pages.<PageToken>drain(
                        null,
                        start -> log.read(persistenceId, all, start)
                                .thenApply(page -> isAllBefore(page.events(), micros, last) ? page.next() : null))
                .thenApply(read -> last.get());
    }

    private static boolean isAllBefore(List<StoredEvent> events, long micros, AtomicLong last) {
        for (StoredEvent event : events) {
            if (event.timestampMicros() == 0) {
                throw new UnsupportedOperationException("Event " + event.seqNr() + " of " + event.persistenceId()
                        + " was stored without a time, so that events before a time cannot be deleted. The layouts commits,"
                        + " akka2 and j5ik2o store the time of an event, akka1 and sclasen only since Akka 2.6. Nothing was"
                        + " deleted. Delete up to a sequence number instead.");
            }
            if (event.timestampMicros() >= micros) {
                return false;
            }
            last.set(event.seqNr());
        }
        return true;
    }

    /** Lets the events up to a sequence number expire. The highest sequence number is kept. */
    public CompletionStage<Void> expireEventsTo(String persistenceId, long toSeqNr, long expirySeconds) {
        return journal.expireTo(persistenceId, toSeqNr, expirySeconds, false);
    }

    /** Lets all events expire, and the highest sequence number on request. */
    public CompletionStage<Void> expireAllEvents(String persistenceId, long expirySeconds, boolean resetSeqNr) {
        return journal.expireTo(persistenceId, Long.MAX_VALUE, expirySeconds, resetSeqNr);
    }

    /** Lets all snapshots expire. */
    public static CompletionStage<Void> expireSnapshots(
            SnapshotTable snapshots, String persistenceId, long expirySeconds) {
        return snapshots.expire(persistenceId, SnapshotCriteria.ALL, expirySeconds);
    }

    /** Lets the events up to the newest snapshot expire, inclusive, and older snapshots. Without one it does nothing. */
    public CompletionStage<Void> expireBeforeSnapshot(
            SnapshotTable snapshots, String persistenceId, long expirySeconds) {
        return snapshots.newestSeqNr(persistenceId).thenCompose(newest -> {
            @Nullable Long seqNr = newest.orElse(null);
            return seqNr == null
                    ? CompletableFuture.completedFuture(null)
                    : journal.expireTo(persistenceId, seqNr, expirySeconds, false)
                            .thenCompose(expiring -> snapshots.expire(
                                    persistenceId,
                                    new SnapshotCriteria(0, seqNr - 1, 0, Long.MAX_VALUE),
                                    expirySeconds));
        });
    }

    /** Lets all events and all snapshots expire. */
    public CompletionStage<Void> expireAll(
            SnapshotTable snapshots, String persistenceId, long expirySeconds, boolean resetSeqNr) {
        return expireAllEvents(persistenceId, expirySeconds, resetSeqNr)
                .thenCompose(expiring -> expireSnapshots(snapshots, persistenceId, expirySeconds));
    }

    /** Deletes all snapshots. */
    public static CompletionStage<Void> deleteSnapshots(SnapshotTable snapshots, String persistenceId) {
        return snapshots.remove(persistenceId, SnapshotCriteria.ALL);
    }

    /**
     * Deletes what the newest snapshot makes superfluous: the events up to its sequence number, inclusive, and older
     * snapshots, which would be incomplete without these events. Without a snapshot it does nothing.
     */
    public CompletionStage<Void> deleteBeforeSnapshot(SnapshotTable snapshots, String persistenceId) {
        return snapshots.newestSeqNr(persistenceId).thenCompose(newest -> {
            @Nullable Long seqNr = newest.orElse(null);
            return seqNr == null
                    ? CompletableFuture.completedFuture(null)
                    : journal.removeTo(persistenceId, seqNr)
                            .thenCompose(deleted -> snapshots.remove(
                                    persistenceId, new SnapshotCriteria(0, seqNr - 1, 0, Long.MAX_VALUE)));
        });
    }

    /** Deletes all events, and then all snapshots: an interrupted run leaves the state of a snapshot. */
    public CompletionStage<Void> deleteAll(SnapshotTable snapshots, String persistenceId, boolean resetSeqNr) {
        return deleteAllEvents(persistenceId, resetSeqNr)
                .thenCompose(deleted -> deleteSnapshots(snapshots, persistenceId));
    }
}
