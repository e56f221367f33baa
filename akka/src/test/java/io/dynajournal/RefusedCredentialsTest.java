package io.dynajournal;

import static org.assertj.core.api.Assertions.assertThat;

import akka.actor.ActorRef;
import akka.actor.ActorSystem;
import io.dynajournal.exception.StoreException;
import io.dynajournal.local.EmbeddedDynamoLocal;
import io.dynajournal.testkit.ErrorAnswer;
import io.dynajournal.testkit.FaultProxy;
import io.dynajournal.testkit.RequestMatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** DynamoDB refuses the caller: one short message, at start and later, and no restart when it accepts the caller again. */
final class RefusedCredentialsTest {

    private static final String NO_BREAKER = """
        dynajournal.journal.circuit-breaker.max-failures = 1000000
        dynajournal.snapshot.circuit-breaker.max-failures = 1000000
        """;

    static {
        // Its start may take longer than the toolkit's circuit breaker waits.
        new EmbeddedDynamoLocal().start(null);
    }

    @RegisterExtension
    final Systems systems = new Systems();

    private final String id = Systems.freshId();

    private Object recover(ActorSystem system, Probe probe) {
        system.actorOf(Ledger.props(id, probe.ref()));
        return probe.expectAny(Ledger.Recovered.class, Ledger.RecoveryFailed.class);
    }

    private void recoversWithoutARestart(ActorSystem system, Probe probe) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (!(recover(system, probe) instanceof Ledger.Recovered)) {
            assertThat(System.nanoTime()).isLessThan(end);
        }
    }

    private static void assertClear(Throwable failure, String code, String text) {
        assertThat(failure).isInstanceOf(StoreException.Refused.class);
        assertThat(failure.getMessage())
                .contains("on table dynajournal_")
                .contains(code)
                .contains(text)
                .doesNotContain("\n")
                .hasSizeLessThan(500);
    }

    @ParameterizedTest
    @CsvSource({
        "ExpiredTokenException, The security token included in the request is expired",
        "UnrecognizedClientException, The security token included in the request is invalid",
        "InvalidSignatureException, The request signature we calculated does not match the signature you provided",
        "AccessDeniedException, User is not authorized to perform this operation",
    })
    void isReportedShortlyAndHeals(String code, String text) {
        try (FaultProxy proxy = Systems.proxy()) {
            ActorSystem system = systems.start(NO_BREAKER + Systems.through(proxy));
            Probe probe = new Probe(system);
            system.actorOf(Ledger.props(id, probe.ref()));
            probe.expect(Ledger.Recovered.class);
            ActorRef ledger = probe.sender();

            proxy.when(RequestMatch.writes()).always().answer(ErrorAnswer.of(400, code, text));
            proxy.when(RequestMatch.reads()).always().answer(ErrorAnswer.of(400, code, text));
            ledger.tell(new Ledger.Add("a"), ActorRef.noSender());
            Throwable write = probe.expect(Ledger.Failed.class).cause();
            assertClear(write, code, text);
            assertThat(((StoreException) write).outcome()).isEqualTo(StoreException.Outcome.NOTHING_CHANGED);
            system.actorOf(Ledger.props(id, probe.ref()));
            assertClear(probe.expect(Ledger.RecoveryFailed.class).cause(), code, text);

            proxy.clear();
            recoversWithoutARestart(system, probe);
            probe.sender().tell(new Ledger.Add("b"), ActorRef.noSender());
            assertThat(probe.expect(Ledger.Added.class).seqNr()).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "ExpiredTokenException, The security token included in the request is expired",
        "UnrecognizedClientException, The security token included in the request is invalid",
    })
    void atTheStartToo(String code, String text) {
        try (FaultProxy proxy = Systems.proxy()) {
            proxy.when(RequestMatch.all()).always().answer(ErrorAnswer.of(400, code, text));
            ActorSystem system = systems.start(NO_BREAKER + Systems.through(proxy));
            Probe probe = new Probe(system);
            assertThat(recover(system, probe)).isInstanceOf(Ledger.RecoveryFailed.class);
            system.actorOf(Ledger.props(id, probe.ref()));
            Throwable failure = probe.expect(Ledger.RecoveryFailed.class).cause();
            assertThat(failure).isInstanceOf(StoreException.class);
            assertThat(failure.getMessage())
                    .contains(code)
                    .contains(text)
                    .doesNotContain("\n")
                    .hasSizeLessThan(500);

            proxy.clear();
            recoversWithoutARestart(system, probe);
        }
    }
}
