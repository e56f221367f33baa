package io.dynajournal;

import static org.assertj.core.api.Assertions.assertThat;

import akka.actor.ActorRef;
import akka.actor.ActorSystem;
import io.dynajournal.exception.StoreException;
import io.dynajournal.testkit.ErrorAnswer;
import io.dynajournal.testkit.FaultProxy;
import io.dynajournal.testkit.RequestMatch;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Entities whose network or server fails them. */
final class EntityFaultTest {

    private static final RequestMatch PUTS = RequestMatch.operation("PutItem").containing("dynajournal_events");

    @RegisterExtension
    final Systems systems = new Systems();

    private final String id = Systems.freshId();
    private final FaultProxy proxy = Systems.proxy();

    @AfterEach
    void close() {
        proxy.close();
    }

    @Test
    void replyThatIsLostAfterTheWriteWasAppliedIsNoFailure() {
        ActorSystem system = systems.start(Systems.through(proxy));
        Probe probe = new Probe(system);
        ActorRef ledger = system.actorOf(Ledger.props(id, probe.ref()));
        probe.expect(Ledger.Recovered.class);

        proxy.when(PUTS).loseReply();
        ledger.tell(new Ledger.Add("a"), ActorRef.noSender());
        probe.expect(Ledger.Added.class);
        ledger.tell(new Ledger.Add("b"), ActorRef.noSender());
        probe.expect(Ledger.Added.class);

        proxy.assertScriptUsed();
        assertThat(probe.state(ledger)).isEqualTo(new Ledger.State(List.of("a", "b"), 2));
        assertThat(Stored.events(system, "dynajournal_events", id))
                .extracting("seqNr")
                .containsExactly(1L, 2L);
    }

    @Test
    void throttlingThatPassesIsNotSeenByTheEntity() {
        ActorSystem system = systems.start(Systems.through(proxy));
        Probe probe = new Probe(system);
        ActorRef ledger = system.actorOf(Ledger.props(id, probe.ref()));
        probe.expect(Ledger.Recovered.class);

        proxy.when(PUTS)
                .times(2)
                .answer(ErrorAnswer.throughputExceeded("IndexWriteProvisionedThroughputExceeded", "arn:of:the:index"));
        ledger.tell(new Ledger.Add("a"), ActorRef.noSender());
        assertThat(probe.expect(Ledger.Added.class).seqNr()).isEqualTo(1);
        assertThat(proxy.requests(PUTS)).hasSize(3);
    }

    @Test
    void throttlingThatStaysStopsTheEntityAndNamesTheIndex() {
        ActorSystem system = systems.start(Systems.through(proxy)
                + "\ndynajournal.client { call-timeout = 1 s, call-attempt-timeout = 500 ms, retry.max-delay = 50 ms,"
                + " http.connection-acquisition-timeout = 400 ms }");
        Probe probe = new Probe(system);
        ActorRef ledger = system.actorOf(Ledger.props(id, probe.ref()));
        probe.expect(Ledger.Recovered.class);

        proxy.when(PUTS)
                .always()
                .answer(ErrorAnswer.throughputExceeded("IndexWriteProvisionedThroughputExceeded", "arn:of:the:index"));
        ledger.tell(new Ledger.Add("a"), ActorRef.noSender());
        assertThat(probe.expect(Ledger.Failed.class).cause())
                .isInstanceOf(StoreException.Throttled.class)
                .hasMessageContaining("arn:of:the:index")
                .hasMessageContaining("dynajournal_events");
    }
}
