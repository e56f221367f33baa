package io.dynajournal.cleanup.scaladsl;

import akka.Done;
import akka.NotUsed;
import akka.actor.ClassicActorSystemProvider;
import akka.stream.scaladsl.Source;
import io.dynajournal.internal.cleanup.EventSourcedCleanups;
import io.dynajournal.internal.toolkit.ScalaFutures;
import java.time.Instant;
import scala.Function1;
import scala.collection.immutable.Seq;
import scala.concurrent.Future;
import scala.concurrent.duration.FiniteDuration;

/**
 * The Scala form of {@link io.dynajournal.cleanup.javadsl.EventSourcedCleanup}. Thread-safe.
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
    public EventSourcedCleanup withProgress(Function1<String, ?> onCleaned) {
        return new EventSourcedCleanup(cleanups.reporting(onCleaned::apply));
    }

    /** All persistence ids of the journal, also those whose events are deleted as long as their sequence number is kept. */
    public Source<String, NotUsed> persistenceIds() {
        return cleanups.ids(null).asScala();
    }

    /** The persistence ids of one entity type, such as {@code ShoppingCart} of {@code ShoppingCart|cart-7}. */
    public Source<String, NotUsed> persistenceIds(String entityType) {
        return cleanups.ids(entityType).asScala();
    }

    /** Deletes the events up to a sequence number, inclusive. */
    public Future<Done> deleteEventsTo(String persistenceId, long toSequenceNr) {
        return ScalaFutures.asScala(cleanups.deleteEventsTo(persistenceId, toSequenceNr));
    }

    /** Deletes the events that were written before a time. Reads the events to find the last of them. */
    public Future<Done> deleteEventsBefore(String persistenceId, Instant time) {
        return deleteEventsBefore(Source.single(persistenceId), time);
    }

    /** As {@link #deleteEventsBefore(String, Instant)}. */
    public Future<Done> deleteEventsBefore(Seq<String> persistenceIds, Instant time) {
        return deleteEventsBefore(Source.apply(persistenceIds), time);
    }

    /** As {@link #deleteEventsBefore(String, Instant)}. */
    public Future<Done> deleteEventsBefore(Source<String, ?> persistenceIds, Instant time) {
        return ScalaFutures.asScala(cleanups.deleteEventsBefore(persistenceIds.asJava(), time));
    }

    /**
     * Deletes all events.
     *
     * @param resetSequenceNumber true: the next event has sequence number 1. false: it has the next one.
     */
    public Future<Done> deleteAllEvents(String persistenceId, boolean resetSequenceNumber) {
        return deleteAllEvents(Source.single(persistenceId), resetSequenceNumber);
    }

    /** As {@link #deleteAllEvents(String, boolean)}. */
    public Future<Done> deleteAllEvents(Seq<String> persistenceIds, boolean resetSequenceNumber) {
        return deleteAllEvents(Source.apply(persistenceIds), resetSequenceNumber);
    }

    /** As {@link #deleteAllEvents(String, boolean)}. */
    public Future<Done> deleteAllEvents(Source<String, ?> persistenceIds, boolean resetSequenceNumber) {
        return ScalaFutures.asScala(cleanups.deleteAllEvents(persistenceIds.asJava(), resetSequenceNumber));
    }

    /** Deletes all snapshots of a persistence id. */
    public Future<Done> deleteSnapshot(String persistenceId) {
        return deleteSnapshots(Source.single(persistenceId));
    }

    /** As {@link #deleteSnapshot(String)}. */
    public Future<Done> deleteSnapshots(Seq<String> persistenceIds) {
        return deleteSnapshots(Source.apply(persistenceIds));
    }

    /** As {@link #deleteSnapshot(String)}. */
    public Future<Done> deleteSnapshots(Source<String, ?> persistenceIds) {
        return ScalaFutures.asScala(cleanups.deleteSnapshots(persistenceIds.asJava()));
    }

    /**
     * Deletes what the newest snapshot makes superfluous: the events up to its sequence number, inclusive, and older
     * snapshots. Without a snapshot it does nothing.
     */
    public Future<Done> cleanupBeforeSnapshot(String persistenceId) {
        return cleanupBeforeSnapshot(Source.single(persistenceId));
    }

    /** As {@link #cleanupBeforeSnapshot(String)}. */
    public Future<Done> cleanupBeforeSnapshot(Seq<String> persistenceIds) {
        return cleanupBeforeSnapshot(Source.apply(persistenceIds));
    }

    /** As {@link #cleanupBeforeSnapshot(String)}. */
    public Future<Done> cleanupBeforeSnapshot(Source<String, ?> persistenceIds) {
        return ScalaFutures.asScala(cleanups.deleteBeforeSnapshot(persistenceIds.asJava()));
    }

    /**
     * Deletes all events and then all snapshots.
     *
     * @param resetSequenceNumber true: the next event has sequence number 1. false: it has the next one.
     */
    public Future<Done> deleteAll(String persistenceId, boolean resetSequenceNumber) {
        return deleteAll(Source.single(persistenceId), resetSequenceNumber);
    }

    /** As {@link #deleteAll(String, boolean)}. */
    public Future<Done> deleteAll(Seq<String> persistenceIds, boolean resetSequenceNumber) {
        return deleteAll(Source.apply(persistenceIds), resetSequenceNumber);
    }

    /** As {@link #deleteAll(String, boolean)}. */
    public Future<Done> deleteAll(Source<String, ?> persistenceIds, boolean resetSequenceNumber) {
        return ScalaFutures.asScala(cleanups.deleteAll(persistenceIds.asJava(), resetSequenceNumber));
    }

    /**
     * Lets the events up to a sequence number expire at a time, inclusive: from then on they are deleted. On the layouts {@code
     * commits} and {@code akka2}; the stage fails with {@link UnsupportedOperationException} on the others.
     */
    public Future<Done> setExpiryForEvents(String persistenceId, long toSequenceNr, Instant expiry) {
        return ScalaFutures.asScala(cleanups.setExpiryForEvents(persistenceId, toSequenceNr, expiry));
    }

    /** As {@link #setExpiryForEvents(String, long, Instant)}, after a time from now. */
    public Future<Done> setExpiryForEvents(String persistenceId, long toSequenceNr, FiniteDuration timeToLive) {
        return setExpiryForEvents(persistenceId, toSequenceNr, Instant.now().plusNanos(timeToLive.toNanos()));
    }

    /** Lets all events expire, and the sequence number with them if it is to be reset. */
    public Future<Done> setExpiryForAllEvents(String persistenceId, boolean resetSequenceNumber, Instant expiry) {
        return setExpiryForAllEvents(Source.single(persistenceId), resetSequenceNumber, expiry);
    }

    /** As {@link #setExpiryForAllEvents(String, boolean, Instant)}, after a time from now. */
    public Future<Done> setExpiryForAllEvents(
            String persistenceId, boolean resetSequenceNumber, FiniteDuration timeToLive) {
        return setExpiryForAllEvents(
                persistenceId, resetSequenceNumber, Instant.now().plusNanos(timeToLive.toNanos()));
    }

    /** As {@link #setExpiryForAllEvents(String, boolean, Instant)}. */
    public Future<Done> setExpiryForAllEvents(Seq<String> persistenceIds, boolean resetSequenceNumber, Instant expiry) {
        return setExpiryForAllEvents(Source.apply(persistenceIds), resetSequenceNumber, expiry);
    }

    /** As {@link #setExpiryForAllEvents(String, boolean, Instant)}, after a time from now. */
    public Future<Done> setExpiryForAllEvents(
            Seq<String> persistenceIds, boolean resetSequenceNumber, FiniteDuration timeToLive) {
        return setExpiryForAllEvents(
                persistenceIds, resetSequenceNumber, Instant.now().plusNanos(timeToLive.toNanos()));
    }

    /** As {@link #setExpiryForAllEvents(String, boolean, Instant)}. */
    public Future<Done> setExpiryForAllEvents(
            Source<String, ?> persistenceIds, boolean resetSequenceNumber, Instant expiry) {
        return ScalaFutures.asScala(
                cleanups.setExpiryForAllEvents(persistenceIds.asJava(), resetSequenceNumber, expiry));
    }

    /** As {@link #setExpiryForAllEvents(String, boolean, Instant)}, after a time from now. */
    public Future<Done> setExpiryForAllEvents(
            Source<String, ?> persistenceIds, boolean resetSequenceNumber, FiniteDuration timeToLive) {
        return setExpiryForAllEvents(
                persistenceIds, resetSequenceNumber, Instant.now().plusNanos(timeToLive.toNanos()));
    }

    /** Lets all snapshots of a persistence id expire. */
    public Future<Done> setExpiryForSnapshot(String persistenceId, Instant expiry) {
        return setExpiryForSnapshots(Source.single(persistenceId), expiry);
    }

    /** As {@link #setExpiryForSnapshot(String, Instant)}, after a time from now. */
    public Future<Done> setExpiryForSnapshot(String persistenceId, FiniteDuration timeToLive) {
        return setExpiryForSnapshot(persistenceId, Instant.now().plusNanos(timeToLive.toNanos()));
    }

    /** As {@link #setExpiryForSnapshot(String, Instant)}. */
    public Future<Done> setExpiryForSnapshots(Seq<String> persistenceIds, Instant expiry) {
        return setExpiryForSnapshots(Source.apply(persistenceIds), expiry);
    }

    /** As {@link #setExpiryForSnapshot(String, Instant)}, after a time from now. */
    public Future<Done> setExpiryForSnapshots(Seq<String> persistenceIds, FiniteDuration timeToLive) {
        return setExpiryForSnapshots(persistenceIds, Instant.now().plusNanos(timeToLive.toNanos()));
    }

    /** As {@link #setExpiryForSnapshot(String, Instant)}. */
    public Future<Done> setExpiryForSnapshots(Source<String, ?> persistenceIds, Instant expiry) {
        return ScalaFutures.asScala(cleanups.setExpiryForSnapshots(persistenceIds.asJava(), expiry));
    }

    /** As {@link #setExpiryForSnapshot(String, Instant)}, after a time from now. */
    public Future<Done> setExpiryForSnapshots(Source<String, ?> persistenceIds, FiniteDuration timeToLive) {
        return setExpiryForSnapshots(persistenceIds, Instant.now().plusNanos(timeToLive.toNanos()));
    }

    /** Lets the events up to the newest snapshot expire, inclusive, and older snapshots. */
    public Future<Done> setExpiryForEventsBeforeSnapshot(String persistenceId, Instant expiry) {
        return setExpiryForEventsBeforeSnapshots(Source.single(persistenceId), expiry);
    }

    /** As {@link #setExpiryForEventsBeforeSnapshot(String, Instant)}, after a time from now. */
    public Future<Done> setExpiryForEventsBeforeSnapshot(String persistenceId, FiniteDuration timeToLive) {
        return setExpiryForEventsBeforeSnapshot(persistenceId, Instant.now().plusNanos(timeToLive.toNanos()));
    }

    /** As {@link #setExpiryForEventsBeforeSnapshot(String, Instant)}. */
    public Future<Done> setExpiryForEventsBeforeSnapshots(Seq<String> persistenceIds, Instant expiry) {
        return setExpiryForEventsBeforeSnapshots(Source.apply(persistenceIds), expiry);
    }

    /** As {@link #setExpiryForEventsBeforeSnapshot(String, Instant)}, after a time from now. */
    public Future<Done> setExpiryForEventsBeforeSnapshots(Seq<String> persistenceIds, FiniteDuration timeToLive) {
        return setExpiryForEventsBeforeSnapshots(persistenceIds, Instant.now().plusNanos(timeToLive.toNanos()));
    }

    /** As {@link #setExpiryForEventsBeforeSnapshot(String, Instant)}. */
    public Future<Done> setExpiryForEventsBeforeSnapshots(Source<String, ?> persistenceIds, Instant expiry) {
        return ScalaFutures.asScala(cleanups.setExpiryForEventsBeforeSnapshots(persistenceIds.asJava(), expiry));
    }

    /** As {@link #setExpiryForEventsBeforeSnapshot(String, Instant)}, after a time from now. */
    public Future<Done> setExpiryForEventsBeforeSnapshots(Source<String, ?> persistenceIds, FiniteDuration timeToLive) {
        return setExpiryForEventsBeforeSnapshots(persistenceIds, Instant.now().plusNanos(timeToLive.toNanos()));
    }

    /** Lets all events and all snapshots expire. */
    public Future<Done> setExpiryForAllEventsAndSnapshot(
            String persistenceId, boolean resetSequenceNumber, Instant expiry) {
        return setExpiryForAllEventsAndSnapshots(Source.single(persistenceId), resetSequenceNumber, expiry);
    }

    /** As {@link #setExpiryForAllEventsAndSnapshot(String, boolean, Instant)}, after a time from now. */
    public Future<Done> setExpiryForAllEventsAndSnapshot(
            String persistenceId, boolean resetSequenceNumber, FiniteDuration timeToLive) {
        return setExpiryForAllEventsAndSnapshot(
                persistenceId, resetSequenceNumber, Instant.now().plusNanos(timeToLive.toNanos()));
    }

    /** As {@link #setExpiryForAllEventsAndSnapshot(String, boolean, Instant)}. */
    public Future<Done> setExpiryForAllEventsAndSnapshots(
            Seq<String> persistenceIds, boolean resetSequenceNumber, Instant expiry) {
        return setExpiryForAllEventsAndSnapshots(Source.apply(persistenceIds), resetSequenceNumber, expiry);
    }

    /** As {@link #setExpiryForAllEventsAndSnapshot(String, boolean, Instant)}, after a time from now. */
    public Future<Done> setExpiryForAllEventsAndSnapshots(
            Seq<String> persistenceIds, boolean resetSequenceNumber, FiniteDuration timeToLive) {
        return setExpiryForAllEventsAndSnapshots(
                persistenceIds, resetSequenceNumber, Instant.now().plusNanos(timeToLive.toNanos()));
    }

    /** As {@link #setExpiryForAllEventsAndSnapshot(String, boolean, Instant)}. */
    public Future<Done> setExpiryForAllEventsAndSnapshots(
            Source<String, ?> persistenceIds, boolean resetSequenceNumber, Instant expiry) {
        return ScalaFutures.asScala(
                cleanups.setExpiryForAllEventsAndSnapshots(persistenceIds.asJava(), resetSequenceNumber, expiry));
    }

    /** As {@link #setExpiryForAllEventsAndSnapshot(String, boolean, Instant)}, after a time from now. */
    public Future<Done> setExpiryForAllEventsAndSnapshots(
            Source<String, ?> persistenceIds, boolean resetSequenceNumber, FiniteDuration timeToLive) {
        return setExpiryForAllEventsAndSnapshots(
                persistenceIds, resetSequenceNumber, Instant.now().plusNanos(timeToLive.toNanos()));
    }
}
