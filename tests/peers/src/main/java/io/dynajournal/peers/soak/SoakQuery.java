package io.dynajournal.peers.soak;

import akka.actor.ActorSystem;
import akka.persistence.query.Offset;
import akka.persistence.query.PersistenceQuery;
import akka.persistence.query.typed.EventEnvelope;
import akka.stream.Materializer;
import akka.stream.javadsl.Sink;
import io.dynajournal.query.javadsl.DynajournalReadJournal;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** A live query over the entities that delete nothing: it must show every event of each, in order. */
final class SoakQuery {

    private final ActorSystem system;
    private final String entityType;
    private final SoakLedger ledger;
    private final Map<String, SoakState> seen = new ConcurrentHashMap<>();
    private volatile Offset offset = Offset.noOffset();

    SoakQuery(ActorSystem system, String entityType, SoakLedger ledger) {
        this.system = system;
        this.entityType = entityType;
        this.ledger = ledger;
    }

    /** Runs for ever; after a failure it resumes from the last offset. */
    void run() {
        PersistenceQuery.get(system)
                .getReadJournalFor(DynajournalReadJournal.class, DynajournalReadJournal.IDENTIFIER)
                .<SoakEvent>eventsBySlices(entityType, 0, 1023, offset)
                .runWith(Sink.foreach(this::seen), Materializer.matFromSystem(system))
                .whenComplete((done, failure) -> {
                    ledger.violation(entityType, "the live query ended: " + failure);
                    run();
                });
    }

    private void seen(EventEnvelope<SoakEvent> envelope) {
        SoakEvent event = envelope.event();
        String id = envelope.persistenceId();
        SoakState last = seen.getOrDefault(id, SoakState.EMPTY);
        if (!last.isFollowedBy(event)) {
            ledger.violation(id, "the live query shows event " + event.number() + " after " + last);
        }
        seen.put(id, SoakState.after(event));
        offset = envelope.offset();
    }

    void report() {
        seen.forEach((id, state) -> ledger.seen(id, state.count()));
    }
}
