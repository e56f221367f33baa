package io.dynajournal.cleanup.javadsl;

import akka.Done;
import akka.NotUsed;
import akka.actor.ClassicActorSystemProvider;
import akka.stream.javadsl.Source;
import io.dynajournal.internal.cleanup.EventSourcedCleanups;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/**
 * Deletes events and snapshots of entities, of one, of a list or of a stream of them. {@code docs/cleanup.md} has what each
 * operation does on each layout and what it costs.
 *
 * <p>Every operation may be run again, from the start, after a failure or a crash. It ends at the first persistence id that
 * fails. Operations that keep the sequence number are safe while the entity runs. With {@code resetSequenceNumber} the entity
 * must not run: in this actor system its next write fails, in another one its events would follow a gap.
 *
 * <p>For classic and typed actor systems. Thread-safe.
 */
public final class EventSourcedCleanup {

    private final EventSourcedCleanups cleanups;

    private EventSourcedCleanup(EventSourcedCleanups cleanups) {
        this.cleanups = cleanups;
    }

    /** With the settings in {@code dynajournal.cleanup}. */
    public EventSourcedCleanup(ClassicActorSystemProvider system) {
        this(system, "dynajournal.cleanup");
    }

    /**
     * With the settings of another block: a copy of {@code dynajournal.cleanup}, or the block {@code cleanup} of
     * akka-persistence-dynamodb 2.x.
     *
     * @throws io.dynajournal.exception.SettingsException if a setting of the block is wrong
     */
    public EventSourcedCleanup(ClassicActorSystemProvider system, String configPath) {
        this(EventSourcedCleanups.of(system, configPath));
    }

    /**
     * The same with a callback.
     *
     * @param onCleaned called with each persistence id after it was cleaned up, one call after another and in no particular
     *     order. If it throws, the clean-up fails.
     */
    public EventSourcedCleanup withProgress(Consumer<String> onCleaned) {
        return new EventSourcedCleanup(cleanups.reporting(onCleaned));
    }

    /** All persistence ids of the journal, also those whose events are deleted as long as their sequence number is kept. */
    public Source<String, NotUsed> persistenceIds() {
        return cleanups.ids(null);
    }

    /** The persistence ids of one entity type, such as {@code ShoppingCart} of {@code ShoppingCart|cart-7}. */
    public Source<String, NotUsed> persistenceIds(String entityType) {
        return cleanups.ids(entityType);
    }

    /** Deletes the events up to a sequence number, inclusive. */
    public CompletionStage<Done> deleteEventsTo(String persistenceId, long toSequenceNr) {
        return cleanups.deleteEventsTo(persistenceId, toSequenceNr);
    }

    /** Deletes the events that were written before a time. Reads the events to find the last of them. */
    public CompletionStage<Done> deleteEventsBefore(String persistenceId, Instant time) {
        return deleteEventsBefore(Source.single(persistenceId), time);
    }

    /** As {@link #deleteEventsBefore(String, Instant)}. */
    public CompletionStage<Done> deleteEventsBefore(List<String> persistenceIds, Instant time) {
        return deleteEventsBefore(Source.from(persistenceIds), time);
    }

    /** As {@link #deleteEventsBefore(String, Instant)}. */
    public CompletionStage<Done> deleteEventsBefore(Source<String, ?> persistenceIds, Instant time) {
        return cleanups.deleteEventsBefore(persistenceIds, time);
    }

    /**
     * Deletes all events.
     *
     * @param resetSequenceNumber true: the next event has sequence number 1. false: it has the next one.
     */
    public CompletionStage<Done> deleteAllEvents(String persistenceId, boolean resetSequenceNumber) {
        return deleteAllEvents(Source.single(persistenceId), resetSequenceNumber);
    }

    /** As {@link #deleteAllEvents(String, boolean)}. */
    public CompletionStage<Done> deleteAllEvents(List<String> persistenceIds, boolean resetSequenceNumber) {
        return deleteAllEvents(Source.from(persistenceIds), resetSequenceNumber);
    }

    /** As {@link #deleteAllEvents(String, boolean)}. */
    public CompletionStage<Done> deleteAllEvents(Source<String, ?> persistenceIds, boolean resetSequenceNumber) {
        return cleanups.deleteAllEvents(persistenceIds, resetSequenceNumber);
    }

    /** Deletes all snapshots of a persistence id. */
    public CompletionStage<Done> deleteSnapshot(String persistenceId) {
        return deleteSnapshots(Source.single(persistenceId));
    }

    /** As {@link #deleteSnapshot(String)}. */
    public CompletionStage<Done> deleteSnapshots(List<String> persistenceIds) {
        return deleteSnapshots(Source.from(persistenceIds));
    }

    /** As {@link #deleteSnapshot(String)}. */
    public CompletionStage<Done> deleteSnapshots(Source<String, ?> persistenceIds) {
        return cleanups.deleteSnapshots(persistenceIds);
    }

    /**
     * Deletes what the newest snapshot makes superfluous: the events up to its sequence number, inclusive, and older
     * snapshots. Without a snapshot it does nothing.
     */
    public CompletionStage<Done> cleanupBeforeSnapshot(String persistenceId) {
        return cleanupBeforeSnapshot(Source.single(persistenceId));
    }

    /** As {@link #cleanupBeforeSnapshot(String)}. */
    public CompletionStage<Done> cleanupBeforeSnapshot(List<String> persistenceIds) {
        return cleanupBeforeSnapshot(Source.from(persistenceIds));
    }

    /** As {@link #cleanupBeforeSnapshot(String)}. */
    public CompletionStage<Done> cleanupBeforeSnapshot(Source<String, ?> persistenceIds) {
        return cleanups.deleteBeforeSnapshot(persistenceIds);
    }

    /**
     * Deletes all events and then all snapshots.
     *
     * @param resetSequenceNumber true: the next event has sequence number 1. false: it has the next one.
     */
    public CompletionStage<Done> deleteAll(String persistenceId, boolean resetSequenceNumber) {
        return deleteAll(Source.single(persistenceId), resetSequenceNumber);
    }

    /** As {@link #deleteAll(String, boolean)}. */
    public CompletionStage<Done> deleteAll(List<String> persistenceIds, boolean resetSequenceNumber) {
        return deleteAll(Source.from(persistenceIds), resetSequenceNumber);
    }

    /** As {@link #deleteAll(String, boolean)}. */
    public CompletionStage<Done> deleteAll(Source<String, ?> persistenceIds, boolean resetSequenceNumber) {
        return cleanups.deleteAll(persistenceIds, resetSequenceNumber);
    }

    /**
     * Lets the events up to a sequence number expire at a time, inclusive: from then on they are deleted. On the layouts {@code
     * commits} and {@code akka2}; the stage fails with {@link UnsupportedOperationException} on the others.
     */
    public CompletionStage<Done> setExpiryForEvents(String persistenceId, long toSequenceNr, Instant expiry) {
        return cleanups.setExpiryForEvents(persistenceId, toSequenceNr, expiry);
    }

    /** As {@link #setExpiryForEvents(String, long, Instant)}, after a time from now. */
    public CompletionStage<Done> setExpiryForEvents(String persistenceId, long toSequenceNr, Duration timeToLive) {
        return setExpiryForEvents(persistenceId, toSequenceNr, Instant.now().plus(timeToLive));
    }

    /** Lets all events expire, and the sequence number with them if it is to be reset. */
    public CompletionStage<Done> setExpiryForAllEvents(
            String persistenceId, boolean resetSequenceNumber, Instant expiry) {
        return setExpiryForAllEvents(Source.single(persistenceId), resetSequenceNumber, expiry);
    }

    /** As {@link #setExpiryForAllEvents(String, boolean, Instant)}, after a time from now. */
    public CompletionStage<Done> setExpiryForAllEvents(
            String persistenceId, boolean resetSequenceNumber, Duration timeToLive) {
        return setExpiryForAllEvents(
                persistenceId, resetSequenceNumber, Instant.now().plus(timeToLive));
    }

    /** As {@link #setExpiryForAllEvents(String, boolean, Instant)}. */
    public CompletionStage<Done> setExpiryForAllEvents(
            List<String> persistenceIds, boolean resetSequenceNumber, Instant expiry) {
        return setExpiryForAllEvents(Source.from(persistenceIds), resetSequenceNumber, expiry);
    }

    /** As {@link #setExpiryForAllEvents(String, boolean, Instant)}, after a time from now. */
    public CompletionStage<Done> setExpiryForAllEvents(
            List<String> persistenceIds, boolean resetSequenceNumber, Duration timeToLive) {
        return setExpiryForAllEvents(
                persistenceIds, resetSequenceNumber, Instant.now().plus(timeToLive));
    }

    /** As {@link #setExpiryForAllEvents(String, boolean, Instant)}. */
    public CompletionStage<Done> setExpiryForAllEvents(
            Source<String, ?> persistenceIds, boolean resetSequenceNumber, Instant expiry) {
        return cleanups.setExpiryForAllEvents(persistenceIds, resetSequenceNumber, expiry);
    }

    /** As {@link #setExpiryForAllEvents(String, boolean, Instant)}, after a time from now. */
    public CompletionStage<Done> setExpiryForAllEvents(
            Source<String, ?> persistenceIds, boolean resetSequenceNumber, Duration timeToLive) {
        return setExpiryForAllEvents(
                persistenceIds, resetSequenceNumber, Instant.now().plus(timeToLive));
    }

    /** Lets all snapshots of a persistence id expire. */
    public CompletionStage<Done> setExpiryForSnapshot(String persistenceId, Instant expiry) {
        return setExpiryForSnapshots(Source.single(persistenceId), expiry);
    }

    /** As {@link #setExpiryForSnapshot(String, Instant)}, after a time from now. */
    public CompletionStage<Done> setExpiryForSnapshot(String persistenceId, Duration timeToLive) {
        return setExpiryForSnapshot(persistenceId, Instant.now().plus(timeToLive));
    }

    /** As {@link #setExpiryForSnapshot(String, Instant)}. */
    public CompletionStage<Done> setExpiryForSnapshots(List<String> persistenceIds, Instant expiry) {
        return setExpiryForSnapshots(Source.from(persistenceIds), expiry);
    }

    /** As {@link #setExpiryForSnapshot(String, Instant)}, after a time from now. */
    public CompletionStage<Done> setExpiryForSnapshots(List<String> persistenceIds, Duration timeToLive) {
        return setExpiryForSnapshots(persistenceIds, Instant.now().plus(timeToLive));
    }

    /** As {@link #setExpiryForSnapshot(String, Instant)}. */
    public CompletionStage<Done> setExpiryForSnapshots(Source<String, ?> persistenceIds, Instant expiry) {
        return cleanups.setExpiryForSnapshots(persistenceIds, expiry);
    }

    /** As {@link #setExpiryForSnapshot(String, Instant)}, after a time from now. */
    public CompletionStage<Done> setExpiryForSnapshots(Source<String, ?> persistenceIds, Duration timeToLive) {
        return setExpiryForSnapshots(persistenceIds, Instant.now().plus(timeToLive));
    }

    /** Lets the events up to the newest snapshot expire, inclusive, and older snapshots. */
    public CompletionStage<Done> setExpiryForEventsBeforeSnapshot(String persistenceId, Instant expiry) {
        return setExpiryForEventsBeforeSnapshots(Source.single(persistenceId), expiry);
    }

    /** As {@link #setExpiryForEventsBeforeSnapshot(String, Instant)}, after a time from now. */
    public CompletionStage<Done> setExpiryForEventsBeforeSnapshot(String persistenceId, Duration timeToLive) {
        return setExpiryForEventsBeforeSnapshot(persistenceId, Instant.now().plus(timeToLive));
    }

    /** As {@link #setExpiryForEventsBeforeSnapshot(String, Instant)}. */
    public CompletionStage<Done> setExpiryForEventsBeforeSnapshots(List<String> persistenceIds, Instant expiry) {
        return setExpiryForEventsBeforeSnapshots(Source.from(persistenceIds), expiry);
    }

    /** As {@link #setExpiryForEventsBeforeSnapshot(String, Instant)}, after a time from now. */
    public CompletionStage<Done> setExpiryForEventsBeforeSnapshots(List<String> persistenceIds, Duration timeToLive) {
        return setExpiryForEventsBeforeSnapshots(persistenceIds, Instant.now().plus(timeToLive));
    }

    /** As {@link #setExpiryForEventsBeforeSnapshot(String, Instant)}. */
    public CompletionStage<Done> setExpiryForEventsBeforeSnapshots(Source<String, ?> persistenceIds, Instant expiry) {
        return cleanups.setExpiryForEventsBeforeSnapshots(persistenceIds, expiry);
    }

    /** As {@link #setExpiryForEventsBeforeSnapshot(String, Instant)}, after a time from now. */
    public CompletionStage<Done> setExpiryForEventsBeforeSnapshots(
            Source<String, ?> persistenceIds, Duration timeToLive) {
        return setExpiryForEventsBeforeSnapshots(persistenceIds, Instant.now().plus(timeToLive));
    }

    /** Lets all events and all snapshots expire. */
    public CompletionStage<Done> setExpiryForAllEventsAndSnapshot(
            String persistenceId, boolean resetSequenceNumber, Instant expiry) {
        return setExpiryForAllEventsAndSnapshots(Source.single(persistenceId), resetSequenceNumber, expiry);
    }

    /** As {@link #setExpiryForAllEventsAndSnapshot(String, boolean, Instant)}, after a time from now. */
    public CompletionStage<Done> setExpiryForAllEventsAndSnapshot(
            String persistenceId, boolean resetSequenceNumber, Duration timeToLive) {
        return setExpiryForAllEventsAndSnapshot(
                persistenceId, resetSequenceNumber, Instant.now().plus(timeToLive));
    }

    /** As {@link #setExpiryForAllEventsAndSnapshot(String, boolean, Instant)}. */
    public CompletionStage<Done> setExpiryForAllEventsAndSnapshots(
            List<String> persistenceIds, boolean resetSequenceNumber, Instant expiry) {
        return setExpiryForAllEventsAndSnapshots(Source.from(persistenceIds), resetSequenceNumber, expiry);
    }

    /** As {@link #setExpiryForAllEventsAndSnapshot(String, boolean, Instant)}, after a time from now. */
    public CompletionStage<Done> setExpiryForAllEventsAndSnapshots(
            List<String> persistenceIds, boolean resetSequenceNumber, Duration timeToLive) {
        return setExpiryForAllEventsAndSnapshots(
                persistenceIds, resetSequenceNumber, Instant.now().plus(timeToLive));
    }

    /** As {@link #setExpiryForAllEventsAndSnapshot(String, boolean, Instant)}. */
    public CompletionStage<Done> setExpiryForAllEventsAndSnapshots(
            Source<String, ?> persistenceIds, boolean resetSequenceNumber, Instant expiry) {
        return cleanups.setExpiryForAllEventsAndSnapshots(persistenceIds, resetSequenceNumber, expiry);
    }

    /** As {@link #setExpiryForAllEventsAndSnapshot(String, boolean, Instant)}, after a time from now. */
    public CompletionStage<Done> setExpiryForAllEventsAndSnapshots(
            Source<String, ?> persistenceIds, boolean resetSequenceNumber, Duration timeToLive) {
        return setExpiryForAllEventsAndSnapshots(
                persistenceIds, resetSequenceNumber, Instant.now().plus(timeToLive));
    }
}
