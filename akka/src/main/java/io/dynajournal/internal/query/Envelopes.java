package io.dynajournal.internal.query;

import akka.actor.ExtendedActorSystem;
import akka.persistence.PersistentRepr;
import akka.persistence.journal.EventAdapters;
import akka.persistence.journal.Tagged;
import akka.persistence.query.EventEnvelope;
import akka.persistence.query.Offset;
import akka.persistence.query.TimestampOffset;
import io.dynajournal.internal.model.Payload;
import io.dynajournal.internal.model.Slices;
import io.dynajournal.internal.model.StoredSnapshot;
import io.dynajournal.internal.slices.ReaderSettings;
import io.dynajournal.internal.slices.ResumePoint;
import io.dynajournal.internal.toolkit.EventSerde;
import io.dynajournal.internal.toolkit.PayloadSerde;
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

/** Converts stored events to the toolkits' envelopes: deserialized, through the journal's event adapters, with an offset. */
final class Envelopes {

    /** An event from its adapter, which may return none or several for one stored event. */
    private record Adapted(Object event, Option<Object> metadata, Set<String> tagsInside) {}

    private final PayloadSerde payloads;
    private final EventSerde serde;
    private final EventAdapters adapters;

    Envelopes(ExtendedActorSystem system, EventAdapters adapters) {
        this.payloads = new PayloadSerde(system);
        this.serde = new EventSerde(payloads);
        this.adapters = adapters;
    }

    /** Envelopes of queries by persistence id and by tag. */
    CompletionStage<List<EventEnvelope>> classic(ReadEvent read) {
        return adapted(
                read,
                adapted -> EventEnvelope.apply(
                        offset(read),
                        read.event().persistenceId(),
                        read.event().seqNr(),
                        adapted.event(),
                        read.event().timestampMicros() / 1000,
                        adapted.metadata()));
    }

    /** Like {@link #classic}, of a layout whose events contain their tags; empty if the event does not have the tag. */
    CompletionStage<List<EventEnvelope>> classicWithTag(ReadEvent read, String tag) {
        return serde.repr(read.event())
                .thenCompose(repr ->
                        insideTags(repr).contains(tag) ? classic(read) : CompletableFuture.completedFuture(List.of()));
    }

    /** Envelopes of queries by slice. */
    @SuppressWarnings("unchecked") // the caller names the type, as in the toolkits' own interface
    <E> CompletionStage<List<akka.persistence.query.typed.EventEnvelope<E>>> typed(ReadEvent read) {
        String persistenceId = read.event().persistenceId();
        return adapted(
                read,
                adapted -> TypedEnvelopes.of(new TypedEnvelopes.Content<>(
                        offset(read),
                        persistenceId,
                        read.event().seqNr(),
                        (E) adapted.event(),
                        read.event().timestampMicros() / 1000,
                        adapted.metadata(),
                        Slices.entityType(persistenceId),
                        Slices.of(persistenceId),
                        "",
                        tags(read, adapted))));
    }

    /**
     * The envelope of a snapshot, which replaces the events up to it.
     *
     * @param toEvent converts the snapshot to an event
     */
    @SuppressWarnings("unchecked") // the caller names the type, as in the toolkits' own interface
    <S, E> CompletionStage<akka.persistence.query.typed.EventEnvelope<E>> ofSnapshot(
            StoredSnapshot snapshot, Offset offset, Function<S, E> toEvent) {
        String persistenceId = snapshot.persistenceId();
        Payload stored = snapshot.metadata();
        CompletionStage<Option<Object>> metadata = stored == null
                ? CompletableFuture.completedFuture(Option.empty())
                : payloads.object(stored).thenApply(Option::apply);
        return payloads.object(snapshot.payload())
                .thenCombine(
                        metadata,
                        (state, readMetadata) -> TypedEnvelopes.of(new TypedEnvelopes.Content<>(
                                offset,
                                persistenceId,
                                snapshot.seqNr(),
                                toEvent.apply((S) state),
                                snapshot.timestamp(),
                                readMetadata,
                                Slices.entityType(persistenceId),
                                Slices.of(persistenceId),
                                TypedEnvelopes.FROM_SNAPSHOT,
                                Set.of())));
    }

    /** The offset of a snapshot in a query by persistence id. */
    static Offset offset(StoredSnapshot snapshot) {
        return offset(
                Instant.ofEpochMilli(snapshot.timestamp()), Instant.now(), snapshot.persistenceId(), snapshot.seqNr());
    }

    private <E> CompletionStage<List<E>> adapted(ReadEvent read, Function<Adapted, E> envelope) {
        return serde.repr(read.event())
                .thenApply(repr -> adapt(repr).stream()
                        .map(event -> envelope.apply(new Adapted(event, repr.metadata(), insideTags(repr))))
                        .toList());
    }

    private static Set<String> tags(ReadEvent read, Adapted adapted) {
        return adapted.tagsInside().isEmpty() ? read.event().event().tags() : adapted.tagsInside();
    }

    private static Set<String> insideTags(PersistentRepr repr) {
        return repr.payload() instanceof Tagged tagged
                ? Set.copyOf(CollectionConverters.asJava(tagged.tags()))
                : Set.of();
    }

    /** Adapters receive what a recovery would give them. Tags that they leave on an event are taken off. */
    private List<Object> adapt(PersistentRepr repr) {
        return CollectionConverters.asJava(adapters.get(repr.payload().getClass())
                        .fromJournal(repr.payload(), repr.manifest())
                        .events())
                .stream()
                .map(event -> event instanceof Tagged tagged ? tagged.payload() : event)
                .toList();
    }

    /** A layout that stores no timestamps has sequence numbers as offsets. */
    private static Offset offset(ReadEvent read) {
        if (read.event().timestampMicros() == 0) {
            return Offset.sequence(read.event().seqNr());
        }
        return offset(
                instant(read.event().timestampMicros()),
                instant(read.readMicros()),
                read.event().persistenceId(),
                read.event().seqNr());
    }

    /** @param seqNr the last sequence number of the id that the consumer has received */
    static Offset offset(Instant time, Instant readTime, String persistenceId, long seqNr) {
        return TimestampOffset.apply(
                time,
                readTime,
                scala.collection.immutable.Map.from(
                        CollectionConverters.asScala(Map.<String, Object>of(persistenceId, seqNr))));
    }

    static Instant instant(long micros) {
        return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
    }

    /** The offset that a query was started from, as a timestamp offset. */
    static Offset given(Offset offset) {
        TimestampOffset given = TimestampOffset.toTimestampOffset(offset);
        return TimestampOffset.apply(given.timestamp(), Instant.now(), given.seen());
    }

    /**
     * Where a query that was given an offset starts.
     *
     * @throws IllegalArgumentException for an offset that is neither NoOffset nor a TimestampOffset
     */
    static ResumePoint resumePoint(Offset offset, ReaderSettings settings) {
        TimestampOffset given = TimestampOffset.toTimestampOffset(offset);
        return given.timestamp().equals(Instant.EPOCH)
                ? ResumePoint.BEGINNING
                : ResumePoint.after(
                        ChronoUnit.MICROS.between(Instant.EPOCH, given.timestamp()), given.getSeen(), settings);
    }
}
