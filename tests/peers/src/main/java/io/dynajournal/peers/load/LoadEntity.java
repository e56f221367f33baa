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
import org.jspecify.annotations.Nullable;
import scala.Option;

/** Executes one command after another; a command may ask for many writes. */
final class LoadEntity extends AbstractPersistentActor {

    /** @param waiting entities that start when another has finished all its writes */
    record DoWrite(Write write, Measurement measurement, Queue<ActorRef> waiting) {}

    /** A single persist, whose end is reported to the loop. */
    record DoPersist(OpenLoop loop, int index, int bytes) {}

    record DoSnapshot(int bytes, Measurement measurement) {}

    private final String persistenceId;
    private final Measurement recovery;
    private final long created;
    private int replayed;
    private Measurement measurement;
    private long since;
    private @Nullable OpenLoop loop;

    private LoadEntity(String persistenceId, Measurement recovery, long created) {
        this.persistenceId = persistenceId;
        this.recovery = recovery;
        this.created = created;
        this.measurement = recovery;
    }

    static Props props(String persistenceId, Measurement recovery) {
        long created = System.nanoTime();
        return Props.create(LoadEntity.class, () -> new LoadEntity(persistenceId, recovery, created));
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
                .match(RecoveryCompleted.class, completed -> recovery.done(created, replayed))
                .build();
    }

    @Override
    public Receive createReceive() {
        return receiveBuilder()
                .match(DoWrite.class, command -> {
                    measurement = command.measurement();
                    write(command, command.write().times());
                })
                .match(DoPersist.class, command -> {
                    loop = command.loop();
                    persist(
                            new LoadEvent(Payloads.of(command.bytes(), lastSequenceNr() + 1)),
                            stored -> command.loop().done(command.index()));
                })
                .match(DoSnapshot.class, command -> {
                    measurement = command.measurement();
                    since = System.nanoTime();
                    saveSnapshot(new LoadState(Payloads.of(command.bytes(), lastSequenceNr())));
                })
                .match(SaveSnapshotSuccess.class, saved -> measurement.done(since, 0))
                .match(SaveSnapshotFailure.class, failure -> measurement.fail(failure.cause()))
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
            default -> measurement.fail(new IllegalArgumentException("unknown way to write: " + write.how()));
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
        measurement.done(since, command.write().events());
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
        failed(cause);
    }

    @Override
    public void onPersistFailure(Throwable cause, Object event, long seqNr) {
        failed(cause);
    }

    private void failed(Throwable cause) {
        measurement.fail(cause);
        if (loop != null) {
            loop.fail(cause);
        }
    }

    @Override
    public void onRecoveryFailure(Throwable cause, Option<Object> event) {
        recovery.fail(cause);
    }
}
