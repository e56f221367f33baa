package io.dynajournal.projection;

import akka.actor.AbstractActor;
import akka.actor.ActorRef;
import akka.actor.Props;
import akka.actor.typed.ActorSystem;
import akka.actor.typed.javadsl.Adapter;
import akka.pattern.Patterns;
import akka.persistence.AbstractPersistentActor;
import akka.persistence.DeleteMessagesSuccess;
import akka.persistence.SaveSnapshotSuccess;
import io.dynajournal.testkit.Await;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletionStage;

/** Entities that write strings into a journal. */
final class Writers {

    private static final Object SAVE = new Object();

    private record DeleteTo(long seqNr) {}

    private record Event(Object event) {}

    private final akka.actor.ActorSystem system;
    private final String journal;
    private final String snapshots;
    private final Map<String, ActorRef> entities = new HashMap<>();

    Writers(ActorSystem<?> system, String journal) {
        this(system, journal, "dynajournal.snapshot");
    }

    Writers(ActorSystem<?> system, String journal, String snapshots) {
        this.system = Adapter.toClassic(system);
        this.journal = journal;
        this.snapshots = snapshots;
    }

    /** Completes with the sequence number. */
    CompletionStage<Long> send(String persistenceId) {
        return send(persistenceId, "event");
    }

    private CompletionStage<Long> send(String persistenceId, Object message) {
        ActorRef entity = entities.computeIfAbsent(
                persistenceId,
                id -> system.actorOf(Props.create(Entity.class, () -> new Entity(id, journal, snapshots))));
        return Patterns.ask(entity, message, Duration.ofSeconds(60)).thenApply(reply -> (Long) reply);
    }

    void write(String persistenceId, int events) {
        for (int i = 0; i < events; i++) {
            Await.result(send(persistenceId));
        }
    }

    /** The snapshot's state is the last sequence number. */
    void saveSnapshot(String persistenceId) {
        Await.result(send(persistenceId, SAVE));
    }

    void deleteTo(String persistenceId, long seqNr) {
        Await.result(send(persistenceId, new DeleteTo(seqNr)));
    }

    void write(String persistenceId, Object event) {
        Await.result(send(persistenceId, new Event(event)));
    }

    /** Writes the numbers as events. */
    void writeNumbers(String persistenceId, int... numbers) {
        for (int number : numbers) {
            Await.result(send(persistenceId, Integer.toString(number)));
        }
    }

    private static final class Entity extends AbstractPersistentActor {

        private final String id;
        private final String journal;
        private final String snapshots;
        private ActorRef asking = ActorRef.noSender();

        Entity(String id, String journal, String snapshots) {
            this.id = id;
            this.journal = journal;
            this.snapshots = snapshots;
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
        public String snapshotPluginId() {
            return snapshots;
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
                    .match(
                            Event.class,
                            given ->
                                    persist(given.event(), stored -> getSender().tell(lastSequenceNr(), getSelf())))
                    .matchEquals(SAVE, save -> {
                        asking = getSender();
                        saveSnapshot(Long.toString(lastSequenceNr()));
                    })
                    .match(DeleteTo.class, delete -> {
                        asking = getSender();
                        deleteMessages(delete.seqNr());
                    })
                    .match(SaveSnapshotSuccess.class, saved -> asking.tell(lastSequenceNr(), getSelf()))
                    .match(DeleteMessagesSuccess.class, deleted -> asking.tell(lastSequenceNr(), getSelf()))
                    .build();
        }
    }
}
