package io.dynajournal.peers.soak;

import akka.actor.Props;
import akka.persistence.AbstractPersistentActor;
import akka.persistence.DeleteMessagesFailure;
import akka.persistence.DeleteMessagesSuccess;
import akka.persistence.RecoveryCompleted;
import akka.persistence.SaveSnapshotFailure;
import akka.persistence.SaveSnapshotSuccess;
import akka.persistence.SnapshotOffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import scala.Option;

/** Does one random operation after another: writes of all kinds, snapshots, deletes, stops. */
final class SoakEntity extends AbstractPersistentActor {

    /** The entity type of entities that delete events; the others keep them all. */
    static final String DELETING = "SoakDeletes";

    private static final int SMALL = 200;
    private static final int LARGE = 30_000;
    /** More than an item can hold. */
    private static final int HUGE = 600_000;

    private enum Next {
        OPERATION
    }

    private final String id;
    private final SoakLedger ledger;
    private final SoakCounters counters;
    private final int thinkMillis;
    private final Random random = new Random();
    private SoakState state = SoakState.EMPTY;
    /** The state when all that was asked to persist is stored. */
    private SoakState planned = SoakState.EMPTY;

    private SoakEntity(String id, SoakLedger ledger, SoakCounters counters, int thinkMillis) {
        this.id = id;
        this.ledger = ledger;
        this.counters = counters;
        this.thinkMillis = thinkMillis;
    }

    static Props props(String id, SoakLedger ledger, SoakCounters counters, int thinkMillis) {
        return Props.create(SoakEntity.class, () -> new SoakEntity(id, ledger, counters, thinkMillis));
    }

    @Override
    public String persistenceId() {
        return id;
    }

    @Override
    public Receive createReceiveRecover() {
        return receiveBuilder()
                .match(SnapshotOffer.class, offer -> state = (SoakState) offer.snapshot())
                .match(SoakEvent.class, this::apply)
                .match(RecoveryCompleted.class, completed -> {
                    planned = state;
                    ledger.recovered(id, state);
                    counters.recoveries.incrementAndGet();
                    next();
                })
                .build();
    }

    private void apply(SoakEvent event) {
        if (!state.isFollowedBy(event)) {
            ledger.violation(id, "event " + event.number() + " after " + state);
        }
        state = SoakState.after(event);
    }

    @Override
    public Receive createReceive() {
        return receiveBuilder()
                .matchEquals(Next.OPERATION, next -> operate())
                .match(SaveSnapshotSuccess.class, saved -> {
                    if (id.startsWith(DELETING)) {
                        deleteMessages(saved.metadata().sequenceNr());
                    } else {
                        next();
                    }
                })
                .match(SaveSnapshotFailure.class, failure -> failed())
                .match(DeleteMessagesSuccess.class, deleted -> next())
                .match(DeleteMessagesFailure.class, failure -> failed())
                .build();
    }

    private void failed() {
        counters.failures.incrementAndGet();
        next();
    }

    private void next() {
        getContext()
                .getSystem()
                .scheduler()
                .scheduleOnce(
                        Duration.ofMillis(1 + random.nextInt(2 * thinkMillis)),
                        getSelf(),
                        Next.OPERATION,
                        getContext().getDispatcher(),
                        getSelf());
    }

    private void operate() {
        int dice = random.nextInt(1000);
        if (dice < 700) {
            persist(event(SMALL), this::lastStored);
        } else if (dice < 820) {
            persistTogether(2 + random.nextInt(9));
        } else if (dice < 880) {
            persistOneByOne(5);
        } else if (dice < 900) {
            persist(event(LARGE), this::lastStored);
        } else if (dice < 905) {
            persist(event(id.startsWith(DELETING) ? HUGE : LARGE), this::lastStored);
        } else if (dice < 980) {
            saveSnapshot(state);
        } else {
            getContext().stop(getSelf());
        }
    }

    private SoakEvent event(int bytes) {
        byte[] noise = new byte[bytes];
        random.nextBytes(noise);
        SoakEvent event = new SoakEvent(planned.count() + 1, planned.link(), random.nextLong(), noise);
        planned = SoakState.after(event);
        return event;
    }

    private void persistTogether(int count) {
        List<SoakEvent> events = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            events.add(event(SMALL));
        }
        SoakState last = planned;
        persistAll(events, event -> stored(event, last));
    }

    private void persistOneByOne(int count) {
        List<SoakEvent> events = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            events.add(event(SMALL));
        }
        SoakState last = planned;
        events.forEach(each -> persistAsync(each, event -> stored(event, last)));
    }

    private void lastStored(SoakEvent event) {
        stored(event, SoakState.after(event));
    }

    private void stored(SoakEvent event, SoakState last) {
        ledger.acknowledged(id, event);
        apply(event);
        counters.acknowledged.incrementAndGet();
        counters.waiting.remove(id);
        if (state.equals(last)) {
            next();
        }
    }

    @Override
    public void onPersistFailure(Throwable cause, Object event, long seqNr) {
        counters.failures.incrementAndGet();
    }

    @Override
    public void onPersistRejected(Throwable cause, Object event, long seqNr) {
        ledger.violation(id, "rejected: " + cause);
    }

    @Override
    public void onRecoveryFailure(Throwable cause, Option<Object> event) {
        counters.failures.incrementAndGet();
    }
}
