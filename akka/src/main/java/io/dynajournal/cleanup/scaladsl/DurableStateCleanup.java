package io.dynajournal.cleanup.scaladsl;

import akka.Done;
import akka.NotUsed;
import akka.actor.ClassicActorSystemProvider;
import akka.stream.scaladsl.Source;
import io.dynajournal.internal.cleanup.DurableStateCleanups;
import io.dynajournal.internal.toolkit.ScalaFutures;
import java.time.Instant;
import scala.Function1;
import scala.collection.immutable.Seq;
import scala.concurrent.Future;
import scala.concurrent.duration.FiniteDuration;

/**
 * The Scala form of {@link io.dynajournal.cleanup.javadsl.DurableStateCleanup}. Thread-safe.
 */
public final class DurableStateCleanup {

    private final DurableStateCleanups cleanups;

    private DurableStateCleanup(DurableStateCleanups cleanups) {
        this.cleanups = cleanups;
    }

    /** With the settings in {@code dynajournal.cleanup}. */
    public DurableStateCleanup(ClassicActorSystemProvider system) {
        this(system, "dynajournal.cleanup");
    }

    /**
     * With the settings of another block: a copy of {@code dynajournal.cleanup}.
     *
     * @throws io.dynajournal.exception.SettingsException if a setting of the block is wrong
     */
    public DurableStateCleanup(ClassicActorSystemProvider system, String configPath) {
        this(DurableStateCleanups.of(system, configPath));
    }

    /**
     * The same with a callback.
     *
     * @param onCleaned called with each persistence id after it was cleaned up, one call after another and in no particular
     *     order. If it throws, the clean-up fails.
     */
    public DurableStateCleanup withProgress(Function1<String, ?> onCleaned) {
        return new DurableStateCleanup(cleanups.reporting(onCleaned::apply));
    }

    /** All persistence ids of the table, also of deleted states that have a tombstone. Reads the whole table. */
    public Source<String, NotUsed> persistenceIds() {
        return cleanups.ids(null).asScala();
    }

    /** As {@link #persistenceIds()}, for one entity type. */
    public Source<String, NotUsed> persistenceIds(String entityType) {
        return cleanups.ids(entityType).asScala();
    }

    /**
     * Deletes the state.
     *
     * @param resetRevision true: nothing is kept, and the next state has revision 1. false: a tombstone keeps the revision.
     */
    public Future<Done> deleteState(String persistenceId, boolean resetRevision) {
        return deleteStates(Source.single(persistenceId), resetRevision);
    }

    /** As {@link #deleteState(String, boolean)}. */
    public Future<Done> deleteStates(Seq<String> persistenceIds, boolean resetRevision) {
        return deleteStates(Source.apply(persistenceIds), resetRevision);
    }

    /** As {@link #deleteState(String, boolean)}. */
    public Future<Done> deleteStates(Source<String, ?> persistenceIds, boolean resetRevision) {
        return ScalaFutures.asScala(cleanups.deleteStates(persistenceIds.asJava(), resetRevision));
    }

    /** Deletes the states that have not changed since a time. A tombstone keeps the revision. */
    public Future<Done> deleteStatesBefore(Seq<String> persistenceIds, Instant time) {
        return deleteStatesBefore(Source.apply(persistenceIds), time);
    }

    /** As {@link #deleteStatesBefore(Seq, Instant)}. */
    public Future<Done> deleteStatesBefore(Source<String, ?> persistenceIds, Instant time) {
        return ScalaFutures.asScala(cleanups.deleteStatesBefore(persistenceIds.asJava(), time));
    }

    /** Removes the tombstones of deleted states; states that are not deleted stay. The next state has revision 1. */
    public Future<Done> deleteTombstones(Seq<String> persistenceIds) {
        return deleteTombstones(Source.apply(persistenceIds));
    }

    /** As {@link #deleteTombstones(Seq)}. */
    public Future<Done> deleteTombstones(Source<String, ?> persistenceIds) {
        return ScalaFutures.asScala(cleanups.deleteTombstones(persistenceIds.asJava()));
    }

    /**
     * Lets a state expire at a time: from then on it is deleted, and its revision is kept until DynamoDB removes it. A later
     * change of the state does not expire. On the layout {@code commits}; the stage fails with {@link
     * UnsupportedOperationException} on the others.
     */
    public Future<Done> setExpiryForState(String persistenceId, Instant expiry) {
        return setExpiryForStates(Source.single(persistenceId), expiry);
    }

    /** As {@link #setExpiryForState(String, Instant)}, after a time from now. */
    public Future<Done> setExpiryForState(String persistenceId, FiniteDuration timeToLive) {
        return setExpiryForState(persistenceId, Instant.now().plusNanos(timeToLive.toNanos()));
    }

    /** As {@link #setExpiryForState(String, Instant)}. */
    public Future<Done> setExpiryForStates(Seq<String> persistenceIds, Instant expiry) {
        return setExpiryForStates(Source.apply(persistenceIds), expiry);
    }

    /** As {@link #setExpiryForState(String, Instant)}. */
    public Future<Done> setExpiryForStates(Source<String, ?> persistenceIds, Instant expiry) {
        return ScalaFutures.asScala(cleanups.setExpiryForStates(persistenceIds.asJava(), expiry));
    }
}
