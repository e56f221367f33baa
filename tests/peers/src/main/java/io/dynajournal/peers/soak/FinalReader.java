package io.dynajournal.peers.soak;

import akka.actor.Props;
import akka.persistence.AbstractPersistentActor;
import akka.persistence.Recovery;
import akka.persistence.RecoveryCompleted;
import akka.persistence.SnapshotOffer;
import akka.persistence.SnapshotSelectionCriteria;
import java.util.concurrent.CountDownLatch;
import scala.Option;

/** Recovers an entity and writes all that it replays; without the snapshot, where no event was deleted. */
final class FinalReader extends AbstractPersistentActor {

    private final String id;
    private final SoakLedger ledger;
    private final CountDownLatch done;
    private SoakState state = SoakState.EMPTY;

    private FinalReader(String id, SoakLedger ledger, CountDownLatch done) {
        this.id = id;
        this.ledger = ledger;
        this.done = done;
    }

    static Props props(String id, SoakLedger ledger, CountDownLatch done) {
        return Props.create(FinalReader.class, () -> new FinalReader(id, ledger, done));
    }

    @Override
    public String persistenceId() {
        return id;
    }

    @Override
    public Recovery recovery() {
        return id.startsWith(SoakEntity.DELETING)
                ? Recovery.create()
                : Recovery.create(SnapshotSelectionCriteria.none());
    }

    @Override
    public Receive createReceiveRecover() {
        return receiveBuilder()
                .match(SnapshotOffer.class, offer -> state = (SoakState) offer.snapshot())
                .match(SoakEvent.class, event -> {
                    if (!state.isFollowedBy(event)) {
                        ledger.violation(id, "at the end event " + event.number() + " after " + state);
                    }
                    state = SoakState.after(event);
                    ledger.replayed(id, event);
                })
                .match(RecoveryCompleted.class, completed -> {
                    ledger.recovered(id, state);
                    done.countDown();
                })
                .build();
    }

    @Override
    public Receive createReceive() {
        return receiveBuilder().build();
    }

    @Override
    public void onRecoveryFailure(Throwable cause, Option<Object> event) {
        ledger.violation(id, "does not recover at the end: " + cause);
        done.countDown();
    }
}
