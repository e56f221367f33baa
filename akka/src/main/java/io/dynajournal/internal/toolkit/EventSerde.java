package io.dynajournal.internal.toolkit;

import akka.actor.ActorRef;
import akka.persistence.PersistentRepr;
import akka.persistence.journal.Tagged;
import io.dynajournal.internal.model.Event;
import io.dynajournal.internal.model.Payload;
import io.dynajournal.internal.model.StoredEvent;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import scala.Option;
import scala.jdk.javaapi.CollectionConverters;

/** Converts events between the toolkit's form and the core's. */
public final class EventSerde {

    private final PayloadSerde payloads;

    public EventSerde(PayloadSerde payloads) {
        this.payloads = payloads;
    }

    /** Tags are taken off the event and stored with it. */
    public CompletionStage<Event> event(PersistentRepr repr) {
        Object payload = repr.payload();
        Set<String> tags = Set.of();
        if (payload instanceof Tagged tagged) {
            payload = tagged.payload();
            tags = Set.copyOf(CollectionConverters.asJava(tagged.tags()));
        }
        Object metadata = metadata(repr);
        return event(payload, tags, repr, metadata instanceof EventTraces.Trace trace ? trace.text() : metadata);
    }

    /**
     * An event with tags is one object of the toolkit's class for them, which has to have a serializer. A layout that stores events so
     * has no metadata, and traces are left out.
     */
    public CompletionStage<Event> eventWithTagsInside(PersistentRepr repr) {
        Object metadata = metadata(repr);
        return event(repr.payload(), Set.of(), repr, metadata instanceof EventTraces.Trace ? null : metadata);
    }

    private static @Nullable Object metadata(PersistentRepr repr) {
        Option<Object> metadata = repr.metadata();
        return metadata.isDefined() ? metadata.get() : null;
    }

    private CompletionStage<Event> event(
            Object object, Set<String> tags, PersistentRepr repr, @Nullable Object metadata) {
        CompletionStage<Payload> payload = payloads.payload(object);
        return metadata == null
                ? payload.thenApply(event -> new Event(event, repr.manifest(), tags, null))
                : payload.thenCombine(
                        payloads.payload(metadata), (event, stored) -> new Event(event, repr.manifest(), tags, stored));
    }

    public CompletionStage<PersistentRepr> repr(StoredEvent stored) {
        Payload metadata = stored.event().metadata();
        CompletionStage<PersistentRepr> plain = payloads.object(stored.event().payload())
                .thenApply(object -> PersistentRepr.apply(
                                object,
                                stored.seqNr(),
                                stored.persistenceId(),
                                stored.event().adapterManifest(),
                                false,
                                ActorRef.noSender(),
                                stored.writer())
                        .withTimestamp(stored.timestampMicros() / 1000));
        return metadata == null ? plain : plain.thenCombine(payloads.object(metadata), PersistentRepr::withMetadata);
    }
}
