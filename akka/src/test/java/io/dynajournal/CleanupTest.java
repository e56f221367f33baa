package io.dynajournal;

import static org.assertj.core.api.Assertions.assertThat;

import akka.actor.ActorRef;
import akka.actor.ActorSystem;
import akka.actor.PoisonPill;
import akka.actor.Terminated;
import akka.actor.typed.javadsl.Adapter;
import akka.persistence.SaveSnapshotSuccess;
import akka.stream.javadsl.Sink;
import akka.stream.javadsl.Source;
import io.dynajournal.cleanup.javadsl.DurableStateCleanup;
import io.dynajournal.cleanup.javadsl.EventSourcedCleanup;
import io.dynajournal.exception.SettingsException;
import io.dynajournal.exception.StoreException;
import io.dynajournal.internal.catalog.Layout;
import io.dynajournal.testkit.Await;
import io.dynajournal.testkit.LocalDynamo;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import scala.jdk.javaapi.CollectionConverters;
import scala.jdk.javaapi.FutureConverters;

/** Clean-ups of entities through actor systems, on every layout. */
final class CleanupTest {

    private static final String CLEANUP = "the-cleanup";

    @RegisterExtension
    final LocalDynamo local = new LocalDynamo();

    @RegisterExtension
    final Systems systems = new Systems();

    private final String id = Systems.freshId();

    private record Entity(Probe probe, ActorRef ledger, long seqNr) {

        void adds(String... events) {
            for (String event : events) {
                ledger.tell(new Ledger.Add(event), ActorRef.noSender());
                probe.expect(Ledger.Added.class);
            }
        }

        void saves() {
            ledger.tell(new Ledger.Save(), ActorRef.noSender());
            probe.expect(SaveSnapshotSuccess.class);
        }

        List<String> events() {
            return probe.state(ledger).events();
        }

        void stops() {
            probe.watch(ledger);
            ledger.tell(PoisonPill.getInstance(), ActorRef.noSender());
            probe.expect(Terminated.class);
        }
    }

    private static Entity recover(ActorSystem system, String id) {
        Probe probe = new Probe(system);
        ActorRef ledger = system.actorOf(Ledger.props(id, probe.ref()));
        long seqNr = probe.expect(Ledger.Recovered.class).seqNr();
        return new Entity(probe, ledger, seqNr);
    }

    private Entity recover(ActorSystem system) {
        return recover(system, id);
    }

    private static void done(CompletionStage<?> stage) {
        Await.result(stage);
    }

    private static String block(String journal, String snapshots) {
        return CLEANUP + " = ${dynajournal.cleanup}\n" + CLEANUP + " { journal-plugin-id = \"" + journal
                + "\", snapshot-plugin-id = \"" + snapshots + "\", log-progress-every = 2 }";
    }

    @Test
    void nativeEntities() {
        entitiesAreCleanedUp(systems.start(), "dynajournal.cleanup");
    }

    @ParameterizedTest
    @CsvSource({
        "AKKA1, adopted-akka1, my-dynamodb-journal, my-dynamodb-snapshot-store",
        "AKKA2, adopted-akka2-copy, second-dynamodb.journal, second-dynamodb.snapshot",
        "J5IK2O, adopted-j5ik2o, j5ik2o.dynamo-db-journal, j5ik2o.dynamo-db-snapshot",
        "SCLASEN, adopted-sclasen, dynamodb-journal, dynajournal.snapshot"
    })
    void adoptedEntities(Layout layout, String settings, String journal, String snapshots) {
        Adopted adopted = new Adopted(local, systems);
        adopted.create(layout);
        entitiesAreCleanedUp(adopted.start(settings, block(journal, snapshots)), CLEANUP);
    }

    private void entitiesAreCleanedUp(ActorSystem system, String path) {
        EventSourcedCleanup cleanup = new EventSourcedCleanup(system, path);
        Entity entity = recover(system);
        entity.adds("a", "b", "c");
        entity.saves();
        entity.adds("d");
        // The entity is alive, and continues.
        done(cleanup.cleanupBeforeSnapshot(id));
        entity.adds("e");
        assertThat(recover(system).events()).containsExactly("a", "b", "c", "d", "e");
        // The events that only the snapshot has left are gone.
        done(cleanup.deleteSnapshot(id));
        Entity second = recover(system);
        assertThat(second.events()).containsExactly("d", "e");
        done(cleanup.deleteEventsTo(id, 4));
        done(cleanup.deleteEventsTo(id, 2));
        assertThat(recover(system).events()).containsExactly("e");
        done(cleanup.deleteAll(List.of(id), false));
        Entity third = recover(system);
        assertThat(third.events()).isEmpty();
        assertThat(third.seqNr()).isEqualTo(5);
        third.adds("f");
        third.saves();
        third.stops();
        done(cleanup.deleteAll(Source.single(id), true));
        done(cleanup.deleteAll(Source.single(id), true));
        Entity fourth = recover(system);
        assertThat(fourth.events()).isEmpty();
        assertThat(fourth.seqNr()).isZero();
        fourth.adds("g");
        assertThat(recover(system).events()).containsExactly("g");
    }

    @Test
    void theBlockOf2xIsHonoured() {
        Adopted adopted = new Adopted(local, systems);
        adopted.create(Layout.AKKA2);
        ActorSystem system = adopted.start(
                "adopted-akka2-copy",
                "second-dynamodb { cleanup { log-progress-every = 1, parallelism = 1 }"
                        + ", time-to-live.event-sourced-defaults.use-time-to-live-for-deletes = 7 days }");
        recover(system).adds("a", "b");
        // At once, although the deletes of entities only set an expiry.
        done(new EventSourcedCleanup(system, "second-dynamodb.cleanup").deleteAllEvents(List.of(id), false));
        Entity after = recover(system);
        assertThat(after.events()).isEmpty();
        assertThat(after.seqNr()).isEqualTo(2);
    }

    @Test
    void allEntitiesOfATypeAreCleanedUpWithProgress() {
        ActorSystem system = systems.start();
        String type = "Type" + UUID.randomUUID();
        List<String> ids = IntStream.range(0, 7).mapToObj(n -> type + "|" + n).toList();
        ids.forEach(each -> recover(system, each).adds("a", "b"));
        recover(system).adds("other");
        List<String> cleaned = new ArrayList<>();
        EventSourcedCleanup cleanup = new EventSourcedCleanup(system).withProgress(cleaned::add);
        done(cleanup.deleteEventsBefore(cleanup.persistenceIds(type), Instant.EPOCH.plusSeconds(1)));
        assertThat(recover(system, ids.get(0)).events()).containsExactly("a", "b");
        done(cleanup.deleteEventsBefore(
                cleanup.persistenceIds(type), Instant.now().plusSeconds(60)));
        assertThat(cleaned).hasSize(14);
        assertThat(cleaned.subList(7, 14)).containsExactlyInAnyOrderElementsOf(ids);
        for (String each : ids) {
            Entity entity = recover(system, each);
            assertThat(entity.events()).isEmpty();
            assertThat(entity.seqNr()).isEqualTo(2);
        }
        assertThat(recover(system).events()).containsExactly("other");
        assertThat(Await.result(cleanup.persistenceIds(type).runWith(Sink.seq(), system)))
                .containsExactlyInAnyOrderElementsOf(ids);
        done(cleanup.deleteAll(cleanup.persistenceIds(type), true));
        assertThat(Await.result(cleanup.persistenceIds(type).runWith(Sink.seq(), system)))
                .isEmpty();
    }

    @Test
    void aResetStopsAnEntityOfTheSameActorSystem() {
        ActorSystem system = systems.start();
        Entity entity = recover(system);
        entity.adds("a", "b");
        done(new EventSourcedCleanup(system).deleteAll(id, true));
        entity.ledger().tell(new Ledger.Add("c"), ActorRef.noSender());
        assertThat(entity.probe().expect(Ledger.Failed.class).cause()).isInstanceOf(StoreException.WriteConflict.class);
        assertThat(recover(system).seqNr()).isZero();
    }

    /** The documented limit: the entity of another process cannot be stopped. Its recovery fails; nothing is lost silently. */
    @Test
    void aResetUnderAnEntityOfAnotherActorSystemLeavesAGap() {
        Entity entity = recover(systems.start());
        entity.adds("a", "b");
        EventSourcedCleanup cleanup = new EventSourcedCleanup(systems.start());
        done(cleanup.deleteAll(id, true));
        entity.adds("c");
        ActorSystem third = systems.start();
        Probe recovering = new Probe(third);
        third.actorOf(Ledger.props(id, recovering.ref()));
        assertThat(recovering.expect(Ledger.RecoveryFailed.class).cause())
                .isInstanceOf(StoreException.LogDamaged.class)
                .hasMessageContaining(id);
        done(cleanup.deleteAll(id, true));
        assertThat(recover(third).seqNr()).isZero();
    }

    @Test
    void aCallbackThatThrowsEndsTheCleanup() {
        ActorSystem system = systems.start();
        EventSourcedCleanup cleanup = new EventSourcedCleanup(system).withProgress(cleaned -> {
            throw new IllegalStateException("enough");
        });
        assertThat(Await.failure(cleanup.deleteAllEvents(List.of("x", "y"), false), IllegalStateException.class))
                .hasMessage("enough");
    }

    @Test
    void wrongSettingsAreNamed() {
        ActorSystem system = systems.start("wrong-cleanup = ${dynajournal.cleanup}\nwrong-cleanup.parallelism = 0");
        assertThat(org.assertj.core.api.Assertions.catchThrowable(
                        () -> new EventSourcedCleanup(system, "wrong-cleanup")))
                .isInstanceOf(SettingsException.class)
                .hasMessageContaining("wrong-cleanup.parallelism");
        assertThat(org.assertj.core.api.Assertions.catchThrowable(() -> new EventSourcedCleanup(system, "no-cleanup")))
                .isInstanceOf(SettingsException.class)
                .hasMessageContaining("no-cleanup");
    }

    @Test
    void scalaForm() {
        ActorSystem system = systems.start();
        recover(system).adds("a", "b");
        var cleanup = new io.dynajournal.cleanup.scaladsl.EventSourcedCleanup(system);
        done(FutureConverters.asJava(cleanup.deleteEventsTo(id, 1)));
        assertThat(recover(system).events()).containsExactly("b");
        List<String> cleaned = new ArrayList<>();
        done(FutureConverters.asJava(cleanup.withProgress(cleaned::add)
                .deleteAll(CollectionConverters.asScala(List.of(id)).toSeq(), false)));
        assertThat(cleaned).containsExactly(id);
        assertThat(recover(system).events()).isEmpty();
    }

    @Test
    void durableStates() {
        ActorSystem system = systems.start();
        String type = "Note" + UUID.randomUUID();
        Probe probe = new Probe(system);
        DurableStateCleanup cleanup = new DurableStateCleanup(system);
        akka.actor.typed.ActorRef<Note.Command> alive = note(system, probe, type + "|1");
        assertThat(probe.expect(Note.Holds.class).text()).isEmpty();
        alive.tell(new Note.Write("a"));
        assertThat(probe.expect(Note.Holds.class).text()).isEqualTo("a");
        Instant old = Instant.now().minusSeconds(60);
        done(cleanup.deleteStatesBefore(cleanup.persistenceIds(type), old));
        note(system, probe, type + "|1");
        assertThat(probe.expect(Note.Holds.class).text()).isEqualTo("a");
        done(cleanup.deleteStatesBefore(cleanup.persistenceIds(type), old.plusSeconds(120)));
        note(system, probe, type + "|1");
        assertThat(probe.expect(Note.Holds.class).text()).isEmpty();
        // The entity that was alive is stopped by its next write.
        probe.watch(Adapter.toClassic(alive));
        alive.tell(new Note.Write("b"));
        probe.expect(Terminated.class);
        assertThat(stateIds(cleanup, type, system)).containsExactly(type + "|1");
        done(cleanup.deleteTombstones(cleanup.persistenceIds(type)));
        assertThat(stateIds(cleanup, type, system)).isEmpty();
        note(system, probe, type + "|2").tell(new Note.Write("c"));
        assertThat(probe.expect(2, Note.Holds.class))
                .extracting(Note.Holds::text)
                .containsExactly("", "c");
        done(cleanup.deleteTombstones(List.of(type + "|2")));
        assertThat(stateIds(cleanup, type, system)).hasSize(1);
        done(cleanup.deleteState(type + "|2", true));
        assertThat(stateIds(cleanup, type, system)).isEmpty();
        var scala = new io.dynajournal.cleanup.scaladsl.DurableStateCleanup(system);
        done(FutureConverters.asJava(scala.deleteState(type + "|2", false)));
    }

    private static List<String> stateIds(DurableStateCleanup cleanup, String type, ActorSystem system) {
        return Await.result(cleanup.persistenceIds(type).runWith(Sink.seq(), system));
    }

    private static akka.actor.typed.ActorRef<Note.Command> note(ActorSystem system, Probe probe, String id) {
        return Adapter.spawnAnonymous(system, Note.of(id, Adapter.toTyped(probe.ref()), ""));
    }
}
