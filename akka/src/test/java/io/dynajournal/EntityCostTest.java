package io.dynajournal;

import static org.assertj.core.api.Assertions.assertThat;

import akka.actor.ActorRef;
import akka.actor.ActorSystem;
import io.dynajournal.testkit.FaultProxy;
import io.dynajournal.testkit.ProxiedRequest;
import io.dynajournal.testkit.RequestMatch;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** How many requests whole entities make on the journal's table. */
final class EntityCostTest {

    private static final RequestMatch JOURNAL = RequestMatch.all().containing("dynajournal_events");
    private static final RequestMatch QUERIES = RequestMatch.operation("Query").containing("dynajournal_events");
    private static final RequestMatch NEWEST_FIRST =
            RequestMatch.operation("Query").containing("\"ScanIndexForward\":false");
    private static final RequestMatch PUTS = RequestMatch.operation("PutItem").containing("dynajournal_events");

    @RegisterExtension
    final Systems systems = new Systems();

    private final String id = Systems.freshId();
    private final FaultProxy proxy = Systems.proxy();

    @AfterEach
    void close() {
        proxy.close();
    }

    private static List<String> operations(FaultProxy proxy, RequestMatch match, int from) {
        // The first write of a process reads the registry, and that of a type adds it: once, whatever the entity.
        List<ProxiedRequest> registry = proxy.requests(RequestMatch.all().containing("#dynajournal/registry"));
        return proxy.requests(match).stream()
                .filter(request -> !registry.contains(request))
                .skip(from)
                .map(request -> request.operation())
                .filter(operation -> !operation.contains("Table") && !operation.contains("TimeToLive"))
                .toList();
    }

    @Test
    void newEntityIsOneQueryAndItsFirstWriteOnePut() {
        ActorSystem system = systems.start(Systems.through(proxy));
        Probe probe = new Probe(system);
        ActorRef ledger = system.actorOf(Ledger.props(id, probe.ref()));
        probe.expect(Ledger.Recovered.class);
        assertThat(operations(proxy, JOURNAL, 0)).containsExactly("Query");

        ledger.tell(new Ledger.Add("a"), ActorRef.noSender());
        probe.expect(Ledger.Added.class);
        ledger.tell(new Ledger.AddAll(List.of("b", "c", "d")), ActorRef.noSender());
        probe.expect(3, Ledger.Added.class);
        // What it recovered is known to its first write: nothing is read before it.
        assertThat(operations(proxy, JOURNAL, 0)).containsExactly("Query", "PutItem", "PutItem");
        assertThat(proxy.requests(PUTS)).hasSize(2);
    }

    @Test
    void recoveredEntityIsTwoQueriesAndItsFirstWriteOnePut() {
        ActorSystem before = systems.start(Systems.through(proxy));
        Probe probe = new Probe(before);
        ActorRef ledger = before.actorOf(Ledger.props(id, probe.ref()));
        probe.expect(Ledger.Recovered.class);
        ledger.tell(new Ledger.AddAll(List.of("a", "b")), ActorRef.noSender());
        probe.expect(2, Ledger.Added.class);
        ledger.tell(new Ledger.Save(), ActorRef.noSender());
        probe.expect(akka.persistence.SaveSnapshotSuccess.class);
        ledger.tell(new Ledger.AddEach(List.of("c", "d", "e")), ActorRef.noSender());
        probe.expect(3, Ledger.Added.class);
        systems.stop(before);
        int queries = proxy.requests(QUERIES).size();
        int puts = proxy.requests(PUTS).size();

        ActorSystem after = systems.start(Systems.through(proxy));
        Probe again = new Probe(after);
        ActorRef recovered = after.actorOf(Ledger.props(id, again.ref()));
        assertThat(again.expect(Ledger.Recovered.class).seqNr()).isEqualTo(5);
        recovered.tell(new Ledger.Add("f"), ActorRef.noSender());
        again.expect(Ledger.Added.class);
        assertThat(again.state(recovered).events()).containsExactly("a", "b", "c", "d", "e", "f");
        assertThat(proxy.requests(QUERIES)).hasSize(queries + 2);
        assertThat(proxy.requests(PUTS)).hasSize(puts + 1);
    }

    @Test
    void anEntityThatRecoversNothingDoesNotReadItsEvents() {
        ActorSystem before = systems.start(Systems.through(proxy));
        Probe probe = new Probe(before);
        ActorRef ledger = before.actorOf(Ledger.props(id, probe.ref()));
        probe.expect(Ledger.Recovered.class);
        ledger.tell(new Ledger.AddEach(List.of("a", "b", "c")), ActorRef.noSender());
        probe.expect(3, Ledger.Added.class);
        systems.stop(before);
        int queries = proxy.requests(QUERIES).size();
        int newestOnly = proxy.requests(NEWEST_FIRST).size();

        ActorSystem after = systems.start(Systems.through(proxy));
        Probe again = new Probe(after);
        ActorRef blank = after.actorOf(Ledger.thatRecoversNothing(id, again.ref()));
        assertThat(again.expect(Ledger.Recovered.class).seqNr()).isEqualTo(3);
        blank.tell(new Ledger.Add("d"), ActorRef.noSender());
        assertThat(again.expect(Ledger.Added.class).seqNr()).isEqualTo(4);
        assertThat(again.state(blank).events()).containsExactly("d");
        assertThat(proxy.requests(QUERIES)).hasSize(queries + 1);
        assertThat(proxy.requests(NEWEST_FIRST)).hasSize(newestOnly + 1);
    }
}
