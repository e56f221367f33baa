package io.dynajournal.query.javadsl;

import akka.NotUsed;
import akka.actor.ExtendedActorSystem;
import akka.japi.Pair;
import akka.persistence.Persistence;
import akka.persistence.query.EventEnvelope;
import akka.persistence.query.Offset;
import akka.persistence.query.javadsl.CurrentEventsByPersistenceIdQuery;
import akka.persistence.query.javadsl.CurrentEventsByTagQuery;
import akka.persistence.query.javadsl.CurrentPersistenceIdsQuery;
import akka.persistence.query.javadsl.EventsByPersistenceIdQuery;
import akka.persistence.query.javadsl.EventsByTagQuery;
import akka.persistence.query.javadsl.PagedPersistenceIdsQuery;
import akka.persistence.query.javadsl.PersistenceIdsQuery;
import akka.persistence.query.javadsl.ReadJournal;
import akka.persistence.query.typed.javadsl.CurrentEventsBySliceQuery;
import akka.persistence.query.typed.javadsl.EventTimestampQuery;
import akka.persistence.query.typed.javadsl.EventsBySliceQuery;
import akka.persistence.query.typed.javadsl.LoadEventQuery;
import akka.stream.javadsl.Source;
import io.dynajournal.query.Queries;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * Queries on the events of a journal, by {@code getReadJournalFor(DynajournalReadJournal.class,
 * DynajournalReadJournal.IDENTIFIER)}. {@code docs/queries.md} has what each of them promises and costs. Thread-safe.
 */
public class DynajournalReadJournal
        implements ReadJournal,
                EventsByPersistenceIdQuery,
                CurrentEventsByPersistenceIdQuery,
                EventsBySliceQuery,
                CurrentEventsBySliceQuery,
                EventsByTagQuery,
                CurrentEventsByTagQuery,
                PersistenceIdsQuery,
                CurrentPersistenceIdsQuery,
                PagedPersistenceIdsQuery,
                EventTimestampQuery,
                LoadEventQuery {

    /** The plugin id of the block with the defaults. */
    public static final String IDENTIFIER = "dynajournal.query";

    private final Persistence persistence;
    private final Queries queries;

    /** Made by the plugin's provider. */
    public DynajournalReadJournal(ExtendedActorSystem system, Queries queries) {
        this.persistence = Persistence.get(system);
        this.queries = queries;
    }

    /** The events of an id and those to come, consistently, each event of an atomic write by itself. */
    @Override
    public Source<EventEnvelope, NotUsed> eventsByPersistenceId(
            String persistenceId, long fromSequenceNr, long toSequenceNr) {
        return queries.byId(persistenceId, fromSequenceNr, toSequenceNr, true);
    }

    /** The events of an id that are there now, consistently. */
    @Override
    public Source<EventEnvelope, NotUsed> currentEventsByPersistenceId(
            String persistenceId, long fromSequenceNr, long toSequenceNr) {
        return queries.byId(persistenceId, fromSequenceNr, toSequenceNr, false);
    }

    /** The same as {@link #eventsByPersistenceId} in the newer envelopes. */
    public <E> Source<akka.persistence.query.typed.EventEnvelope<E>, NotUsed> eventsByPersistenceIdTyped(
            String persistenceId, long fromSequenceNr, long toSequenceNr) {
        return queries.byIdTyped(persistenceId, fromSequenceNr, toSequenceNr, true);
    }

    /** The same as {@link #currentEventsByPersistenceId} in the newer envelopes. */
    public <E> Source<akka.persistence.query.typed.EventEnvelope<E>, NotUsed> currentEventsByPersistenceIdTyped(
            String persistenceId, long fromSequenceNr, long toSequenceNr) {
        return queries.byIdTyped(persistenceId, fromSequenceNr, toSequenceNr, false);
    }

    /**
     * The newest snapshot of an id between two numbers, and the events behind it, and those to come; all events if there is
     * no such snapshot.
     *
     * @param transformSnapshot makes an event of the snapshot
     */
    public <S, E>
            Source<akka.persistence.query.typed.EventEnvelope<E>, NotUsed> eventsByPersistenceIdStartingFromSnapshot(
                    String persistenceId, long fromSequenceNr, long toSequenceNr, Function<S, E> transformSnapshot) {
        return queries.byIdFromSnapshot(persistenceId, fromSequenceNr, toSequenceNr, transformSnapshot, true);
    }

    /** Like {@link #eventsByPersistenceIdStartingFromSnapshot}, with the events that are there now. */
    public <S, E>
            Source<akka.persistence.query.typed.EventEnvelope<E>, NotUsed>
                    currentEventsByPersistenceIdStartingFromSnapshot(
                            String persistenceId,
                            long fromSequenceNr,
                            long toSequenceNr,
                            Function<S, E> transformSnapshot) {
        return queries.byIdFromSnapshot(persistenceId, fromSequenceNr, toSequenceNr, transformSnapshot, false);
    }

    /**
     * The events of an entity type's slices and those to come: each event once in a run, in the order of its entity.
     * Resumed from an offset, a run repeats what lies inside the trailing window before it.
     */
    @Override
    public <E> Source<akka.persistence.query.typed.EventEnvelope<E>, NotUsed> eventsBySlices(
            String entityType, int minSlice, int maxSlice, Offset offset) {
        return queries.bySlices(entityType, minSlice, maxSlice, offset, true);
    }

    /** The events of an entity type's slices that the index shows now. */
    @Override
    public <E> Source<akka.persistence.query.typed.EventEnvelope<E>, NotUsed> currentEventsBySlices(
            String entityType, int minSlice, int maxSlice, Offset offset) {
        return queries.bySlices(entityType, minSlice, maxSlice, offset, false);
    }

    /**
     * The newest snapshot of each entity of the slices, then the events behind the snapshots, and those to come; see {@link
     * #eventsBySlices}. From an offset only the snapshots that may hold events behind it. The index of the snapshot table
     * must be on.
     *
     * @param transformSnapshot makes an event of a snapshot
     */
    public <S, E> Source<akka.persistence.query.typed.EventEnvelope<E>, NotUsed> eventsBySlicesStartingFromSnapshots(
            String entityType, int minSlice, int maxSlice, Offset offset, Function<S, E> transformSnapshot) {
        return queries.bySlicesFromSnapshots(entityType, minSlice, maxSlice, offset, transformSnapshot, true);
    }

    /** Like {@link #eventsBySlicesStartingFromSnapshots}, with the events that the index shows now. */
    public <S, E>
            Source<akka.persistence.query.typed.EventEnvelope<E>, NotUsed> currentEventsBySlicesStartingFromSnapshots(
                    String entityType, int minSlice, int maxSlice, Offset offset, Function<S, E> transformSnapshot) {
        return queries.bySlicesFromSnapshots(entityType, minSlice, maxSlice, offset, transformSnapshot, false);
    }

    @Override
    public int sliceForPersistenceId(String persistenceId) {
        return persistence.sliceForPersistenceId(persistenceId);
    }

    @Override
    public List<Pair<Integer, Integer>> sliceRanges(int numberOfRanges) {
        return persistence.getSliceRanges(numberOfRanges);
    }

    /** The events with a tag, of all entity types, and those to come; like {@link #eventsBySlices}. */
    @Override
    public Source<EventEnvelope, NotUsed> eventsByTag(String tag, Offset offset) {
        return queries.byTag(tag, offset, true);
    }

    /** The events with a tag, of all entity types, that the index shows now. */
    @Override
    public Source<EventEnvelope, NotUsed> currentEventsByTag(String tag, Offset offset) {
        return queries.byTag(tag, offset, false);
    }

    /** All ids, in no order, and those to come. */
    @Override
    public Source<String, NotUsed> persistenceIds() {
        return queries.ids();
    }

    /** All ids, in no order. */
    @Override
    public Source<String, NotUsed> currentPersistenceIds() {
        return queries.currentIds(null, null, Long.MAX_VALUE);
    }

    /** A page of ids behind the last one of the page before. */
    @Override
    public Source<String, NotUsed> currentPersistenceIds(Optional<String> afterId, long limit) {
        return queries.currentIds(null, afterId.orElse(null), limit);
    }

    /** A page of the ids of an entity type. */
    public Source<String, NotUsed> currentPersistenceIds(String entityType, Optional<String> afterId, long limit) {
        return queries.currentIds(entityType, afterId.orElse(null), limit);
    }

    /** The last number of an id, also when its events are deleted; empty for an id that has no events. */
    public CompletionStage<Optional<Long>> currentLastSequenceNumberByPersistenceId(String persistenceId) {
        return queries.lastSeqNr(persistenceId);
    }

    /** When an event was written; empty if it is not there. */
    @Override
    public CompletionStage<Optional<Instant>> timestampOf(String persistenceId, long sequenceNr) {
        return queries.timestampOf(persistenceId, sequenceNr);
    }

    /** One event; fails with {@link java.util.NoSuchElementException} if it is not there. */
    @Override
    public <E> CompletionStage<akka.persistence.query.typed.EventEnvelope<E>> loadEnvelope(
            String persistenceId, long sequenceNr) {
        return queries.load(persistenceId, sequenceNr);
    }
}
