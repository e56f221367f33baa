package io.dynajournal;

import static org.assertj.core.api.Assertions.assertThat;

import akka.actor.ActorRef;
import akka.actor.ActorSystem;
import io.dynajournal.testkit.FaultProxy;
import io.dynajournal.testkit.HeldRequest;
import io.dynajournal.testkit.RequestMatch;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** An entity that is restarted while its last write is still on its way. */
final class RestartTest {

    @RegisterExtension
    final Systems systems = new Systems();

    private final String id = Systems.freshId();
    private final FaultProxy proxy = Systems.proxy();
    private final RequestMatch journal = RequestMatch.all().containing(id);

    @AfterEach
    void close() {
        proxy.close();
    }

    @Test
    void restartedEntitySeesItsOwnLastWrite() {
        HeldRequest write =
                proxy.when(RequestMatch.operation("PutItem").containing(id)).hold();
        restartedEntitySees("a", write::release);
    }

    @Test
    void restartedEntitySeesItsOwnLastWriteThatIsStillBeingSerialized() {
        CompletableFuture<Void> release = new CompletableFuture<>();
        LaterSerializer.hold(id, release);
        restartedEntitySees(new Later(id), () -> release.complete(null));
    }

    private void restartedEntitySees(Object event, Runnable release) {
        ActorSystem system = systems.start(Systems.through(proxy));
        Probe probe = new Probe(system);
        ActorRef ledger = system.actorOf(Ledger.props(id, probe.ref()));
        probe.expect(Ledger.Recovered.class);

        ledger.tell(new Ledger.AddAsync(event), ActorRef.noSender());
        ledger.tell(new Ledger.Throw(), ActorRef.noSender());
        probe.expect(Ledger.Restarting.class);
        // By the time another one has recovered, the journal has long been asked by this one too.
        system.actorOf(Ledger.props(Systems.freshId(), probe.ref()));
        assertThat(probe.expect(Ledger.Recovered.class).seqNr()).isZero();
        release.run();

        assertThat(probe.expect(Ledger.Recovered.class).seqNr()).isEqualTo(1);
        assertThat(probe.state(ledger).events()).hasSize(1);
        List<String> operations = proxy.requests(journal).stream()
                .filter(request -> request.table().equals("dynajournal_events"))
                .map(request -> request.operation())
                .toList();
        assertThat(operations).containsExactly("Query", "PutItem", "Query");
        ledger.tell(new Ledger.Add("b"), ActorRef.noSender());
        probe.expect(Ledger.Added.class);
        assertThat(probe.state(ledger).seqNr()).isEqualTo(2);
    }
}
