package io.dynajournal;

import akka.actor.typed.ActorRef;
import akka.actor.typed.Behavior;
import akka.persistence.typed.DeleteEventsCompleted;
import akka.persistence.typed.DeleteEventsFailed;
import akka.persistence.typed.DeleteSnapshotsCompleted;
import akka.persistence.typed.DeleteSnapshotsFailed;
import akka.persistence.typed.PersistenceId;
import akka.persistence.typed.RecoveryCompleted;
import akka.persistence.typed.SnapshotCompleted;
import akka.persistence.typed.SnapshotFailed;
import akka.persistence.typed.javadsl.CommandHandler;
import akka.persistence.typed.javadsl.EventHandler;
import akka.persistence.typed.javadsl.EventSourcedBehavior;
import akka.persistence.typed.javadsl.RetentionCriteria;
import akka.persistence.typed.javadsl.SignalHandler;
import java.util.List;
import java.util.Set;

/** A typed entity whose state is the text of its events, with tags, snapshots and deletes. */
final class Cart extends EventSourcedBehavior<Cart.Command, String, String> {

    sealed interface Command {}

    record Put(List<String> items) implements Command {}

    record Show() implements Command {}

    record Stop() implements Command {}

    /** What the observer hears beside the toolkit's signals. */
    record Holds(String items) {}

    static final int SNAPSHOT_EVERY = 3;

    private final ActorRef<Object> observer;
    private final String journal;
    private final String snapshots;

    private Cart(String id, ActorRef<Object> observer, String journal, String snapshots) {
        super(PersistenceId.ofUniqueId(id));
        this.observer = observer;
        this.journal = journal;
        this.snapshots = snapshots;
    }

    static Behavior<Command> of(String id, ActorRef<Object> observer, String journal, String snapshots) {
        return new Cart(id, observer, journal, snapshots);
    }

    @Override
    public String emptyState() {
        return "";
    }

    @Override
    public CommandHandler<Command, String, String> commandHandler() {
        return newCommandHandlerBuilder()
                .forAnyState()
                .onCommand(Put.class, put -> Effect().persist(put.items()).thenRun(this::show))
                .onCommand(Show.class, (state, command) -> Effect().none().thenRun(this::show))
                .onCommand(Stop.class, (state, command) -> Effect().stop())
                .build();
    }

    private void show(String state) {
        observer.tell(new Holds(state));
    }

    @Override
    public EventHandler<String, String> eventHandler() {
        return (state, event) -> state + event;
    }

    @Override
    public Set<String> tagsFor(String event) {
        return Set.of("item:" + event);
    }

    @Override
    public RetentionCriteria retentionCriteria() {
        return RetentionCriteria.snapshotEvery(SNAPSHOT_EVERY, 1).withDeleteEventsOnSnapshot();
    }

    @Override
    public SignalHandler<String> signalHandler() {
        return newSignalHandlerBuilder()
                .onSignal(RecoveryCompleted.instance(), this::show)
                .onSignal(SnapshotCompleted.class, (state, signal) -> observer.tell(signal))
                .onSignal(SnapshotFailed.class, (state, signal) -> observer.tell(signal))
                .onSignal(DeleteEventsCompleted.class, (state, signal) -> observer.tell(signal))
                .onSignal(DeleteEventsFailed.class, (state, signal) -> observer.tell(signal))
                .onSignal(DeleteSnapshotsCompleted.class, (state, signal) -> observer.tell(signal))
                .onSignal(DeleteSnapshotsFailed.class, (state, signal) -> observer.tell(signal))
                .build();
    }

    @Override
    public String journalPluginId() {
        return journal;
    }

    @Override
    public String snapshotPluginId() {
        return snapshots;
    }
}
