package io.dynajournal.projection;

import akka.actor.AbstractActor;
import akka.actor.ActorRef;
import akka.actor.Props;
import akka.actor.typed.ActorSystem;
import akka.actor.typed.javadsl.Adapter;
import akka.pattern.Patterns;
import akka.persistence.AbstractPersistentActor;
import io.dynajournal.testkit.Await;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletionStage;

/** Entities that write strings into a journal. */
final class Writers {

    private final akka.actor.ActorSystem system;
    private final String journal;
    private final Map<String, ActorRef> entities = new HashMap<>();

    Writers(ActorSystem<?> system, String journal) {
        this.system = Adapter.toClassic(system);
        this.journal = journal;
    }

    /** Completes with the sequence number. */
    CompletionStage<Long> send(String persistenceId) {
        ActorRef entity = entities.computeIfAbsent(
                persistenceId, id -> system.actorOf(Props.create(Entity.class, () -> new Entity(id, journal))));
        return Patterns.ask(entity, "event", Duration.ofSeconds(60)).thenApply(reply -> (Long) reply);
    }

    void write(String persistenceId, int events) {
        for (int i = 0; i < events; i++) {
            Await.result(send(persistenceId));
        }
    }

    private static final class Entity extends AbstractPersistentActor {

        private final String id;
        private final String journal;

        Entity(String id, String journal) {
            this.id = id;
            this.journal = journal;
        }

        @Override
        public String persistenceId() {
            return id;
        }

        @Override
        public String journalPluginId() {
            return journal;
        }

        @Override
        public AbstractActor.Receive createReceiveRecover() {
            return receiveBuilder().build();
        }

        @Override
        public AbstractActor.Receive createReceive() {
            return receiveBuilder()
                    .match(
                            String.class,
                            event -> persist(event, stored -> getSender().tell(lastSequenceNr(), getSelf())))
                    .build();
        }
    }
}
