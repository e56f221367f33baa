package io.dynajournal.query;

import akka.actor.ExtendedActorSystem;
import akka.persistence.PersistentRepr;
import akka.persistence.journal.EventAdapters;
import akka.persistence.query.EventEnvelope;
import akka.persistence.query.Offset;
import akka.persistence.query.TimestampOffset;
import io.dynajournal.model.Payload;
import io.dynajournal.model.Slices;
import io.dynajournal.model.StoredSnapshot;
import io.dynajournal.slices.ReaderSettings;
import io.dynajournal.slices.Start;
import io.dynajournal.toolkit.EventSerde;
import io.dynajournal.toolkit.PayloadSerde;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import scala.Option;
import scala.jdk.javaapi.CollectionConverters;

/** Events as the toolkits' queries hand them out: deserialized, through the journal's event adapters, with their offset. */
final class Envelopes {

    /** An event after its adapter, which may make none or several of one. */
    private record Adapted(Found found, Object event, Option<Object> metadata) {}

    private final PayloadSerde payloads;
    private final EventSerde serde;
    private final EventAdapters adapters;

    Envelopes(ExtendedActorSystem system, EventAdapters adapters) {
        this.payloads = new PayloadSerde(system);
        this.serde = new EventSerde(payloads);
        this.adapters = adapters;
    }

    /** For queries by id and by tag. */
    CompletionStage<List<EventEnvelope>> classic(Found found) {
        return adapted(
                found,
                adapted -> EventEnvelope.apply(
                        offset(found),
                        found.event().persistenceId(),
                        found.event().seqNr(),
                        adapted.event(),
                        found.event().timestampMicros() / 1000,
                        adapted.metadata()));
    }

    /** For queries by slice. */
    @SuppressWarnings("unchecked") // the caller says what its events are, as in the toolkits' own interface
    <E> CompletionStage<List<akka.persistence.query.typed.EventEnvelope<E>>> typed(Found found) {
        String persistenceId = found.event().persistenceId();
        return adapted(
                found,
                adapted -> TypedEnvelopes.of(new TypedEnvelopes.Content<>(
                        offset(found),
                        persistenceId,
                        found.event().seqNr(),
                        (E) adapted.event(),
                        found.event().timestampMicros() / 1000,
                        adapted.metadata(),
                        Slices.entityType(persistenceId),
                        Slices.of(persistenceId),
                        "",
                        found.event().event().tags())));
    }

    /**
     * A snapshot in place of the events before it.
     *
     * @param event makes an event of it
     */
    @SuppressWarnings("unchecked") // the caller says what its snapshots are, as in the toolkits' own interface
    <S, E> CompletionStage<akka.persistence.query.typed.EventEnvelope<E>> ofSnapshot(
            StoredSnapshot snapshot, Offset offset, Function<S, E> event) {
        String persistenceId = snapshot.persistenceId();
        Payload extra = snapshot.metadata();
        CompletionStage<Option<Object>> metadata = extra == null
                ? CompletableFuture.completedFuture(Option.empty())
                : payloads.object(extra).thenApply(Option::apply);
        return payloads.object(snapshot.payload())
                .thenCombine(
                        metadata,
                        (state, about) -> TypedEnvelopes.of(new TypedEnvelopes.Content<>(
                                offset,
                                persistenceId,
                                snapshot.seqNr(),
                                event.apply((S) state),
                                snapshot.timestamp(),
                                about,
                                Slices.entityType(persistenceId),
                                Slices.of(persistenceId),
                                TypedEnvelopes.FROM_SNAPSHOT,
                                Set.of())));
    }

    /** Of a snapshot in a query of its id. */
    static Offset offset(StoredSnapshot snapshot) {
        return offset(
                Instant.ofEpochMilli(snapshot.timestamp()), Instant.now(), snapshot.persistenceId(), snapshot.seqNr());
    }

    private <E> CompletionStage<List<E>> adapted(Found found, Function<Adapted, E> envelope) {
        return serde.repr(found.event())
                .thenApply(repr -> adapt(repr).stream()
                        .map(event -> envelope.apply(new Adapted(found, event, repr.metadata())))
                        .toList());
    }

    private List<Object> adapt(PersistentRepr repr) {
        return CollectionConverters.asJava(adapters.get(repr.payload().getClass())
                .fromJournal(repr.payload(), repr.manifest())
                .events());
    }

    /** Where times are not stored, only the number tells the place. */
    private static Offset offset(Found found) {
        if (found.event().timestampMicros() == 0) {
            return Offset.sequence(found.event().seqNr());
        }
        return offset(
                instant(found.event().timestampMicros()),
                instant(found.readMicros()),
                found.event().persistenceId(),
                found.event().seqNr());
    }

    /** @param number up to which the consumer has had the id */
    static Offset offset(Instant time, Instant read, String persistenceId, long number) {
        return TimestampOffset.apply(
                time,
                read,
                scala.collection.immutable.Map.from(
                        CollectionConverters.asScala(Map.<String, Object>of(persistenceId, number))));
    }

    static Instant instant(long micros) {
        return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
    }

    /** The offset that a query was given, as one of ours. */
    static Offset given(Offset offset) {
        TimestampOffset given = TimestampOffset.toTimestampOffset(offset);
        return TimestampOffset.apply(given.timestamp(), Instant.now(), given.seen());
    }

    /**
     * Where a query begins that was given an offset.
     *
     * @throws IllegalArgumentException for an offset that is none of ours
     */
    static Start start(Offset offset, ReaderSettings settings) {
        TimestampOffset given = TimestampOffset.toTimestampOffset(offset);
        return given.timestamp().equals(Instant.EPOCH)
                ? Start.BEGINNING
                : Start.behind(ChronoUnit.MICROS.between(Instant.EPOCH, given.timestamp()), given.getSeen(), settings);
    }
}
