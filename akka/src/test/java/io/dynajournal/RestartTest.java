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

    private final CompletableFuture<Void> release = new CompletableFuture<>();

    @Test
    void restartedEntitySeesItsOwnLastWrite() {
        restartedEntitySees("a", number -> release);
    }

    @Test
    void restartedEntitySeesItsOwnLastWriteThatIsStillBeingSerialized() {
        LaterSerializer.hold(id, release);
        restartedEntitySees(new Later(id), number -> CompletableFuture.completedFuture(null));
    }

    private void restartedEntitySees(Object event, ScriptedClient.Script script) {
        ScriptedClient scripted =
                new ScriptedClient(Dynajournal.get(systems.start()).client("dynajournal.client"), script);
        ActorSystem system =
                systems.start("", DynajournalSetup.create().withClient("dynajournal.client", scripted.client()));
        Probe probe = new Probe(system);
        ActorRef ledger = system.actorOf(Ledger.props(id, probe.ref()));
        probe.expect(Ledger.Recovered.class);
        List<String> before = List.copyOf(scripted.log());

        ledger.tell(new Ledger.AddAsync(event), ActorRef.noSender());
        ledger.tell(new Ledger.Throw(), ActorRef.noSender());
        probe.expect(Ledger.Restarting.class);
        // By the time another one has recovered, the journal has long been asked by this one too.
        system.actorOf(Ledger.props(Systems.freshId(), probe.ref()));
        assertThat(probe.expect(Ledger.Recovered.class).seqNr()).isZero();
        release.complete(null);

        assertThat(probe.expect(Ledger.Recovered.class).seqNr()).isEqualTo(1);
        assertThat(probe.state(ledger).events()).hasSize(1);
        assertThat(scripted.log().subList(before.size(), scripted.log().size()))
                .filteredOn(note -> note.startsWith("putItem") || note.equals("query dynajournal_events"))
                .endsWith("putItem dynajournal_events done", "query dynajournal_events");
        ledger.tell(new Ledger.Add("b"), ActorRef.noSender());
        probe.expect(Ledger.Added.class);
        assertThat(probe.state(ledger).seqNr()).isEqualTo(2);
    }
}
