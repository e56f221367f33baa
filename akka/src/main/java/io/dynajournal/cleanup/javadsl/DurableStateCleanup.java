package io.dynajournal.cleanup.javadsl;

import akka.Done;
import akka.NotUsed;
import akka.actor.ClassicActorSystemProvider;
import akka.stream.javadsl.Source;
import io.dynajournal.internal.cleanup.DurableStateCleanups;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/**
 * Deletes durable states of entities, of one, of a list or of a stream of them. {@code docs/cleanup.md} has the details.
 *
 * <p>Every operation may be run again, from the start, after a failure or a crash. It ends at the first persistence id that
 * fails. An entity that runs is stopped: its next write is rejected, because its state is no longer the one that it knew.
 *
 * <p>For classic and typed actor systems. Thread-safe.
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
    public DurableStateCleanup withProgress(Consumer<String> onCleaned) {
        return new DurableStateCleanup(cleanups.reporting(onCleaned));
    }

    /** All persistence ids of the table, also of deleted states that have a tombstone. Reads the whole table. */
    public Source<String, NotUsed> persistenceIds() {
        return cleanups.ids(null);
    }

    /** As {@link #persistenceIds()}, for one entity type. */
    public Source<String, NotUsed> persistenceIds(String entityType) {
        return cleanups.ids(entityType);
    }

    /**
     * Deletes the state.
     *
     * @param resetRevision true: nothing is kept, and the next state has revision 1. false: a tombstone keeps the revision.
     */
    public CompletionStage<Done> deleteState(String persistenceId, boolean resetRevision) {
        return deleteStates(Source.single(persistenceId), resetRevision);
    }

    /** As {@link #deleteState(String, boolean)}. */
    public CompletionStage<Done> deleteStates(List<String> persistenceIds, boolean resetRevision) {
        return deleteStates(Source.from(persistenceIds), resetRevision);
    }

    /** As {@link #deleteState(String, boolean)}. */
    public CompletionStage<Done> deleteStates(Source<String, ?> persistenceIds, boolean resetRevision) {
        return cleanups.deleteStates(persistenceIds, resetRevision);
    }

    /** Deletes the states that have not changed since a time. A tombstone keeps the revision. */
    public CompletionStage<Done> deleteStatesBefore(List<String> persistenceIds, Instant time) {
        return deleteStatesBefore(Source.from(persistenceIds), time);
    }

    /** As {@link #deleteStatesBefore(List, Instant)}. */
    public CompletionStage<Done> deleteStatesBefore(Source<String, ?> persistenceIds, Instant time) {
        return cleanups.deleteStatesBefore(persistenceIds, time);
    }

    /** Removes the tombstones of deleted states; states that are not deleted stay. The next state has revision 1. */
    public CompletionStage<Done> deleteTombstones(List<String> persistenceIds) {
        return deleteTombstones(Source.from(persistenceIds));
    }

    /** As {@link #deleteTombstones(List)}. */
    public CompletionStage<Done> deleteTombstones(Source<String, ?> persistenceIds) {
        return cleanups.deleteTombstones(persistenceIds);
    }

    /**
     * Lets a state expire at a time: from then on it is deleted, and its revision is kept until DynamoDB removes it. A later
     * change of the state does not expire. On the layout {@code commits}; the stage fails with {@link
     * UnsupportedOperationException} on the others.
     */
    public CompletionStage<Done> setExpiryForState(String persistenceId, Instant expiry) {
        return setExpiryForStates(Source.single(persistenceId), expiry);
    }

    /** As {@link #setExpiryForState(String, Instant)}, after a time from now. */
    public CompletionStage<Done> setExpiryForState(String persistenceId, Duration timeToLive) {
        return setExpiryForState(persistenceId, Instant.now().plus(timeToLive));
    }

    /** As {@link #setExpiryForState(String, Instant)}. */
    public CompletionStage<Done> setExpiryForStates(List<String> persistenceIds, Instant expiry) {
        return setExpiryForStates(Source.from(persistenceIds), expiry);
    }

    /** As {@link #setExpiryForState(String, Instant)}. */
    public CompletionStage<Done> setExpiryForStates(Source<String, ?> persistenceIds, Instant expiry) {
        return cleanups.setExpiryForStates(persistenceIds, expiry);
    }
}
