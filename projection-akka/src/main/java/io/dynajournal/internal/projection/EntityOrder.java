package io.dynajournal.internal.projection;

import akka.NotUsed;
import akka.japi.Pair;
import akka.stream.javadsl.Flow;
import akka.stream.javadsl.Source;
import io.dynajournal.internal.projections.Position;
import io.dynajournal.internal.store.Stages;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Hands on every event of an entity once and in the order of sequence numbers: duplicates are dropped, and missing events are
 * read from the journal and handed on before their successor. For one run of a stream.
 */
final class EntityOrder<E> {

    /** DynamoDB's limit for a batch of reads. */
    private static final int MAX_BATCH = 100;

    private final OffsetStore store;
    private final EnvelopeSource<E> source;
    private final ProjectionStatus status;
    private @Nullable E previous;

    EntityOrder(OffsetStore store, EnvelopeSource<E> source, ProjectionStatus status) {
        this.store = store;
        this.source = source;
        this.status = status;
    }

    /** Envelopes that arrive while rows are read form the next batch. */
    Flow<E, E, NotUsed> flow() {
        return counted(order());
    }

    private Flow<E, E, NotUsed> counted(Flow<E, E, NotUsed> order) {
        return Flow.<E>create()
                .map(envelope -> {
                    status.received(EnvelopeSource.position(envelope));
                    return envelope;
                })
                .via(order)
                .map(envelope -> {
                    status.handedOn(EnvelopeSource.position(envelope));
                    return envelope;
                });
    }

    private Flow<E, E, NotUsed> order() {
        return Flow.<E>create()
                .batch(
                        MAX_BATCH,
                        first -> {
                            List<E> batch = new ArrayList<>();
                            batch.add(first);
                            return batch;
                        },
                        (batch, next) -> {
                            batch.add(next);
                            return batch;
                        })
                .mapAsync(1, this::ordered)
                .mapConcat(parts -> parts)
                .flatMapConcat(part -> part);
    }

    private CompletionStage<List<Source<E, NotUsed>>> ordered(List<E> batch) {
        List<String> ids = batch.stream()
                .map(envelope -> EnvelopeSource.position(envelope).persistenceId())
                .toList();
        return store.load(ids)
                .thenCompose(loaded -> Stages.inOrder(batch, this::decide))
                .thenApply(parts -> {
                    status.decided(batch.size());
                    return parts.stream().flatMap(Optional::stream).toList();
                });
    }

    /** What is handed on for an envelope; empty for a duplicate. */
    private CompletionStage<Optional<Source<E, NotUsed>>> decide(E envelope) {
        boolean isSnapshot = source.isSnapshot(envelope);
        Position position = isSnapshot ? EnvelopeSource.snapshotPosition(envelope) : EnvelopeSource.position(envelope);
        long last = store.lastSeqNr(position);
        E before = previous;
        previous = envelope;
        if (store.isBeforeReset(position)) {
            return CompletableFuture.completedFuture(Optional.empty());
        }
        if (position.seqNr() <= last) {
            if (before != null
                    && EnvelopeSource.position(before).equals(position)
                    && EnvelopeSource.areSplit(before, envelope)) {
                return CompletableFuture.failedFuture(
                        new IllegalStateException(
                                "An event adapter returned several events"
                                        + " for sequence number " + position.seqNr() + " of " + position.persistenceId()
                                        + ". A projection counts sequence numbers, so an adapter may return one event or none"));
            }
            return CompletableFuture.completedFuture(Optional.empty());
        }
        if (last == 0 && store.isBeforeStart(position)) {
            return CompletableFuture.completedFuture(Optional.empty());
        }
        if (isSnapshot || !EnvelopeSource.isEvent(envelope) || position.seqNr() == last + 1) {
            return accepted(envelope, position, position.seqNr());
        }
        return (last > 0 ? CompletableFuture.completedFuture(last + 1) : firstMissing(position, position.seqNr()))
                .thenCompose(from -> accepted(envelope, position, from));
    }

    /**
     * Where to begin with an entity that was never projected, at a sequence number above 1: after the last event that was
     * deleted, that lies before the start, or whose row may have expired. A snapshot may stand for events that were deleted.
     */
    private CompletionStage<Long> firstMissing(Position position, long from) {
        return from == 1
                ? CompletableFuture.completedFuture(1L)
                : source.microsOf(position.persistenceId(), from - 1).thenCompose(micros -> {
                    if (micros.isEmpty()) {
                        return CompletableFuture.completedFuture(source.hasSnapshots() ? 1L : from);
                    }
                    Position before = new Position(position.persistenceId(), from - 1, micros.get());
                    return store.mayBeForgotten(before)
                            ? CompletableFuture.completedFuture(from)
                            : firstMissing(position, from - 1);
                });
    }

    private CompletionStage<Optional<Source<E, NotUsed>>> accepted(E envelope, Position position, long from) {
        store.handedOn(position);
        if (position.isSnapshot()) {
            store.isSnapshot(position);
        }
        Source<E, NotUsed> own = EnvelopeSource.isWithoutPayload(envelope)
                ? missing(position.persistenceId(), position.seqNr(), position.seqNr() + 1)
                : Source.single(envelope);
        return CompletableFuture.completedFuture(Optional.of(
                from == position.seqNr()
                        ? own
                        : missing(position.persistenceId(), from, position.seqNr())
                                .concat(own)));
    }

    /**
     * The events of the journal from one sequence number up to another. Those that were deleted are left out, or replaced by
     * a snapshot.
     */
    private Source<E, NotUsed> missing(String persistenceId, long from, long until) {
        return source.hasSnapshots()
                ? eventsOrSnapshot(persistenceId, from, until)
                : events(persistenceId, from, until);
    }

    private Source<E, NotUsed> eventsOrSnapshot(String persistenceId, long from, long until) {
        AtomicLong deleted = new AtomicLong(until);
        return Source.unfoldAsync(
                        from,
                        seqNr -> seqNr == until
                                ? CompletableFuture.completedFuture(Optional.<Pair<Long, E>>empty())
                                : source.load(persistenceId, seqNr).thenApply(found -> {
                                    if (found.isEmpty()) {
                                        deleted.set(seqNr);
                                    }
                                    return found.map(event -> Pair.create(seqNr + 1, event));
                                }))
                .concatLazy(Source.lazySource(() -> fromSnapshot(persistenceId, deleted.get(), until))
                        .mapMaterializedValue(done -> NotUsed.getInstance()));
    }

    private Source<E, NotUsed> fromSnapshot(String persistenceId, long from, long until) {
        return from == until
                ? Source.empty()
                : source.fromNewestSnapshot(persistenceId, from, until - 1).mapConcat(this::accepted);
    }

    private List<E> accepted(SnapshotSource.Read<E> read) {
        if (read.isSnapshot()) {
            Position position = EnvelopeSource.snapshotPosition(read.envelope());
            if (store.mayBeForgotten(position)) {
                return List.of();
            }
            store.isSnapshot(position);
        }
        return List.of(read.envelope());
    }

    private Source<E, NotUsed> events(String persistenceId, long from, long until) {
        return Source.unfold(
                        from,
                        seqNr -> seqNr < until
                                ? Optional.of(Pair.create(seqNr + 1, seqNr))
                                : Optional.<Pair<Long, Long>>empty())
                .mapAsync(1, seqNr -> source.load(persistenceId, seqNr))
                .mapConcat(found -> found.stream().toList());
    }
}
