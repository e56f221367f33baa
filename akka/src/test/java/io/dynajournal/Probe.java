package io.dynajournal;

import akka.actor.ActorRef;
import akka.actor.ActorSystem;
import akka.testkit.javadsl.TestKit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Sees what entities tell, and waits long enough for a server that has just been started. */
final class Probe {

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final TestKit kit;

    Probe(ActorSystem system) {
        this.kit = new TestKit(system);
    }

    ActorRef ref() {
        return kit.getRef();
    }

    void watch(ActorRef actor) {
        kit.watch(actor);
    }

    <T> T expect(Class<T> type) {
        return kit.expectMsgClass(PATIENCE, type);
    }

    /** Who sent what was expected last. */
    ActorRef sender() {
        return kit.getLastSender();
    }

    /** The next message, which must be of one of the types. */
    Object expectAny(Class<?>... types) {
        return kit.expectMsgAnyClassOf(PATIENCE, types);
    }

    <T> List<T> expect(int count, Class<T> type) {
        List<T> seen = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            seen.add(expect(type));
        }
        return seen;
    }

    /** All that has arrived by now, which must be of the type. */
    <T> List<T> heard(Class<T> type) {
        List<T> seen = new ArrayList<>();
        Object last = new Object();
        ref().tell(last, ActorRef.noSender());
        for (Object next = expect(Object.class); next != last; next = expect(Object.class)) {
            seen.add(type.cast(next));
        }
        return seen;
    }

    Ledger.State state(ActorRef ledger) {
        ledger.tell(new Ledger.Get(), ref());
        return expect(Ledger.State.class);
    }
}
