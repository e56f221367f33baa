package io.dynajournal;

import static org.assertj.core.api.Assertions.assertThat;

import akka.actor.ActorRef;
import akka.actor.ActorSystem;
import akka.actor.Terminated;
import akka.persistence.DeleteMessagesSuccess;
import io.dynajournal.exception.StoreException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Two actor systems that both believe they run the entity, as after a split of a cluster. */
final class TwoWritersTest {

    @RegisterExtension
    final Systems systems = new Systems();

    private final String id = Systems.freshId();
    private final Node one = new Node(systems.start());
    private final Node two = new Node(systems.start());

    private final class Node {
        final Probe probe;
        final ActorRef ledger;

        Node(ActorSystem system) {
            probe = new Probe(system);
            ledger = system.actorOf(Ledger.props(id, probe.ref()));
            probe.expect(Ledger.Recovered.class);
        }

        void tell(Object command) {
            ledger.tell(command, ActorRef.noSender());
        }

        void adds(String event) {
            tell(new Ledger.Add(event));
            probe.expect(Ledger.Added.class);
        }

        List<String> state() {
            return probe.state(ledger).events();
        }

        void isStoppedWhenItAdds(String event) {
            probe.watch(ledger);
            tell(new Ledger.Add(event));
            assertThat(probe.expect(Ledger.Failed.class).cause())
                    .isInstanceOf(StoreException.WriteConflict.class)
                    .hasMessageContaining(id);
            probe.expect(Terminated.class);
        }
    }

    private List<String> history() {
        return new Node(systems.start()).state();
    }

    @Test
    void exactlyOneOfTwoThatWriteAtOnceSurvives() {
        one.tell(new Ledger.Add("one"));
        two.tell(new Ledger.Add("two"));
        List<Object> outcomes = new ArrayList<>();
        outcomes.add(one.probe.expectAny(Ledger.Added.class, Ledger.Failed.class));
        outcomes.add(two.probe.expectAny(Ledger.Added.class, Ledger.Failed.class));

        List<String> survivors = outcomes.stream()
                .filter(Ledger.Added.class::isInstance)
                .map(added -> ((Ledger.Added) added).event().toString())
                .toList();
        assertThat(survivors).hasSize(1);
        assertThat(history()).isEqualTo(survivors);
    }

    @Test
    void secondWriterIsStoppedAndHistoryIsTheFirstOnes() {
        one.adds("a");
        one.adds("b");
        two.isStoppedWhenItAdds("x");
        one.adds("c");

        assertThat(history()).containsExactly("a", "b", "c");
    }

    @Test
    void persistAllThatReachesOverTheOthersEventsIsStopped() {
        one.adds("a");
        one.adds("b");
        two.tell(new Ledger.AddAll(List.of("x", "y", "z")));
        two.probe.expect(Ledger.Failed.class);

        assertThat(history()).containsExactly("a", "b");
    }

    @Test
    void writerRightAfterARejectionIsStoppedToo() {
        one.tell(new Ledger.Add(new Unserializable()));
        one.probe.expect(Ledger.Rejected.class);
        two.adds("b");
        one.isStoppedWhenItAdds("a");

        assertThat(history()).containsExactly("b");
    }

    @Test
    void rejectionsOfBothDoNotLetBothWrite() {
        for (Node node : List.of(one, two)) {
            node.tell(new Ledger.AddEach(List.of(new Unserializable(), new Unserializable())));
            node.probe.expect(2, Ledger.Rejected.class);
        }
        one.tell(new Ledger.Add(new Unserializable()));
        one.probe.expect(Ledger.Rejected.class);
        one.adds("a");
        two.isStoppedWhenItAdds("b");

        assertThat(history()).containsExactly("a");
    }

    @Test
    void writerRightAfterADeleteIsStoppedToo() {
        one.adds("a");
        one.adds("b");
        one.tell(new Ledger.DeleteTo(2));
        one.probe.expect(DeleteMessagesSuccess.class);
        two.isStoppedWhenItAdds("x");
        one.adds("c");

        assertThat(history()).containsExactly("c");
    }

    @Test
    void oneThatDeletedIsStoppedByTheOthersWrite() {
        one.adds("a");
        Node late = new Node(systems.start());
        one.tell(new Ledger.DeleteTo(1));
        one.probe.expect(DeleteMessagesSuccess.class);
        late.adds("b");
        one.isStoppedWhenItAdds("x");

        assertThat(history()).containsExactly("b");
    }
}
