package io.dynajournal.peers;

import akka.actor.Props;
import akka.persistence.AbstractPersistentActor;
import akka.persistence.DeleteMessagesFailure;
import akka.persistence.DeleteMessagesSuccess;
import akka.persistence.DeleteSnapshotFailure;
import akka.persistence.DeleteSnapshotSuccess;
import akka.persistence.DeleteSnapshotsFailure;
import akka.persistence.DeleteSnapshotsSuccess;
import akka.persistence.RecoveryCompleted;
import akka.persistence.SaveSnapshotFailure;
import akka.persistence.SaveSnapshotSuccess;
import akka.persistence.SnapshotOffer;
import akka.persistence.SnapshotSelectionCriteria;
import java.util.List;
import java.util.stream.LongStream;
import scala.Option;

/** Executes one command at a time, and answers it when the toolkit has confirmed all of it. */
final class PeerEntity extends AbstractPersistentActor {

    private final String persistenceId;
    // Read by the superclass before it is set; null then means the default plugin.
    private final String journal;
    private final String snapshots;
    private final String author;
    private final Answer recovery;
    private PeerState state = PeerState.EMPTY;
    private Answer answer;
    private long snapshotAt;
    private int padding;

    private PeerEntity(PeerMain.Start start, String author, Answer recovery) {
        this.persistenceId = start.persistenceId();
        this.journal = start.journal();
        this.snapshots = start.snapshots();
        this.author = author;
        this.recovery = recovery;
        this.answer = recovery;
    }

    static Props props(PeerMain.Start start, String author, Answer recovery) {
        return Props.create(PeerEntity.class, () -> new PeerEntity(start, author, recovery));
    }

    @Override
    public String persistenceId() {
        return persistenceId;
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
    public Receive createReceiveRecover() {
        return receiveBuilder()
                .match(SnapshotOffer.class, offer -> {
                    state = (PeerState) offer.snapshot();
                    recovery.add("snapshot", offer.metadata().sequenceNr(), state.texts());
                })
                .match(PeerEvent.class, event -> {
                    state = state.with(event);
                    recovery.add("event", lastSequenceNr(), event.manifest(), event.text());
                })
                .match(RecoveryCompleted.class, completed -> done())
                .build();
    }

    @Override
    public Receive createReceive() {
        return receiveBuilder()
                .match(PeerMain.Command.class, this::begin)
                .match(SaveSnapshotSuccess.class, saved -> done())
                .match(SaveSnapshotFailure.class, failure -> answer.fail(failure.cause()))
                .match(DeleteMessagesSuccess.class, deleted -> done())
                .match(DeleteMessagesFailure.class, failure -> answer.fail(failure.cause()))
                .match(DeleteSnapshotSuccess.class, deleted -> done())
                .match(DeleteSnapshotFailure.class, failure -> answer.fail(failure.cause()))
                .match(DeleteSnapshotsSuccess.class, deleted -> done())
                .match(DeleteSnapshotsFailure.class, failure -> answer.fail(failure.cause()))
                .build();
    }

    private void begin(PeerMain.Command command) {
        answer = command.answer();
        snapshotAt = 0;
        padding = 0;
        switch (command.name()) {
            case "persist" -> {
                padding = (int) command.second();
                persistUpTo(lastSequenceNr() + command.number());
            }
            case "persistEach" -> {
                List<PeerEvent> events = events(command.number());
                long last = lastSequenceNr() + events.size();
                events.forEach(event -> persist(event, stored -> stored(stored, last)));
            }
            case "persistAll" -> {
                padding = (int) command.second();
                persistTogether(events(command.number()));
            }
            case "persistAllAndSnapshotAt" -> {
                snapshotAt = command.second();
                persistTogether(events(command.number()));
            }
            case "reject" -> persist(PeerEvent.UNSERIALIZABLE, stored -> answer.fail("it was stored"));
            case "snapshot" -> saveSnapshot(state);
            case "deleteEventsTo" -> deleteMessages(command.number());
            case "deleteSnapshot" -> deleteSnapshot(command.number());
            case "deleteSnapshotsTo" ->
                deleteSnapshots(SnapshotSelectionCriteria.create(command.number(), Long.MAX_VALUE));
            default -> answer.fail("unknown command");
        }
    }

    private PeerEvent event(long seqNr) {
        return PeerEvent.of(author + ":" + seqNr + ".".repeat(padding));
    }

    private List<PeerEvent> events(long count) {
        long first = lastSequenceNr() + 1;
        return LongStream.range(first, first + count).mapToObj(this::event).toList();
    }

    /** One write after another. */
    private void persistUpTo(long last) {
        persist(event(lastSequenceNr() + 1), stored -> {
            stored(stored, last);
            if (lastSequenceNr() < last) {
                persistUpTo(last);
            }
        });
    }

    private void persistTogether(List<PeerEvent> events) {
        long last = lastSequenceNr() + events.size();
        persistAll(events, stored -> stored(stored, last));
    }

    private void stored(PeerEvent event, long last) {
        state = state.with(event);
        if (lastSequenceNr() == snapshotAt) {
            saveSnapshot(state);
        } else if (lastSequenceNr() == last && snapshotAt == 0) {
            done();
        }
    }

    private void done() {
        answer.done(lastSequenceNr());
    }

    @Override
    public void onPersistRejected(Throwable cause, Object event, long seqNr) {
        if (event.equals(PeerEvent.UNSERIALIZABLE)) {
            done();
        } else {
            answer.fail(cause);
        }
    }

    @Override
    public void onPersistFailure(Throwable cause, Object event, long seqNr) {
        answer.fail(cause);
    }

    @Override
    public void onRecoveryFailure(Throwable cause, Option<Object> event) {
        recovery.fail(cause);
    }
}
