package io.dynajournal.peers.load;

import akka.actor.ActorRef;
import akka.actor.Props;
import akka.persistence.AbstractPersistentActor;
import akka.persistence.RecoveryCompleted;
import akka.persistence.SaveSnapshotFailure;
import akka.persistence.SaveSnapshotSuccess;
import akka.persistence.SnapshotOffer;
import io.dynajournal.peers.load.Load.Write;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import scala.Option;

/** Writes without being asked again until it has written what it was told to. */
final class LoadEntity extends AbstractPersistentActor {

    /** @param waiting who writes after one that has written all */
    record DoWrite(Write write, Phase phase, Queue<ActorRef> waiting) {}

    record DoSnapshot(int bytes, Phase phase) {}

    private final String persistenceId;
    private final Phase recovery;
    private final long born;
    private int replayed;
    private Phase phase;
    private long since;

    private LoadEntity(String persistenceId, Phase recovery, long born) {
        this.persistenceId = persistenceId;
        this.recovery = recovery;
        this.born = born;
        this.phase = recovery;
    }

    static Props props(String persistenceId, Phase recovery) {
        long born = System.nanoTime();
        return Props.create(LoadEntity.class, () -> new LoadEntity(persistenceId, recovery, born));
    }

    @Override
    public String persistenceId() {
        return persistenceId;
    }

    @Override
    public Receive createReceiveRecover() {
        return receiveBuilder()
                .match(LoadEvent.class, event -> replayed++)
                .match(SnapshotOffer.class, offer -> {})
                .match(RecoveryCompleted.class, completed -> recovery.done(born, replayed))
                .build();
    }

    @Override
    public Receive createReceive() {
        return receiveBuilder()
                .match(DoWrite.class, command -> {
                    phase = command.phase();
                    write(command, command.write().times());
                })
                .match(DoSnapshot.class, command -> {
                    phase = command.phase();
                    since = System.nanoTime();
                    saveSnapshot(new LoadState(Payloads.of(command.bytes(), lastSequenceNr())));
                })
                .match(SaveSnapshotSuccess.class, saved -> phase.done(since, 0))
                .match(SaveSnapshotFailure.class, failure -> phase.fail(failure.cause()))
                .build();
    }

    private void write(DoWrite command, int left) {
        Write write = command.write();
        since = System.nanoTime();
        long last = lastSequenceNr() + write.events();
        switch (write.how()) {
            case "persist" -> persist(event(write, last), stored -> written(command, left, last));
            case "persistAll" -> persistAll(events(write, last), stored -> written(command, left, last));
            case "persistAsync" ->
                events(write, last).forEach(event -> persistAsync(event, stored -> written(command, left, last)));
            default -> phase.fail(new IllegalArgumentException("unknown way to write: " + write.how()));
        }
    }

    private static LoadEvent event(Write write, long seqNr) {
        return new LoadEvent(Payloads.of(write.bytes(), seqNr));
    }

    private static List<LoadEvent> events(Write write, long last) {
        List<LoadEvent> events = new ArrayList<>(write.events());
        for (long seqNr = last - write.events() + 1; seqNr <= last; seqNr++) {
            events.add(event(write, seqNr));
        }
        return events;
    }

    private void written(DoWrite command, int left, long last) {
        if (lastSequenceNr() < last) {
            return;
        }
        phase.done(since, command.write().events());
        if (left > 1) {
            write(command, left - 1);
        } else {
            ActorRef next = command.waiting().poll();
            if (next != null) {
                next.tell(command, ActorRef.noSender());
            }
        }
    }

    @Override
    public void onPersistRejected(Throwable cause, Object event, long seqNr) {
        phase.fail(cause);
    }

    @Override
    public void onPersistFailure(Throwable cause, Object event, long seqNr) {
        phase.fail(cause);
    }

    @Override
    public void onRecoveryFailure(Throwable cause, Option<Object> event) {
        recovery.fail(cause);
    }
}
