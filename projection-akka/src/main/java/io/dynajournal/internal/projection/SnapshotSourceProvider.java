package io.dynajournal.internal.projection;

import akka.NotUsed;
import akka.persistence.query.NoOffset;
import akka.persistence.query.Offset;
import akka.persistence.query.typed.EventEnvelope;
import akka.persistence.query.typed.javadsl.EventTimestampQuery;
import akka.persistence.query.typed.javadsl.LoadEventQuery;
import akka.projection.BySlicesSourceProvider;
import akka.projection.javadsl.SourceProvider;
import akka.stream.javadsl.Source;
import io.dynajournal.query.javadsl.DynajournalReadJournal;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.Supplier;

/** The events of slices, starting from snapshots. */
public final class SnapshotSourceProvider<S, E> extends SourceProvider<Offset, EventEnvelope<E>>
        implements BySlicesSourceProvider, EventTimestampQuery, LoadEventQuery, SnapshotSource<EventEnvelope<E>> {

    private final DynajournalReadJournal journal;
    private final String entityType;
    private final int minSlice;
    private final int maxSlice;
    private final Function<S, E> transformSnapshot;

    public SnapshotSourceProvider(
            DynajournalReadJournal journal,
            String entityType,
            int minSlice,
            int maxSlice,
            Function<S, E> transformSnapshot) {
        this.journal = journal;
        this.entityType = entityType;
        this.minSlice = minSlice;
        this.maxSlice = maxSlice;
        this.transformSnapshot = transformSnapshot;
    }

    @Override
    public CompletionStage<Source<EventEnvelope<E>, NotUsed>> source(
            Supplier<CompletionStage<Optional<Offset>>> offset) {
        return offset.get()
                .thenApply(found -> journal.eventsBySlicesStartingFromSnapshots(
                        entityType, minSlice, maxSlice, found.orElse(NoOffset.getInstance()), transformSnapshot));
    }

    @Override
    public Source<Read<EventEnvelope<E>>, NotUsed> fromNewestSnapshot(
            String persistenceId, long fromSeqNr, long toSeqNr) {
        return Source.lazySource(() -> {
                    // The query transforms the snapshot, if there is one, before it delivers anything.
                    AtomicBoolean isSnapshot = new AtomicBoolean();
                    Function<S, E> noticed = snapshot -> {
                        isSnapshot.set(true);
                        return transformSnapshot.apply(snapshot);
                    };
                    return journal.<S, E>currentEventsByPersistenceIdStartingFromSnapshot(
                                    persistenceId, fromSeqNr, toSeqNr, noticed)
                            .map(envelope -> new Read<>(envelope, isSnapshot.getAndSet(false)));
                })
                .mapMaterializedValue(done -> NotUsed.getInstance());
    }

    @Override
    public Offset extractOffset(EventEnvelope<E> envelope) {
        return envelope.offset();
    }

    @Override
    public long extractCreationTime(EventEnvelope<E> envelope) {
        return envelope.timestamp();
    }

    @Override
    public int minSlice() {
        return minSlice;
    }

    @Override
    public int maxSlice() {
        return maxSlice;
    }

    @Override
    public CompletionStage<Optional<Instant>> timestampOf(String persistenceId, long sequenceNr) {
        return journal.timestampOf(persistenceId, sequenceNr);
    }

    @Override
    public <T> CompletionStage<EventEnvelope<T>> loadEnvelope(String persistenceId, long sequenceNr) {
        return journal.loadEnvelope(persistenceId, sequenceNr);
    }
}
