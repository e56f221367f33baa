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
import io.dynajournal.internal.query.Queries;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * Queries on the events of a journal, for Java. Get it with {@code
 * PersistenceQuery.get(system).getReadJournalFor(DynajournalReadJournal.class, DynajournalReadJournal.IDENTIFIER)}.
 *
 * <p>A query reads nothing before its stream runs. A live query never completes, except by persistence id at its last
 * sequence number; it retries while DynamoDB throttles or cannot be reached. A current query delivers what is stored now,
 * completes, and fails with a {@link io.dynajournal.exception.StoreException} if it cannot read. A query that the table cannot
 * answer fails with an {@link UnsupportedOperationException} that names the setting or the layouts with which it works.
 * {@code docs/queries.md} has the guarantees and costs of each query. Thread-safe.
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

    /** The plugin id of the read journal of {@code dynajournal.journal}. For another journal, copy this block. */
    public static final String IDENTIFIER = "dynajournal.query";

    private final Persistence persistence;
    private final Queries queries;

    /** Called by the plugin; applications get the read journal from {@code PersistenceQuery}. */
    public DynajournalReadJournal(ExtendedActorSystem system, Queries queries) {
        this.persistence = Persistence.get(system);
        this.queries = queries;
    }

    /**
     * The events of a persistence id, and those written later. Reads the table consistently; the events of an atomic write
     * are delivered one by one.
     *
     * @param fromSequenceNr the first sequence number; 0 or 1 for all
     * @param toSequenceNr the last sequence number, after which the stream completes; {@code Long.MAX_VALUE} for no end
     */
    @Override
    public Source<EventEnvelope, NotUsed> eventsByPersistenceId(
            String persistenceId, long fromSequenceNr, long toSequenceNr) {
        return queries.byId(persistenceId, fromSequenceNr, toSequenceNr, true);
    }

    /** The events of a persistence id that are stored now, both sequence numbers inclusive. Reads the table consistently. */
    @Override
    public Source<EventEnvelope, NotUsed> currentEventsByPersistenceId(
            String persistenceId, long fromSequenceNr, long toSequenceNr) {
        return queries.byId(persistenceId, fromSequenceNr, toSequenceNr, false);
    }

    /** Like {@link #eventsByPersistenceId}, in the typed envelopes of queries by slice. */
    public <E> Source<akka.persistence.query.typed.EventEnvelope<E>, NotUsed> eventsByPersistenceIdTyped(
            String persistenceId, long fromSequenceNr, long toSequenceNr) {
        return queries.byIdTyped(persistenceId, fromSequenceNr, toSequenceNr, true);
    }

    /** Like {@link #currentEventsByPersistenceId}, in the typed envelopes of queries by slice. */
    public <E> Source<akka.persistence.query.typed.EventEnvelope<E>, NotUsed> currentEventsByPersistenceIdTyped(
            String persistenceId, long fromSequenceNr, long toSequenceNr) {
        return queries.byIdTyped(persistenceId, fromSequenceNr, toSequenceNr, false);
    }

    /**
     * The newest snapshot of a persistence id between two sequence numbers, the events after it, and those written later. All
     * events if there is no such snapshot.
     *
     * @param transformSnapshot converts the snapshot to an event; if it throws, the stream fails
     */
    public <S, E>
            Source<akka.persistence.query.typed.EventEnvelope<E>, NotUsed> eventsByPersistenceIdStartingFromSnapshot(
                    String persistenceId, long fromSequenceNr, long toSequenceNr, Function<S, E> transformSnapshot) {
        return queries.byIdFromSnapshot(persistenceId, fromSequenceNr, toSequenceNr, transformSnapshot, true);
    }

    /** Like {@link #eventsByPersistenceIdStartingFromSnapshot}, for the events that are stored now. */
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
     * The events of an entity type's slices, and those written later: each event once per run of the stream, in the order of
     * its entity's sequence numbers. A run that resumes from an offset delivers the events of the backtracking window before
     * it again, so consumers must ignore sequence numbers that they have processed. Needs {@code index.slices = on}.
     *
     * @param entityType what stands before {@code |} in the persistence id
     * @param minSlice first slice; see {@link #sliceRanges}
     * @param maxSlice last slice, inclusive; up to 1023
     * @param offset {@code NoOffset} for all events, or the offset of the last processed envelope
     */
    @Override
    public <E> Source<akka.persistence.query.typed.EventEnvelope<E>, NotUsed> eventsBySlices(
            String entityType, int minSlice, int maxSlice, Offset offset) {
        return queries.bySlices(entityType, minSlice, maxSlice, offset, true);
    }

    /**
     * The events of an entity type's slices that the index shows now; see {@link #eventsBySlices}. An event that was stored a
     * moment ago may be missing, but never one before a delivered event of its entity.
     */
    @Override
    public <E> Source<akka.persistence.query.typed.EventEnvelope<E>, NotUsed> currentEventsBySlices(
            String entityType, int minSlice, int maxSlice, Offset offset) {
        return queries.bySlices(entityType, minSlice, maxSlice, offset, false);
    }

    /**
     * The newest snapshot of each entity of the slices, then the events after the snapshots, and those written later; see
     * {@link #eventsBySlices}. With an offset, only snapshots that may contain later events are delivered. Needs {@code
     * index.slices = on} for the snapshot store too.
     *
     * @param transformSnapshot converts a snapshot to an event; if it throws, the stream fails
     */
    public <S, E> Source<akka.persistence.query.typed.EventEnvelope<E>, NotUsed> eventsBySlicesStartingFromSnapshots(
            String entityType, int minSlice, int maxSlice, Offset offset, Function<S, E> transformSnapshot) {
        return queries.bySlicesFromSnapshots(entityType, minSlice, maxSlice, offset, transformSnapshot, true);
    }

    /** Like {@link #eventsBySlicesStartingFromSnapshots}, for the events that the index shows now. */
    public <S, E>
            Source<akka.persistence.query.typed.EventEnvelope<E>, NotUsed> currentEventsBySlicesStartingFromSnapshots(
                    String entityType, int minSlice, int maxSlice, Offset offset, Function<S, E> transformSnapshot) {
        return queries.bySlicesFromSnapshots(entityType, minSlice, maxSlice, offset, transformSnapshot, false);
    }

    /** The slice of a persistence id, from 0 to 1023. */
    @Override
    public int sliceForPersistenceId(String persistenceId) {
        return persistence.sliceForPersistenceId(persistenceId);
    }

    /**
     * Divides the 1,024 slices among consumers.
     *
     * @param numberOfRanges a power of two up to 1024
     */
    @Override
    public List<Pair<Integer, Integer>> sliceRanges(int numberOfRanges) {
        return persistence.getSliceRanges(numberOfRanges);
    }

    /** The events with a tag, of all entity types, and those written later; order and offsets as in {@link #eventsBySlices}. */
    @Override
    public Source<EventEnvelope, NotUsed> eventsByTag(String tag, Offset offset) {
        return queries.byTag(tag, offset, true);
    }

    /** The events with a tag, of all entity types, that the index shows now. */
    @Override
    public Source<EventEnvelope, NotUsed> currentEventsByTag(String tag, Offset offset) {
        return queries.byTag(tag, offset, false);
    }

    /** All persistence ids, in no order, and those written later. Needs {@code index.ids = on}. */
    @Override
    public Source<String, NotUsed> persistenceIds() {
        return queries.ids();
    }

    /** All persistence ids, in no order. Needs {@code index.ids = on}. */
    @Override
    public Source<String, NotUsed> currentPersistenceIds() {
        return queries.currentIds(null, null, Long.MAX_VALUE);
    }

    /**
     * A page of persistence ids.
     *
     * @param afterId the last id of the previous page; empty for the first page
     * @param limit maximum number of ids
     */
    @Override
    public Source<String, NotUsed> currentPersistenceIds(Optional<String> afterId, long limit) {
        return queries.currentIds(null, afterId.orElse(null), limit);
    }

    /** A page of the persistence ids of an entity type; see {@link #currentPersistenceIds(Optional, long)}. */
    public Source<String, NotUsed> currentPersistenceIds(String entityType, Optional<String> afterId, long limit) {
        return queries.currentIds(entityType, afterId.orElse(null), limit);
    }

    /** The last sequence number of a persistence id, also when its events are deleted; empty if it never had an event. */
    public CompletionStage<Optional<Long>> currentLastSequenceNumberByPersistenceId(String persistenceId) {
        return queries.lastSeqNr(persistenceId);
    }

    /** When an event was written; empty if it does not exist. Fails on layouts that store no timestamps. */
    @Override
    public CompletionStage<Optional<Instant>> timestampOf(String persistenceId, long sequenceNr) {
        return queries.timestampOf(persistenceId, sequenceNr);
    }

    /** One event; fails with {@link java.util.NoSuchElementException} if it does not exist. */
    @Override
    public <E> CompletionStage<akka.persistence.query.typed.EventEnvelope<E>> loadEnvelope(
            String persistenceId, long sequenceNr) {
        return queries.load(persistenceId, sequenceNr);
    }
}
