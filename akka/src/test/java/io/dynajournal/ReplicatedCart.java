package io.dynajournal;

import akka.actor.typed.ActorRef;
import akka.actor.typed.Behavior;
import akka.persistence.typed.RecoveryCompleted;
import akka.persistence.typed.ReplicaId;
import akka.persistence.typed.ReplicationId;
import akka.persistence.typed.SnapshotCompleted;
import akka.persistence.typed.javadsl.CommandHandler;
import akka.persistence.typed.javadsl.EventHandler;
import akka.persistence.typed.javadsl.ReplicatedEventSourcedBehavior;
import akka.persistence.typed.javadsl.ReplicatedEventSourcing;
import akka.persistence.typed.javadsl.ReplicationContext;
import akka.persistence.typed.javadsl.SignalHandler;
import java.util.Set;

/** One replica of a replicated entity; what matters here is the metadata that the toolkit keeps with its events. */
final class ReplicatedCart extends ReplicatedEventSourcedBehavior<String, String, String> {

    private static final ReplicaId REPLICA = new ReplicaId("west");

    /** Makes a snapshot after this one. */
    static final String SNAPSHOT = "!";

    private final ActorRef<Object> observer;

    private ReplicatedCart(ReplicationContext context, ActorRef<Object> observer) {
        super(context);
        this.observer = observer;
    }

    static ReplicationId replicationId(String entityId) {
        return new ReplicationId("Replicated", entityId, REPLICA);
    }

    static Behavior<String> of(String entityId, ActorRef<Object> observer) {
        // The journal for reading other replicas is never asked, because there are none.
        return ReplicatedEventSourcing.commonJournalConfig(
                replicationId(entityId), Set.of(REPLICA), "none", context -> new ReplicatedCart(context, observer));
    }

    @Override
    public String emptyState() {
        return "";
    }

    @Override
    public CommandHandler<String, String, String> commandHandler() {
        return (state, command) -> Effect().persist(command).thenRun(now -> observer.tell(new Cart.Holds(now)));
    }

    @Override
    public EventHandler<String, String> eventHandler() {
        return (state, event) ->
                state + event + "@" + getReplicationContext().origin().id() + " ";
    }

    @Override
    public boolean shouldSnapshot(String state, String event, long sequenceNr) {
        return event.equals(SNAPSHOT);
    }

    @Override
    public SignalHandler<String> signalHandler() {
        return newSignalHandlerBuilder()
                .onSignal(RecoveryCompleted.instance(), state -> observer.tell(new Cart.Holds(state)))
                .onSignal(SnapshotCompleted.class, (state, signal) -> observer.tell(signal))
                .build();
    }
}
