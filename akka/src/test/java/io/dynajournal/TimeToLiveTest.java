package io.dynajournal;

import static org.assertj.core.api.Assertions.assertThat;

import akka.actor.ActorRef;
import akka.actor.ActorSystem;
import akka.persistence.DeleteMessagesSuccess;
import akka.persistence.SaveSnapshotSuccess;
import io.dynajournal.cleanup.javadsl.EventSourcedCleanup;
import io.dynajournal.exception.StoreException;
import io.dynajournal.internal.catalog.Layout;
import io.dynajournal.testkit.Await;
import io.dynajournal.testkit.FaultProxy;
import io.dynajournal.testkit.LocalDynamo;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Entities with retention and restarts while their events and snapshots expire, by DynamoDB's clock, which the test moves. */
final class TimeToLiveTest {

    @RegisterExtension
    final LocalDynamo local = new LocalDynamo();

    @RegisterExtension
    final Systems systems = new Systems();

    private final FaultProxy proxy = Systems.proxy();
    private final String id = "Session-a|" + UUID.randomUUID();

    @AfterEach
    void close() {
        proxy.close();
    }

    private record Entity(Probe probe, ActorRef ledger, long seqNr) {

        void adds(String... events) {
            for (String event : events) {
                ledger.tell(new Ledger.Add(event), ActorRef.noSender());
                probe.expect(Ledger.Added.class);
            }
        }

        void savesAndDeletesTo(long seqNr) {
            ledger.tell(new Ledger.Save(), ActorRef.noSender());
            probe.expect(SaveSnapshotSuccess.class);
            ledger.tell(new Ledger.DeleteTo(seqNr), ActorRef.noSender());
            probe.expect(DeleteMessagesSuccess.class);
        }

        List<String> events() {
            return probe.state(ledger).events();
        }
    }

    private static Entity recover(ActorSystem system, String id) {
        Probe probe = new Probe(system);
        ActorRef ledger = system.actorOf(Ledger.props(id, probe.ref()));
        return new Entity(probe, ledger, probe.expect(Ledger.Recovered.class).seqNr());
    }

    /** The clock of a system follows the server's from its next answer on. */
    private static void moveTo(FaultProxy proxy, ActorSystem system, Duration ahead) {
        proxy.moveDate(ahead);
        recover(system, "nobody");
    }

    @Test
    void nativeEventsAndSnapshotsExpireByEntityType() {
        String rules = "{ entities { \"Ses*\" { event-time-to-live = 1 d, snapshot-time-to-live = 2 d }"
                + ", \"Session*\" { event-time-to-live = 1 h, snapshot-time-to-live = 2 h } } }";
        ActorSystem system = systems.start(Systems.through(proxy)
                + "\ndynajournal.journal.time-to-live " + rules.replaceAll(", snapshot-[^}]*", " ")
                + "\ndynajournal.snapshot.time-to-live " + rules.replaceAll("event-[^,]*, ", ""));
        String other = Systems.freshId();
        recover(system, other).adds("x");
        Entity entity = recover(system, id);
        entity.adds("a", "b");
        entity.savesAndDeletesTo(1);
        entity.adds("c");
        moveTo(proxy, system, Duration.ofMinutes(90));
        // The events have expired, the snapshot has not.
        Entity second = recover(system, id);
        assertThat(second.events()).containsExactly("a", "b");
        assertThat(second.seqNr()).isBetween(3L, 103L);
        second.adds("d");
        assertThat(recover(system, id).events()).containsExactly("a", "b", "d");
        moveTo(proxy, system, Duration.ofHours(5));
        Entity third = recover(system, id);
        assertThat(third.events()).isEmpty();
        assertThat(third.seqNr()).isGreaterThan(second.seqNr());
        assertThat(recover(system, other).events()).containsExactly("x");
    }

    private static final String SESSIONS =
            "\ndynajournal.journal.time-to-live.entities.\"Session*\".event-time-to-live = 1 h";

    /** Retention that deletes everything, a network split, and a restart in the last minute of the newest event. */
    @Test
    void twoNodesNeverBothContinueAnEntityWhoseEventsAreGone() {
        ActorSystem one = systems.start(Systems.through(proxy) + SESSIONS);
        ActorSystem two = systems.start(Systems.through(proxy) + SESSIONS);
        Entity living = recover(one, id);
        living.adds("a", "b");
        living.savesAndDeletesTo(2);
        Entity second = recover(two, id);
        assertThat(second.events()).containsExactly("a", "b");
        second.adds("c");
        living.ledger().tell(new Ledger.Add("lost"), ActorRef.noSender());
        assertThat(living.probe().expect(Ledger.Failed.class).cause()).isInstanceOf(StoreException.WriteConflict.class);
        second.adds("d");
        assertThat(recover(one, id).events()).containsExactly("a", "b", "c", "d");
        proxy.moveDate(Duration.ofMinutes(59).plusSeconds(30));
        recover(one, "nobody");
        Entity late = recover(one, id);
        late.adds("e");
        Entity last = recover(one, id);
        // The snapshot, and what was written in the last minute.
        assertThat(last.events()).containsExactly("a", "b", "e");
        assertThat(last.seqNr()).isEqualTo(late.seqNr() + 1);
    }

    /** Older events have no expiry, and DynamoDB removes the newest ones first. */
    @Test
    void olderEventsAreNotReplayedWithoutTheNewestThatHaveExpired() {
        recover(systems.start(Systems.through(proxy)), id).adds("a", "b");
        ActorSystem system = systems.start(Systems.through(proxy) + SESSIONS);
        recover(system, id).adds("c", "d");
        moveTo(proxy, system, Duration.ofMinutes(61));
        String table = system.settings().config().getString("dynajournal.journal.table");
        for (String key : List.of("4", "3")) {
            Dynajournal.client(system, "dynajournal.client")
                    .deleteItem(delete -> delete.tableName(table)
                            .key(Map.of("pid", AttributeValue.fromS(id), "seq", AttributeValue.fromN(key))))
                    .join();
        }
        Probe probe = new Probe(system);
        system.actorOf(Ledger.props(id, probe.ref()));
        assertThat(probe.expect(Ledger.RecoveryFailed.class).cause()).isInstanceOf(StoreException.LogMoved.class);
        Entity again = recover(system, id);
        assertThat(again.events()).isEmpty();
        assertThat(again.seqNr()).isGreaterThanOrEqualTo(4);
        again.adds("e");
        assertThat(recover(system, id).events()).containsExactly("e");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "time-to-live { check-expiry = on, use-time-to-live-for-deletes = 7 days }",
                "time-to-live.event-sourced-entities { \"Session*\" { use-time-to-live-for-deletes = 7 days } }"
            })
    void bothFormsOf2xAreHonoured(String settings) {
        Adopted adopted = new Adopted(local, systems);
        adopted.create(Layout.AKKA2);
        FaultProxy through = local.proxy();
        ActorSystem system =
                adopted.start("adopted-akka2-copy", "second-dynamodb { " + settings + " }", through.endpoint());
        Entity entity = recover(system, id);
        entity.adds("a", "b", "c");
        entity.savesAndDeletesTo(2);
        Await.result(new EventSourcedCleanup(system, "second-dynamodb.cleanup").deleteSnapshot(id));
        assertThat(recover(system, id).events()).containsExactly("a", "b", "c");
        moveTo(through, system, Duration.ofDays(8));
        Entity after = recover(system, id);
        assertThat(after.events()).containsExactly("c");
        assertThat(after.seqNr()).isEqualTo(3);
    }

    @Test
    void aCleanUpSetsAnExpiry() {
        ActorSystem system = systems.start(Systems.through(proxy));
        EventSourcedCleanup cleanup = new EventSourcedCleanup(system);
        recover(system, id).adds("a", "b", "c");
        Await.result(cleanup.setExpiryForEvents(id, 1, Duration.ofHours(1)));
        Await.result(cleanup.setExpiryForAllEventsAndSnapshots(List.of(id), false, Duration.ofDays(1)));
        Await.result(cleanup.setExpiryForEvents(id, 1, Duration.ofHours(1)));
        moveTo(proxy, system, Duration.ofHours(2));
        assertThat(recover(system, id).events()).containsExactly("b", "c");
        moveTo(proxy, system, Duration.ofDays(2));
        Entity after = recover(system, id);
        assertThat(after.events()).isEmpty();
        assertThat(after.seqNr()).isEqualTo(3);
    }

    @Test
    void aLayoutWithoutExpirySaysSo() {
        Adopted adopted = new Adopted(local, systems);
        adopted.create(Layout.AKKA1);
        ActorSystem system = adopted.start(
                "adopted-akka1",
                "c = ${dynajournal.cleanup}\nc { journal-plugin-id = my-dynamodb-journal"
                        + ", snapshot-plugin-id = my-dynamodb-snapshot-store }");
        EventSourcedCleanup cleanup = new EventSourcedCleanup(system, "c");
        assertThat(Await.failure(
                        cleanup.setExpiryForAllEvents(id, false, Duration.ofDays(1)),
                        UnsupportedOperationException.class))
                .hasMessageContaining("akka1")
                .hasMessageContaining("commits");
        Await.failure(cleanup.setExpiryForSnapshot(id, Duration.ofDays(1)), UnsupportedOperationException.class);
    }

    @Test
    void tablesEnableTimeToLiveAndVerificationSaysWhenItIsOff() {
        String table = "ttl_" + UUID.randomUUID();
        ActorSystem system = systems.start("dynajournal.journal { table = \"" + table
                + "\", create-tables = off, time-to-live.event-time-to-live = 1 d }");
        Await.result(Tables.create(system, "dynajournal.journal"));
        Await.result(Tables.verify(system, "dynajournal.journal"));
        Dynajournal.client(system, "dynajournal.client")
                .updateTimeToLive(update -> update.tableName(table)
                        .timeToLiveSpecification(ttl -> ttl.enabled(false).attributeName("exp")))
                .join();
        assertThat(Await.failure(Tables.verify(system, "dynajournal.journal"), StoreException.Refused.class))
                .hasMessageContaining(table)
                .hasMessageContaining("update-time-to-live");
        // Events are stored all the same.
        recover(system, id).adds("a");
        Await.result(Tables.create(system, "dynajournal.journal"));
        Await.result(Tables.verify(system, "dynajournal.journal"));
    }
}
