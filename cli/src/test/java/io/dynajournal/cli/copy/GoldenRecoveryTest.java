package io.dynajournal.cli.copy;

import static org.assertj.core.api.Assertions.assertThat;

import akka.actor.ActorSystem;
import akka.actor.Props;
import akka.persistence.AbstractPersistentActor;
import akka.persistence.Recovery;
import akka.persistence.RecoveryCompleted;
import akka.persistence.SnapshotOffer;
import akka.persistence.SnapshotSelectionCriteria;
import com.typesafe.config.ConfigFactory;
import io.dynajournal.internal.catalog.Layout;
import io.dynajournal.testkit.GoldenSet;
import io.dynajournal.testkit.LocalDynamo;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import software.amazon.awssdk.protocols.jsoncore.JsonNode;

/** What the real predecessors wrote is copied into the native layout, and an actor system on that recovers all of it. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class GoldenRecoveryTest {

    @RegisterExtension
    final LocalDynamo local = new LocalDynamo();

    private final TestStores stores = new TestStores(local);

    private record Recovered(List<String> events, long snapshot, long lastSeqNr) {}

    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "akka-2.0.12, akka2, event_journal, snapshot",
        "akka-1.3.0, akka1, akka-persistence, akka-persistence-snapshot",
        "akka-1.3.0-java-serialization, akka1, akka-persistence, akka-persistence-snapshot",
        "pekko-1.1.0, akka1, pekko-persistence, pekko-persistence-snapshot",
        "j5ik2o-1.16.492, j5ik2o, Journal, Snapshot"
    })
    void actorSystemRecoversWhatWasCopied(String set, String layout, String journal, String snapshots)
            throws Exception {
        GoldenSet golden = new GoldenSet(set);
        TestStores.Tables old = stores.create(Layout.named(layout));
        golden.load(local, journal, old.journal().table().name());
        golden.load(local, snapshots, old.snapshots().table().name());
        TestStores.Tables moved = stores.create(Layout.COMMITS);
        Copy copy = new Copy(
                old.open(stores.dynamo()),
                moved.open(stores.dynamo()),
                new TestStores.Positions(),
                4,
                () -> false,
                () -> Long.MAX_VALUE);
        copy.pass();
        assertThat(copy.report().failures()).isEmpty();

        ActorSystem system = start(moved);
        try {
            for (Map.Entry<String, JsonNode> each : golden.facts().entrySet()) {
                String id = each.getKey();
                JsonNode facts = each.getValue();
                Recovered all = recover(system, id, Recovery.create(SnapshotSelectionCriteria.none()));
                assertThat(all.lastSeqNr()).as("end of %s", id).isEqualTo(number(facts, "highestSeqNr"));
                assertThat(all.events())
                        .as("events of %s", id)
                        .isEqualTo(GoldenSet.field(facts, "events").asArray().stream()
                                .map(event -> number(event, "seqNr") + " "
                                        + GoldenSet.field(event, "event").asString())
                                .toList());
                long newest = GoldenSet.field(facts, "snapshots").asArray().stream()
                        .mapToLong(snapshot -> number(snapshot, "seqNr"))
                        .max()
                        .orElse(0);
                assertThat(recover(system, id, Recovery.create()).snapshot())
                        .as("snapshot of %s", id)
                        .isEqualTo(newest);
            }
        } finally {
            system.terminate();
            system.getWhenTerminated().toCompletableFuture().get(30, TimeUnit.SECONDS);
        }
    }

    private ActorSystem start(TestStores.Tables tables) {
        return ActorSystem.create(
                "golden",
                ConfigFactory.load(ConfigFactory.parseString(String.join(
                        "\n",
                        "akka.persistence.journal.plugin = dynajournal.journal",
                        "akka.persistence.snapshot-store.plugin = dynajournal.snapshot",
                        "akka.actor.allow-java-serialization = on",
                        "akka.actor.warn-about-java-serializer-usage = off",
                        "dynajournal.client.endpoint = \"" + local.endpoint() + "\"",
                        "dynajournal.journal.table = \""
                                + tables.journal().table().name() + "\"",
                        "dynajournal.snapshot.table = \""
                                + tables.snapshots().table().name() + "\""))));
    }

    private static Recovered recover(ActorSystem system, String id, Recovery recovery) throws Exception {
        CompletableFuture<Recovered> recovered = new CompletableFuture<>();
        system.actorOf(Props.create(Entity.class, () -> new Entity(id, recovery, recovered)));
        return recovered.get(30, TimeUnit.SECONDS);
    }

    private static long number(JsonNode node, String name) {
        return Long.parseLong(GoldenSet.field(node, name).asNumber());
    }

    /** Recovers, reports what it got, and stops. */
    private static final class Entity extends AbstractPersistentActor {
        private final String id;
        private final Recovery recovery;
        private final CompletableFuture<Recovered> recovered;
        private final List<String> events = new ArrayList<>();
        private long snapshot;

        Entity(String id, Recovery recovery, CompletableFuture<Recovered> recovered) {
            this.id = id;
            this.recovery = recovery;
            this.recovered = recovered;
        }

        @Override
        public String persistenceId() {
            return id;
        }

        @Override
        public Recovery recovery() {
            return recovery;
        }

        @Override
        public Receive createReceiveRecover() {
            return receiveBuilder()
                    .match(
                            SnapshotOffer.class,
                            offer -> snapshot = offer.metadata().sequenceNr())
                    .match(RecoveryCompleted.class, done -> {
                        recovered.complete(new Recovered(events, snapshot, lastSequenceNr()));
                        getContext().stop(getSelf());
                    })
                    .matchAny(event -> events.add(lastSequenceNr() + " " + event))
                    .build();
        }

        @Override
        public void onRecoveryFailure(Throwable cause, scala.Option<Object> event) {
            recovered.completeExceptionally(cause);
        }

        @Override
        public Receive createReceive() {
            return emptyBehavior();
        }
    }
}
