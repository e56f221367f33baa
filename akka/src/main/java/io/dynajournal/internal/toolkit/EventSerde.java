package io.dynajournal.internal.toolkit;

import akka.actor.ActorRef;
import akka.persistence.PersistentRepr;
import akka.persistence.journal.Tagged;
import io.dynajournal.internal.model.Event;
import io.dynajournal.internal.model.Payload;
import io.dynajournal.internal.model.StoredEvent;
import java.util.Set;
import java.util.concurrent.CompletionStage;
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
        return event(payload, tags, repr);
    }

    /** An event with tags is one object of the toolkit's class for them, which has to have a serializer. */
    public CompletionStage<Event> eventWithTagsInside(PersistentRepr repr) {
        return event(repr.payload(), Set.of(), repr);
    }

    private CompletionStage<Event> event(Object object, Set<String> tags, PersistentRepr repr) {
        CompletionStage<Payload> payload = payloads.payload(object);
        Option<Object> metadata = repr.metadata();
        return metadata.isDefined()
                ? payload.thenCombine(
                        payloads.payload(metadata.get()),
                        (event, meta) -> new Event(event, repr.manifest(), tags, meta))
                : payload.thenApply(event -> new Event(event, repr.manifest(), tags, null));
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
