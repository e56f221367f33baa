package io.dynajournal.projection.javadsl;

import akka.actor.typed.ActorSystem;
import akka.persistence.query.Offset;
import akka.persistence.query.PersistenceQuery;
import akka.persistence.query.typed.EventEnvelope;
import akka.projection.javadsl.SourceProvider;
import io.dynajournal.internal.projection.SnapshotSourceProvider;
import io.dynajournal.query.javadsl.DynajournalReadJournal;
import java.util.function.Function;

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
            Function<S, E> transformSnapshot) {
        return new SnapshotSourceProvider<>(
                PersistenceQuery.get(system).getReadJournalFor(DynajournalReadJournal.class, readJournalPluginId),
                entityType,
                minSlice,
                maxSlice,
                transformSnapshot);
    }
}
