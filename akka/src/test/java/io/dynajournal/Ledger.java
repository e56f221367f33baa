package io.dynajournal;

import akka.actor.ActorRef;
import akka.actor.Props;
import akka.persistence.AbstractPersistentActor;
import akka.persistence.DeleteMessagesFailure;
import akka.persistence.DeleteMessagesSuccess;
import akka.persistence.Recovery;
import akka.persistence.RecoveryCompleted;
import akka.persistence.SaveSnapshotFailure;
import akka.persistence.SaveSnapshotSuccess;
import akka.persistence.SnapshotOffer;
import java.util.ArrayList;
import java.util.List;
import scala.Option;

/** A classic entity that keeps its events as its state, and reports all that happens to it to an observer. */
final class Ledger extends AbstractPersistentActor {

    record Add(Object event) {}

    record AddEach(List<?> events) {}

    record AddAll(List<?> events) {}

    /** Goes on without waiting for the answer. */
    record AddAsync(Object event) {}

    /** Runs a handler after the events before it are stored. */
    record Defer(String text) {}

    record DeleteTo(long seqNr) {}

    record Get() {}

    record Save() {}

    record Throw() {}

    record Added(Object event, long seqNr) {}

    record Deferred(String text) {}

    record Rejected(Object event, Throwable cause) {}

    record Failed(Throwable cause) {}

    record RecoveryFailed(Throwable cause) {}

    record Recovered(long seqNr) {}

    record Restarting() {}

    record State(List<String> events, long seqNr) {}

    private final String id;
    private final ActorRef observer;
    private final String journal;
    private final String snapshots;
    private final Recovery recovery;
    private final List<String> state = new ArrayList<>();

    private Ledger(String id, ActorRef observer, String journal, String snapshots, Recovery recovery) {
        this.id = id;
        this.observer = observer;
        this.journal = journal;
        this.snapshots = snapshots;
        this.recovery = recovery;
    }

    static Props props(String id, ActorRef observer) {
        return props(id, observer, "", "");
    }

    static Props props(String id, ActorRef observer, String journal, String snapshots) {
        return Props.create(Ledger.class, () -> new Ledger(id, observer, journal, snapshots, Recovery.create()));
    }

    static Props thatRecoversNothing(String id, ActorRef observer) {
        return Props.create(Ledger.class, () -> new Ledger(id, observer, "", "", Recovery.none()));
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
    public Recovery recovery() {
        return recovery;
    }

    @Override
    public Receive createReceiveRecover() {
        return receiveBuilder()
                .match(SnapshotOffer.class, offer -> {
                    state.clear();
                    state.addAll(List.of(offer.snapshot().toString().split(",")));
                })
                .match(RecoveryCompleted.class, done -> tell(new Recovered(lastSequenceNr())))
                .matchAny(this::apply)
                .build();
    }

    @Override
    public Receive createReceive() {
        return receiveBuilder()
                .match(Add.class, add -> persist(add.event(), this::added))
                .match(AddEach.class, add -> add.events().forEach(event -> persist(event, this::added)))
                .match(AddAll.class, add -> persistAll(add.events(), this::added))
                .match(AddAsync.class, add -> persistAsync(add.event(), this::added))
                .match(Defer.class, defer -> deferAsync(defer.text(), text -> tell(new Deferred(text))))
                .match(DeleteTo.class, delete -> deleteMessages(delete.seqNr()))
                .match(Save.class, save -> saveSnapshot(String.join(",", state)))
                .match(Get.class, get -> getSender().tell(new State(List.copyOf(state), lastSequenceNr()), getSelf()))
                .match(Throw.class, go -> {
                    throw new IllegalStateException("asked to throw");
                })
                .match(SaveSnapshotSuccess.class, this::tell)
                .match(SaveSnapshotFailure.class, this::tell)
                .match(DeleteMessagesSuccess.class, this::tell)
                .match(DeleteMessagesFailure.class, this::tell)
                .build();
    }

    private void added(Object event) {
        apply(event);
        tell(new Added(event, lastSequenceNr()));
    }

    private void apply(Object event) {
        state.add(event instanceof Later later ? later.text() : event.toString());
    }

    private void tell(Object message) {
        observer.tell(message, getSelf());
    }

    @Override
    public void onPersistRejected(Throwable cause, Object event, long seqNr) {
        tell(new Rejected(event, cause));
    }

    @Override
    public void onPersistFailure(Throwable cause, Object event, long seqNr) {
        tell(new Failed(cause));
    }

    @Override
    public void onRecoveryFailure(Throwable cause, Option<Object> event) {
        tell(new RecoveryFailed(cause));
    }

    @Override
    public void preRestart(Throwable reason, Option<Object> message) throws Exception {
        tell(new Restarting());
        super.preRestart(reason, message);
    }
}
