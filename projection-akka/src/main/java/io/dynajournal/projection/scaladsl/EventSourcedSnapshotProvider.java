package io.dynajournal.projection.scaladsl;

import akka.NotUsed;
import akka.actor.typed.ActorSystem;
import akka.persistence.query.Offset;
import akka.persistence.query.PersistenceQuery;
import akka.persistence.query.typed.EventEnvelope;
import akka.persistence.query.typed.scaladsl.EventTimestampQuery;
import akka.persistence.query.typed.scaladsl.LoadEventQuery;
import akka.projection.BySlicesSourceProvider;
import akka.projection.internal.SourceProviderAdapter;
import akka.projection.scaladsl.SourceProvider;
import akka.stream.scaladsl.Source;
import io.dynajournal.internal.projection.SnapshotSource;
import io.dynajournal.internal.projection.SnapshotSourceProvider;
import io.dynajournal.query.javadsl.DynajournalReadJournal;
import java.time.Instant;
import scala.Function0;
import scala.Function1;
import scala.Option;
import scala.concurrent.Future;
import scala.jdk.javaapi.FutureConverters;
import scala.jdk.javaapi.OptionConverters;

/**
 * The events of event-sourced entities as the source of a projection that starts from their snapshots, so that earlier
 * events may have been deleted. The toolkits have such a provider only in later versions of their projections than the ones
 * supported here.
 */
public final class EventSourcedSnapshotProvider {

    private EventSourcedSnapshotProvider() {}

    /**
     * The newest snapshot of each entity of some slices, then its events after the snapshot, and those written later. A
     * projection that was stopped continues with the snapshots that were saved meanwhile, and with the events after them. Each
     * entity's envelopes arrive in the order of sequence numbers; the envelope of a snapshot has the sequence number of the
     * last event that the snapshot includes, and stands for all events up to it.
     *
     * <p>Needs {@code index.slices = on} in the blocks of the journal and of the snapshot store, with the layouts {@code
     * commits} and {@code akka2}.
     *
     * @param readJournalPluginId of a read journal of Dynajournal, such as {@code dynajournal.query}
     * @param transformSnapshot converts a snapshot to an event; if it throws, the stream fails
     */
    public static <S, E> SourceProvider<Offset, EventEnvelope<E>> eventsBySlicesStartingFromSnapshots(
            ActorSystem<?> system,
            String readJournalPluginId,
            String entityType,
            int minSlice,
            int maxSlice,
            Function1<S, E> transformSnapshot) {
        DynajournalReadJournal journal =
                PersistenceQuery.get(system).getReadJournalFor(DynajournalReadJournal.class, readJournalPluginId);
        return new BySlices<>(
                new SnapshotSourceProvider<>(journal, entityType, minSlice, maxSlice, transformSnapshot::apply));
    }

    private record BySlices<S, E>(
            SnapshotSourceProvider<S, E> events, SourceProviderAdapter<Offset, EventEnvelope<E>> adapted)
            implements SourceProvider<Offset, EventEnvelope<E>>,
                    BySlicesSourceProvider,
                    EventTimestampQuery,
                    LoadEventQuery,
                    SnapshotSource<EventEnvelope<E>> {

        BySlices(SnapshotSourceProvider<S, E> events) {
            this(events, new SourceProviderAdapter<>(events));
        }

        @Override
        public Future<Source<EventEnvelope<E>, NotUsed>> source(Function0<Future<Option<Offset>>> offset) {
            return adapted.source(offset);
        }

        @Override
        public akka.stream.javadsl.Source<Read<EventEnvelope<E>>, NotUsed> fromNewestSnapshot(
                String persistenceId, long fromSeqNr, long toSeqNr) {
            return events.fromNewestSnapshot(persistenceId, fromSeqNr, toSeqNr);
        }

        @Override
        public Offset extractOffset(EventEnvelope<E> envelope) {
            return events.extractOffset(envelope);
        }

        @Override
        public long extractCreationTime(EventEnvelope<E> envelope) {
            return events.extractCreationTime(envelope);
        }

        @Override
        public int minSlice() {
            return events.minSlice();
        }

        @Override
        public int maxSlice() {
            return events.maxSlice();
        }

        @Override
        public Future<Option<Instant>> timestampOf(String persistenceId, long sequenceNr) {
            return FutureConverters.asScala(
                    events.timestampOf(persistenceId, sequenceNr).thenApply(OptionConverters::toScala));
        }

        @Override
        public <T> Future<EventEnvelope<T>> loadEnvelope(String persistenceId, long sequenceNr) {
            return FutureConverters.asScala(events.loadEnvelope(persistenceId, sequenceNr));
        }
    }
}
