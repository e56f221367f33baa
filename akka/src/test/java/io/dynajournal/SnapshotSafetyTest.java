package io.dynajournal;

import static org.assertj.core.api.Assertions.assertThat;

import akka.actor.ActorRef;
import akka.actor.ActorSystem;
import akka.persistence.DeleteMessagesSuccess;
import akka.persistence.SaveSnapshotFailure;
import akka.persistence.SaveSnapshotSuccess;
import io.dynajournal.internal.catalog.Layout;
import io.dynajournal.testkit.ErrorAnswer;
import io.dynajournal.testkit.FaultProxy;
import io.dynajournal.testkit.LocalDynamo;
import io.dynajournal.testkit.RequestMatch;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Snapshots never cost an event: not one that fails after it was stored, and not one of a stale writer. */
final class SnapshotSafetyTest {

    private static final String IMPATIENT =
            "{ call-timeout = 3 s, call-attempt-timeout = 1500 ms, http.connection-acquisition-timeout = 1 s }";

    @RegisterExtension
    final LocalDynamo local = new LocalDynamo();

    @RegisterExtension
    final Systems systems = new Systems();

    private final String id = Systems.freshId();
    private final FaultProxy proxy = Systems.proxy();

    @AfterEach
    void close() {
        proxy.close();
    }

    private static RequestMatch saves(String table) {
        return RequestMatch.operation("PutItem").containing(table);
    }

    private record Entity(Probe probe, ActorRef ledger) {

        void tell(Object command) {
            ledger.tell(command, ActorRef.noSender());
        }

        void adds(String... events) {
            for (String event : events) {
                tell(new Ledger.Add(event));
                probe.expect(Ledger.Added.class);
            }
        }

        void saves() {
            tell(new Ledger.Save());
            probe.expect(SaveSnapshotSuccess.class);
        }

        void deletesTo(long seqNr) {
            tell(new Ledger.DeleteTo(seqNr));
            probe.expect(DeleteMessagesSuccess.class);
        }

        List<String> events() {
            return probe.state(ledger).events();
        }
    }

    private Entity recover(ActorSystem system) {
        Probe probe = new Probe(system);
        ActorRef ledger = system.actorOf(Ledger.props(id, probe.ref()));
        probe.expect(Ledger.Recovered.class);
        return new Entity(probe, ledger);
    }

    private ActorSystem impatient() {
        return systems.start(Systems.through(proxy) + "\ndynajournal.client " + IMPATIENT);
    }

    @Test
    void aSaveWhoseRepliesAreLostIsASuccessAndKeepsTheState() {
        Entity entity = recover(impatient());
        entity.adds("a", "b", "c");
        entity.saves();
        entity.deletesTo(3);
        proxy.when(saves("dynajournal_snapshots")).always().loseReply();
        entity.saves();
        proxy.clear();
        entity.adds("d");
        assertThat(recover(systems.start()).events()).containsExactly("a", "b", "c", "d");
    }

    /** The save is reported as failed, and then the toolkit deletes it: it may be the only one left. */
    @Test
    void theToolkitsDeleteAfterAFailedSaveKeepsTheSnapshot() {
        Entity entity = recover(impatient());
        entity.adds("a", "b", "c");
        entity.saves();
        entity.deletesTo(3);
        proxy.when(saves("dynajournal_snapshots")).always().loseReply();
        proxy.when(RequestMatch.operation("Query").containing("dynajournal_snapshots"))
                .answer(ErrorAnswer.of(400, "AccessDeniedException", "No."));
        entity.tell(new Ledger.Save());
        entity.probe().expect(SaveSnapshotFailure.class);
        proxy.clear();
        // Saves and deletes of one persistence id are executed in order.
        entity.adds("d");
        assertThat(proxy.requests(RequestMatch.writes().containing("dynajournal_snapshots")))
                .allSatisfy(request -> assertThat(request.operation()).isEqualTo("PutItem"));
        assertThat(recover(systems.start()).events()).containsExactly("a", "b", "c", "d");
    }

    /** A save of another node replaces an acknowledged snapshot of the same sequence number, and is reported as failed. */
    @Test
    void aFailedSaveOfAnotherNodeKeepsASnapshotOfTheSameSequenceNumber() {
        Entity first = recover(systems.start());
        first.adds("a", "b", "c");
        ActorSystem node = impatient();
        Entity second = recover(node);
        first.saves();
        first.deletesTo(3);
        proxy.when(saves("dynajournal_snapshots")).always().loseReply();
        proxy.when(RequestMatch.operation("Query").containing("dynajournal_snapshots"))
                .answer(ErrorAnswer.of(400, "AccessDeniedException", "No."));
        second.tell(new Ledger.Save());
        second.probe().expect(SaveSnapshotFailure.class);
        proxy.clear();
        assertThat(recover(node).events()).containsExactly("a", "b", "c");
        assertThat(proxy.requests(RequestMatch.writes().containing("dynajournal_snapshots")))
                .allSatisfy(request -> assertThat(request.operation()).isEqualTo("PutItem"));
        assertThat(recover(systems.start()).events()).containsExactly("a", "b", "c");
    }

    /** The table holds one snapshot for each persistence id: the new one has replaced the old one. */
    @Test
    void aFailedSaveOnATableOfAkka2KeepsTheState() {
        Adopted adopted = new Adopted(local, systems);
        adopted.create(Layout.AKKA2);
        FaultProxy through = local.proxy();
        Entity entity = recover(adopted.start("impatient-akka2", "", through.endpoint()));
        entity.adds("a", "b", "c");
        entity.saves();
        entity.deletesTo(3);
        entity.adds("d", "e");
        through.when(saves(adopted.snapshots)).always().loseReply();
        through.when(RequestMatch.operation("Query").containing(adopted.snapshots))
                .answer(ErrorAnswer.of(400, "AccessDeniedException", "No."));
        entity.tell(new Ledger.Save());
        entity.probe().expect(SaveSnapshotFailure.class);
        through.clear();
        entity.adds("f");
        assertThat(recover(adopted.start("adopted-akka2", "")).events()).containsExactly("a", "b", "c", "d", "e", "f");
    }

    /** Its own sequence number was used up by a rejected event, and the other writer has an event there. */
    @Test
    void theSnapshotOfAStaleWriterHidesNoEventOfAnother() {
        Entity stale = recover(systems.start());
        stale.adds("a", "b");
        Entity other = recover(systems.start());
        stale.tell(new Ledger.Add(new Unserializable()));
        stale.probe().expect(Ledger.Rejected.class);
        stale.tell(new Ledger.Save());
        assertThat(stale.probe().expect(SaveSnapshotFailure.class).cause())
                .hasMessageContaining(id)
                .hasMessageContaining("Snapshot 3 ")
                .hasMessageContaining("rejected");
        other.adds("c");
        assertThat(recover(systems.start()).events()).containsExactly("a", "b", "c");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void aSnapshotAfterTheNextStoredEventIsSaved(int rejections) {
        Entity entity = recover(systems.start());
        entity.adds("a");
        for (int i = 0; i < rejections; i++) {
            entity.tell(new Ledger.Add(new Unserializable()));
            entity.probe().expect(Ledger.Rejected.class);
        }
        entity.tell(new Ledger.Save());
        entity.probe().expect(SaveSnapshotFailure.class);
        entity.adds("b");
        entity.saves();
        entity.deletesTo(2L + rejections);
        assertThat(recover(systems.start()).events()).containsExactly("a", "b");
    }
}
