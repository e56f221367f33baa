package io.dynajournal;

import static org.assertj.core.api.Assertions.assertThat;

import akka.actor.ActorRef;
import akka.actor.ActorSystem;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** An entity that is restarted while its last write is still on its way. */
final class RestartTest {

    @RegisterExtension
    final Systems systems = new Systems();

    private final String id = Systems.freshId();

    @Test
    void restartedEntitySeesItsOwnLastWrite() {
        restartedEntitySees("a");
    }

    @Test
    void restartedEntitySeesItsOwnLastWriteWhenItIsSerializedLater() {
        restartedEntitySees(new Later("a"));
    }

    private void restartedEntitySees(Object event) {
        CompletableFuture<Void> release = new CompletableFuture<>();
        ScriptedClient scripted =
                new ScriptedClient(Dynajournal.get(systems.start()).client("dynajournal.client"), number -> release);
        ActorSystem system =
                systems.start("", DynajournalSetup.create().withClient("dynajournal.client", scripted.client()));
        Probe probe = new Probe(system);
        ActorRef ledger = system.actorOf(Ledger.props(id, probe.ref()));
        probe.expect(Ledger.Recovered.class);
        scripted.log().clear();

        ledger.tell(new Ledger.AddAsync(event), ActorRef.noSender());
        ledger.tell(new Ledger.Throw(), ActorRef.noSender());
        probe.expect(Ledger.Restarting.class);
        release.complete(null);

        assertThat(probe.expect(Ledger.Recovered.class).seqNr()).isEqualTo(1);
        assertThat(probe.state(ledger).events()).containsExactly("a");
        assertThat(scripted.log())
                .filteredOn(note -> note.contains("dynajournal_events"))
                .startsWith(
                        "putItem dynajournal_events", "putItem dynajournal_events done", "query dynajournal_events");
        ledger.tell(new Ledger.Add("b"), ActorRef.noSender());
        probe.expect(Ledger.Added.class);
        assertThat(probe.state(ledger)).isEqualTo(new Ledger.State(List.of("a", "b"), 2));
    }
}
