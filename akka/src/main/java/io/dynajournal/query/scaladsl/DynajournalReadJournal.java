package io.dynajournal.query.scaladsl;

import akka.NotUsed;
import akka.actor.ExtendedActorSystem;
import akka.persistence.Persistence;
import akka.persistence.query.EventEnvelope;
import akka.persistence.query.Offset;
import akka.persistence.query.scaladsl.CurrentEventsByPersistenceIdQuery;
import akka.persistence.query.scaladsl.CurrentEventsByTagQuery;
import akka.persistence.query.scaladsl.CurrentPersistenceIdsQuery;
import akka.persistence.query.scaladsl.EventsByPersistenceIdQuery;
import akka.persistence.query.scaladsl.EventsByTagQuery;
import akka.persistence.query.scaladsl.PagedPersistenceIdsQuery;
import akka.persistence.query.scaladsl.PersistenceIdsQuery;
import akka.persistence.query.scaladsl.ReadJournal;
import akka.persistence.query.typed.scaladsl.CurrentEventsBySliceQuery;
import akka.persistence.query.typed.scaladsl.EventTimestampQuery;
import akka.persistence.query.typed.scaladsl.EventsBySliceQuery;
import akka.persistence.query.typed.scaladsl.LoadEventQuery;
import akka.stream.scaladsl.Source;
import io.dynajournal.internal.query.Queries;
import io.dynajournal.internal.toolkit.ScalaFutures;
import java.time.Instant;
import scala.Function1;
import scala.Option;
import scala.collection.immutable.Range;
import scala.collection.immutable.Seq;
import scala.concurrent.Future;
import scala.jdk.javaapi.OptionConverters;

/**
 * Queries on the events of a journal, for Scala. Get it with {@code
 * PersistenceQuery(system).readJournalFor[DynajournalReadJournal](DynajournalReadJournal.Identifier)}. The queries are those
 * of {@link io.dynajournal.query.javadsl.DynajournalReadJournal}. Thread-safe.
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
    public static final String Identifier = io.dynajournal.query.javadsl.DynajournalReadJournal.IDENTIFIER;

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
        return queries.byId(persistenceId, fromSequenceNr, toSequenceNr, true).asScala();
    }

    /** The events of a persistence id that are stored now, both sequence numbers inclusive. Reads the table consistently. */
    @Override
    public Source<EventEnvelope, NotUsed> currentEventsByPersistenceId(
            String persistenceId, long fromSequenceNr, long toSequenceNr) {
        return queries.byId(persistenceId, fromSequenceNr, toSequenceNr, false).asScala();
    }

    /** Like {@link #eventsByPersistenceId}, in the typed envelopes of queries by slice. */
    public <E> Source<akka.persistence.query.typed.EventEnvelope<E>, NotUsed> eventsByPersistenceIdTyped(
            String persistenceId, long fromSequenceNr, long toSequenceNr) {
        return queries.<E>byIdTyped(persistenceId, fromSequenceNr, toSequenceNr, true)
                .asScala();
    }

    /** Like {@link #currentEventsByPersistenceId}, in the typed envelopes of queries by slice. */
    public <E> Source<akka.persistence.query.typed.EventEnvelope<E>, NotUsed> currentEventsByPersistenceIdTyped(
            String persistenceId, long fromSequenceNr, long toSequenceNr) {
        return queries.<E>byIdTyped(persistenceId, fromSequenceNr, toSequenceNr, false)
                .asScala();
    }

    /**
     * The newest snapshot of a persistence id between two sequence numbers, the events after it, and those written later. All
     * events if there is no such snapshot.
     *
     * @param transformSnapshot converts the snapshot to an event; if it throws, the stream fails
     */
    public <S, E>
            Source<akka.persistence.query.typed.EventEnvelope<E>, NotUsed> eventsByPersistenceIdStartingFromSnapshot(
                    String persistenceId, long fromSequenceNr, long toSequenceNr, Function1<S, E> transformSnapshot) {
        return queries.<S, E>byIdFromSnapshot(
                        persistenceId, fromSequenceNr, toSequenceNr, transformSnapshot::apply, true)
                .asScala();
    }

    /** Like {@link #eventsByPersistenceIdStartingFromSnapshot}, for the events that are stored now. */
    public <S, E>
            Source<akka.persistence.query.typed.EventEnvelope<E>, NotUsed>
                    currentEventsByPersistenceIdStartingFromSnapshot(
                            String persistenceId,
                            long fromSequenceNr,
                            long toSequenceNr,
                            Function1<S, E> transformSnapshot) {
        return queries.<S, E>byIdFromSnapshot(
                        persistenceId, fromSequenceNr, toSequenceNr, transformSnapshot::apply, false)
                .asScala();
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
        return queries.<E>bySlices(entityType, minSlice, maxSlice, offset, true).asScala();
    }

    /**
     * The events of an entity type's slices that the index shows now; see {@link #eventsBySlices}. An event that was stored a
     * moment ago may be missing, but never one before a delivered event of its entity.
     */
    @Override
    public <E> Source<akka.persistence.query.typed.EventEnvelope<E>, NotUsed> currentEventsBySlices(
            String entityType, int minSlice, int maxSlice, Offset offset) {
        return queries.<E>bySlices(entityType, minSlice, maxSlice, offset, false)
                .asScala();
    }

    /**
     * The newest snapshot of each entity of the slices, then the events after the snapshots, and those written later; see
     * {@link #eventsBySlices}. With an offset, only snapshots that may contain later events are delivered. Needs {@code
     * index.slices = on} for the snapshot store too.
     *
     * @param transformSnapshot converts a snapshot to an event; if it throws, the stream fails
     */
    public <S, E> Source<akka.persistence.query.typed.EventEnvelope<E>, NotUsed> eventsBySlicesStartingFromSnapshots(
            String entityType, int minSlice, int maxSlice, Offset offset, Function1<S, E> transformSnapshot) {
        return queries.<S, E>bySlicesFromSnapshots(
                        entityType, minSlice, maxSlice, offset, transformSnapshot::apply, true)
                .asScala();
    }

    /** Like {@link #eventsBySlicesStartingFromSnapshots}, for the events that the index shows now. */
    public <S, E>
            Source<akka.persistence.query.typed.EventEnvelope<E>, NotUsed> currentEventsBySlicesStartingFromSnapshots(
                    String entityType, int minSlice, int maxSlice, Offset offset, Function1<S, E> transformSnapshot) {
        return queries.<S, E>bySlicesFromSnapshots(
                        entityType, minSlice, maxSlice, offset, transformSnapshot::apply, false)
                .asScala();
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
    public Seq<Range> sliceRanges(int numberOfRanges) {
        return persistence.sliceRanges(numberOfRanges);
    }

    /** The events with a tag, of all entity types, and those written later; order and offsets as in {@link #eventsBySlices}. */
    @Override
    public Source<EventEnvelope, NotUsed> eventsByTag(String tag, Offset offset) {
        return queries.byTag(tag, offset, true).asScala();
    }

    /** The events with a tag, of all entity types, that the index shows now. */
    @Override
    public Source<EventEnvelope, NotUsed> currentEventsByTag(String tag, Offset offset) {
        return queries.byTag(tag, offset, false).asScala();
    }

    /** All persistence ids, in no order, and those written later. Needs {@code index.ids = on}. */
    @Override
    public Source<String, NotUsed> persistenceIds() {
        return queries.ids().asScala();
    }

    /** All persistence ids, in no order. Needs {@code index.ids = on}. */
    @Override
    public Source<String, NotUsed> currentPersistenceIds() {
        return queries.currentIds(null, null, Long.MAX_VALUE).asScala();
    }

    /**
     * A page of persistence ids.
     *
     * @param afterId the last id of the previous page; empty for the first page
     * @param limit maximum number of ids
     */
    @Override
    public Source<String, NotUsed> currentPersistenceIds(Option<String> afterId, long limit) {
        return queries.currentIds(null, afterId.getOrElse(() -> null), limit).asScala();
    }

    /** A page of the persistence ids of an entity type; see {@link #currentPersistenceIds(Option, long)}. */
    public Source<String, NotUsed> currentPersistenceIds(String entityType, Option<String> afterId, long limit) {
        return queries.currentIds(entityType, afterId.getOrElse(() -> null), limit)
                .asScala();
    }

    /** The last sequence number of a persistence id, also when its events are deleted; empty if it never had an event. */
    public Future<Option<Object>> currentLastSequenceNumberByPersistenceId(String persistenceId) {
        return ScalaFutures.asScala(queries.lastSeqNr(persistenceId)
                .thenApply(number -> OptionConverters.toScala(number.map(Object.class::cast))));
    }

    /** When an event was written; empty if it does not exist. Fails on layouts that store no timestamps. */
    @Override
    public Future<Option<Instant>> timestampOf(String persistenceId, long sequenceNr) {
        return ScalaFutures.asScala(
                queries.timestampOf(persistenceId, sequenceNr).thenApply(OptionConverters::toScala));
    }

    /** One event; fails with {@link java.util.NoSuchElementException} if it does not exist. */
    @Override
    public <E> Future<akka.persistence.query.typed.EventEnvelope<E>> loadEnvelope(
            String persistenceId, long sequenceNr) {
        return ScalaFutures.asScala(queries.<E>load(persistenceId, sequenceNr));
    }
}
