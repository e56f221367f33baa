package io.dynajournal;

import static org.assertj.core.api.Assertions.assertThat;

import akka.actor.ActorRef;
import akka.actor.ActorSystem;
import akka.actor.PoisonPill;
import akka.actor.Terminated;
import io.dynajournal.internal.catalog.Layout;
import io.dynajournal.testkit.LocalDynamo;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Events are serialized on the {@code plugin-dispatcher} of their journal. {@link J5DispatchersTest} has the plugin's actor. */
final class JournalDispatcherTest {

    @RegisterExtension
    final LocalDynamo local = new LocalDynamo();

    @RegisterExtension
    final Systems systems = new Systems();

    private final String id = Systems.freshId();

    private static String settings(String journal) {
        return "include classpath(\"serialized-on.conf\")\n" + journal + ".plugin-dispatcher = for-events";
    }

    @Test
    void eventsOfTheNativeLayout() {
        eventsAreSerializedOnTheirDispatcher(systems.start(settings("dynajournal.journal")));
    }

    @ParameterizedTest
    @CsvSource({
        "AKKA1, adopted-akka1, my-dynamodb-journal",
        "SCLASEN, adopted-sclasen, dynamodb-journal",
        "J5IK2O, adopted-j5ik2o, j5ik2o.dynamo-db-journal"
    })
    void eventsOfPredecessors(Layout layout, String configuration, String journal) {
        Adopted adopted = new Adopted(local, systems);
        adopted.create(layout);
        eventsAreSerializedOnTheirDispatcher(adopted.start(configuration, settings(journal)));
    }

    private void eventsAreSerializedOnTheirDispatcher(ActorSystem system) {
        Probe probe = new Probe(system);
        ActorRef ledger = recovered(system, probe);
        ledger.tell(new Ledger.Add(new SerializedOn("")), ActorRef.noSender());
        ledger.tell(new Ledger.AddAll(List.of(new SerializedOn(""), new SerializedOn(""))), ActorRef.noSender());
        probe.expect(3, Ledger.Added.class);
        probe.watch(ledger);
        ledger.tell(PoisonPill.getInstance(), ActorRef.noSender());
        probe.expect(Terminated.class);

        assertThat(probe.state(recovered(system, probe)).events())
                .hasSize(3)
                .allSatisfy(event -> assertThat(event).contains("for-events"));
    }

    private ActorRef recovered(ActorSystem system, Probe probe) {
        ActorRef ledger = system.actorOf(Ledger.props(id, probe.ref()));
        probe.expect(Ledger.Recovered.class);
        return ledger;
    }
}
