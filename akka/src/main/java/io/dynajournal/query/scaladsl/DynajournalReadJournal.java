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
import io.dynajournal.query.Queries;
import io.dynajournal.toolkit.Stages;
import java.time.Instant;
import scala.Function1;
import scala.Option;
import scala.collection.immutable.Range;
import scala.collection.immutable.Seq;
import scala.concurrent.Future;
import scala.jdk.javaapi.OptionConverters;

/** The same queries as {@link io.dynajournal.query.javadsl.DynajournalReadJournal}, for Scala. Thread-safe. */
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

    private final Persistence persistence;
    private final Queries queries;

    /** Made by the plugin's provider. */
    public DynajournalReadJournal(ExtendedActorSystem system, Queries queries) {
        this.persistence = Persistence.get(system);
        this.queries = queries;
    }

    @Override
    public Source<EventEnvelope, NotUsed> eventsByPersistenceId(
            String persistenceId, long fromSequenceNr, long toSequenceNr) {
        return queries.byId(persistenceId, fromSequenceNr, toSequenceNr, true).asScala();
    }

    @Override
    public Source<EventEnvelope, NotUsed> currentEventsByPersistenceId(
            String persistenceId, long fromSequenceNr, long toSequenceNr) {
        return queries.byId(persistenceId, fromSequenceNr, toSequenceNr, false).asScala();
    }

    public <E> Source<akka.persistence.query.typed.EventEnvelope<E>, NotUsed> eventsByPersistenceIdTyped(
            String persistenceId, long fromSequenceNr, long toSequenceNr) {
        return queries.<E>byIdTyped(persistenceId, fromSequenceNr, toSequenceNr, true)
                .asScala();
    }

    public <E> Source<akka.persistence.query.typed.EventEnvelope<E>, NotUsed> currentEventsByPersistenceIdTyped(
            String persistenceId, long fromSequenceNr, long toSequenceNr) {
        return queries.<E>byIdTyped(persistenceId, fromSequenceNr, toSequenceNr, false)
                .asScala();
    }

    public <S, E>
            Source<akka.persistence.query.typed.EventEnvelope<E>, NotUsed> eventsByPersistenceIdStartingFromSnapshot(
                    String persistenceId, long fromSequenceNr, long toSequenceNr, Function1<S, E> transformSnapshot) {
        return queries.<S, E>byIdFromSnapshot(
                        persistenceId, fromSequenceNr, toSequenceNr, transformSnapshot::apply, true)
                .asScala();
    }

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

    @Override
    public <E> Source<akka.persistence.query.typed.EventEnvelope<E>, NotUsed> eventsBySlices(
            String entityType, int minSlice, int maxSlice, Offset offset) {
        return queries.<E>bySlices(entityType, minSlice, maxSlice, offset, true).asScala();
    }

    @Override
    public <E> Source<akka.persistence.query.typed.EventEnvelope<E>, NotUsed> currentEventsBySlices(
            String entityType, int minSlice, int maxSlice, Offset offset) {
        return queries.<E>bySlices(entityType, minSlice, maxSlice, offset, false)
                .asScala();
    }

    public <S, E> Source<akka.persistence.query.typed.EventEnvelope<E>, NotUsed> eventsBySlicesStartingFromSnapshots(
            String entityType, int minSlice, int maxSlice, Offset offset, Function1<S, E> transformSnapshot) {
        return queries.<S, E>bySlicesFromSnapshots(
                        entityType, minSlice, maxSlice, offset, transformSnapshot::apply, true)
                .asScala();
    }

    public <S, E>
            Source<akka.persistence.query.typed.EventEnvelope<E>, NotUsed> currentEventsBySlicesStartingFromSnapshots(
                    String entityType, int minSlice, int maxSlice, Offset offset, Function1<S, E> transformSnapshot) {
        return queries.<S, E>bySlicesFromSnapshots(
                        entityType, minSlice, maxSlice, offset, transformSnapshot::apply, false)
                .asScala();
    }

    @Override
    public int sliceForPersistenceId(String persistenceId) {
        return persistence.sliceForPersistenceId(persistenceId);
    }

    @Override
    public Seq<Range> sliceRanges(int numberOfRanges) {
        return persistence.sliceRanges(numberOfRanges);
    }

    @Override
    public Source<EventEnvelope, NotUsed> eventsByTag(String tag, Offset offset) {
        return queries.byTag(tag, offset, true).asScala();
    }

    @Override
    public Source<EventEnvelope, NotUsed> currentEventsByTag(String tag, Offset offset) {
        return queries.byTag(tag, offset, false).asScala();
    }

    @Override
    public Source<String, NotUsed> persistenceIds() {
        return queries.ids().asScala();
    }

    @Override
    public Source<String, NotUsed> currentPersistenceIds() {
        return queries.currentIds(null, null, Long.MAX_VALUE).asScala();
    }

    @Override
    public Source<String, NotUsed> currentPersistenceIds(Option<String> afterId, long limit) {
        return queries.currentIds(null, afterId.getOrElse(() -> null), limit).asScala();
    }

    /** A page of the ids of an entity type. */
    public Source<String, NotUsed> currentPersistenceIds(String entityType, Option<String> afterId, long limit) {
        return queries.currentIds(entityType, afterId.getOrElse(() -> null), limit)
                .asScala();
    }

    public Future<Option<Object>> currentLastSequenceNumberByPersistenceId(String persistenceId) {
        return Stages.asScala(queries.lastSeqNr(persistenceId)
                .thenApply(number -> OptionConverters.toScala(number.map(Object.class::cast))));
    }

    @Override
    public Future<Option<Instant>> timestampOf(String persistenceId, long sequenceNr) {
        return Stages.asScala(queries.timestampOf(persistenceId, sequenceNr).thenApply(OptionConverters::toScala));
    }

    @Override
    public <E> Future<akka.persistence.query.typed.EventEnvelope<E>> loadEnvelope(
            String persistenceId, long sequenceNr) {
        return Stages.asScala(queries.<E>load(persistenceId, sequenceNr));
    }
}
