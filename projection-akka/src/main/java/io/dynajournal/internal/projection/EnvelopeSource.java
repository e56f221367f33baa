package io.dynajournal.internal.projection;

import akka.NotUsed;
import akka.persistence.query.DeletedDurableState;
import akka.persistence.query.TimestampOffset;
import akka.persistence.query.UpdatedDurableState;
import akka.persistence.query.typed.EventEnvelope;
import akka.stream.javadsl.Source;
import io.dynajournal.internal.projections.Position;
import io.dynajournal.internal.store.Stages;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import scala.jdk.javaapi.FutureConverters;
import scala.jdk.javaapi.OptionConverters;

/** What a source provider delivers, and the single events that it can read from its journal. */
final class EnvelopeSource<E> {

    private final Object provider;
    private final @Nullable SnapshotSource<E> snapshots;

    /** @param provider of Java or Scala */
    @SuppressWarnings("unchecked") // of the provider's envelopes
    EnvelopeSource(Object provider) {
        this.provider = provider;
        this.snapshots = provider instanceof SnapshotSource<?> source ? (SnapshotSource<E>) source : null;
    }

    /**
     * What is stored of an envelope.
     *
     * @throws IllegalArgumentException if it is not an event or a state by slices
     */
    static Position position(Object envelope) {
        if (envelope instanceof EventEnvelope<?> event) {
            return new Position(event.persistenceId(), event.sequenceNr(), micros(event.offset()));
        }
        if (envelope instanceof UpdatedDurableState<?> state) {
            return new Position(state.persistenceId(), state.revision(), micros(state.offset()));
        }
        if (envelope instanceof DeletedDurableState<?> state) {
            return new Position(state.persistenceId(), state.revision(), micros(state.offset()));
        }
        throw new IllegalArgumentException(
                "Found an envelope of " + envelope.getClass().getName()
                        + ". DynajournalProjection takes the envelopes of eventsBySlices and changesBySlices");
    }

    /** The metadata that is stored with an event; null if there is none, and for states. */
    static @Nullable Object metadata(Object envelope) {
        return envelope instanceof EventEnvelope<?> event
                        && event.eventMetadata().isDefined()
                ? event.eventMetadata().get()
                : null;
    }

    static long micros(Object offset) {
        if (offset instanceof TimestampOffset timestamp) {
            return micros(timestamp.timestamp());
        }
        throw new IllegalArgumentException(
                "Found the offset " + offset + ". DynajournalProjection stores offsets of the type TimestampOffset");
    }

    static long micros(Instant time) {
        return ChronoUnit.MICROS.between(Instant.EPOCH, time);
    }

    static Instant instant(long micros) {
        return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
    }

    /**
     * Whether the event was created from a snapshot. The offset of such an envelope is the one that the query was started
     * from, while that of an event names the event's own persistence id.
     */
    boolean isSnapshot(Object envelope) {
        return envelope instanceof EventEnvelope<?> event
                && (EnvelopeFlags.isFromSnapshot(event)
                        || (snapshots != null
                                && event.offset() instanceof TimestampOffset offset
                                && !offset.getSeen().containsKey(event.persistenceId())));
    }

    /** What is stored of a snapshot. */
    static Position snapshotPosition(Object envelope) {
        EventEnvelope<?> event = (EventEnvelope<?>) envelope;
        return new Position(event.persistenceId(), event.sequenceNr(), event.timestamp() * 1000, true);
    }

    /** Whether snapshots can replace events that were deleted. */
    boolean hasSnapshots() {
        return snapshots != null;
    }

    /** The newest snapshot between two sequence numbers, inclusive, and the events after it. */
    Source<SnapshotSource.Read<E>, NotUsed> fromNewestSnapshot(String persistenceId, long fromSeqNr, long toSeqNr) {
        return Objects.requireNonNull(snapshots).fromNewestSnapshot(persistenceId, fromSeqNr, toSeqNr);
    }

    /** Whether every sequence number must be delivered; revisions of durable states may be skipped. */
    static boolean isEvent(Object envelope) {
        return envelope instanceof EventEnvelope<?>;
    }

    /** Whether the envelope only reports that an event exists. */
    static boolean isWithoutPayload(Object envelope) {
        return envelope instanceof EventEnvelope<?> event
                && event.eventOption().isEmpty()
                && !EnvelopeFlags.isFiltered(envelope);
    }

    /** Whether two envelopes of one sequence number have different events: an event adapter has split a stored event. */
    static boolean areSplit(Object one, Object other) {
        return one instanceof EventEnvelope<?> first
                && other instanceof EventEnvelope<?> second
                && first.eventOption().isDefined()
                && second.eventOption().isDefined()
                && !first.event().equals(second.event());
    }

    /** One event; empty if it was deleted, or if an event adapter leaves it out. */
    @SuppressWarnings("unchecked") // an envelope of the same source
    CompletionStage<Optional<E>> load(String persistenceId, long seqNr) {
        CompletionStage<? extends EventEnvelope<?>> loaded;
        if (provider instanceof akka.persistence.query.typed.javadsl.LoadEventQuery java) {
            loaded = java.loadEnvelope(persistenceId, seqNr);
        } else if (provider instanceof akka.persistence.query.typed.scaladsl.LoadEventQuery scala) {
            loaded = FutureConverters.asJava(scala.loadEnvelope(persistenceId, seqNr));
        } else {
            return CompletableFuture.failedFuture(unsupported("loadEnvelope", persistenceId, seqNr));
        }
        return loaded.thenApply(envelope -> Optional.of((E) envelope))
                .exceptionallyCompose(failure -> Stages.unwrap(failure) instanceof NoSuchElementException
                        ? CompletableFuture.completedFuture(Optional.empty())
                        : CompletableFuture.failedFuture(failure));
    }

    /** The time of an event in microseconds; empty if it does not exist. */
    CompletionStage<Optional<Long>> microsOf(String persistenceId, long seqNr) {
        CompletionStage<Optional<Instant>> time;
        if (provider instanceof akka.persistence.query.typed.javadsl.EventTimestampQuery java) {
            time = java.timestampOf(persistenceId, seqNr);
        } else if (provider instanceof akka.persistence.query.typed.scaladsl.EventTimestampQuery scala) {
            time = FutureConverters.asJava(scala.timestampOf(persistenceId, seqNr))
                    .thenApply(OptionConverters::toJava);
        } else {
            return CompletableFuture.failedFuture(unsupported("timestampOf", persistenceId, seqNr));
        }
        return time.thenApply(found -> found.map(EnvelopeSource::micros));
    }

    private UnsupportedOperationException unsupported(String method, String persistenceId, long seqNr) {
        return new UnsupportedOperationException(
                "The source provider " + provider.getClass().getName() + " has no "
                        + method + ", which is needed to read the missing event " + seqNr + " of " + persistenceId
                        + " from the journal. Use the toolkit's EventSourcedProvider.eventsBySlices");
    }
}
