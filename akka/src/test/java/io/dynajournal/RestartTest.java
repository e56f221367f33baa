package io.dynajournal;

import static org.assertj.core.api.Assertions.assertThat;

import akka.actor.ActorRef;
import akka.actor.ActorSystem;
import io.dynajournal.testkit.FaultProxy;
import io.dynajournal.testkit.Gate;
import io.dynajournal.testkit.RequestMatch;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** An entity that is restarted while its last write is still on its way. */
final class RestartTest {

    @RegisterExtension
    final Systems systems = new Systems();

    private static final RequestMatch JOURNAL = RequestMatch.all().containing("dynajournal_events");

    private final String id = Systems.freshId();
    private final FaultProxy proxy = Systems.proxy();

    @AfterEach
    void close() {
        proxy.close();
    }

    @Test
    void restartedEntitySeesItsOwnLastWrite() {
        restartedEntitySees("a");
    }

    @Test
    void restartedEntitySeesItsOwnLastWriteWhenItIsSerializedLater() {
        restartedEntitySees(new Later("a"));
    }

    private void restartedEntitySees(Object event) {
        ActorSystem system = systems.start(Systems.through(proxy));
        Probe probe = new Probe(system);
        ActorRef ledger = system.actorOf(Ledger.props(id, probe.ref()));
        probe.expect(Ledger.Recovered.class);
        int before = proxy.requests(JOURNAL).size();

        Gate write = proxy.when(RequestMatch.operation("PutItem")).hold();
        ledger.tell(new Ledger.AddAsync(event), ActorRef.noSender());
        ledger.tell(new Ledger.Throw(), ActorRef.noSender());
        probe.expect(Ledger.Restarting.class);
        write.awaitArrival();
        write.release();

        assertThat(probe.expect(Ledger.Recovered.class).seqNr()).isEqualTo(1);
        assertThat(probe.state(ledger).events()).containsExactly("a");
        assertThat(proxy.requests(JOURNAL).stream().skip(before))
                .extracting(request -> request.operation())
                .containsExactly("PutItem", "Query");
        ledger.tell(new Ledger.Add("b"), ActorRef.noSender());
        probe.expect(Ledger.Added.class);
        assertThat(probe.state(ledger)).isEqualTo(new Ledger.State(List.of("a", "b"), 2));
    }
}
