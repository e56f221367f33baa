package io.dynajournal.peers.soak;

import akka.actor.AbstractActor;
import akka.actor.ActorRef;
import akka.actor.Props;
import akka.actor.Terminated;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Starts entities, and starts them again when they have ended. */
final class SoakNode extends AbstractActor {

    private static final Duration BACK_OFF = Duration.ofMillis(500);

    private record Start(String id) {}

    private final SoakLedger ledger;
    private final SoakCounters counters;
    private final int thinkMillis;
    private final Map<ActorRef, String> running = new HashMap<>();

    private SoakNode(List<String> ids, SoakLedger ledger, SoakCounters counters, int thinkMillis) {
        this.ledger = ledger;
        this.counters = counters;
        this.thinkMillis = thinkMillis;
        ids.forEach(this::start);
    }

    static Props props(List<String> ids, SoakLedger ledger, SoakCounters counters, int thinkMillis) {
        return Props.create(SoakNode.class, () -> new SoakNode(ids, ledger, counters, thinkMillis));
    }

    private void start(String id) {
        ActorRef entity = getContext().actorOf(SoakEntity.props(id, ledger, counters, thinkMillis));
        running.put(getContext().watch(entity), id);
    }

    @Override
    public Receive createReceive() {
        return receiveBuilder()
                .match(Terminated.class, ended -> {
                    String id = running.remove(ended.getActor());
                    if (id != null) {
                        getContext()
                                .getSystem()
                                .scheduler()
                                .scheduleOnce(
                                        BACK_OFF,
                                        getSelf(),
                                        new Start(id),
                                        getContext().getDispatcher(),
                                        getSelf());
                    }
                })
                .match(Start.class, start -> start(start.id()))
                .build();
    }
}
