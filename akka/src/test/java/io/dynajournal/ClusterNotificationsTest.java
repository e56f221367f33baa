package io.dynajournal;

import static org.assertj.core.api.Assertions.assertThat;

import akka.actor.ActorSystem;
import akka.cluster.Cluster;
import akka.cluster.MemberStatus;
import akka.persistence.query.EventEnvelope;
import akka.persistence.query.NoOffset;
import akka.testkit.javadsl.TestKit;
import com.typesafe.config.ConfigFactory;
import io.dynajournal.internal.model.Slices;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A write on one node of a cluster wakes the queries on another. */
final class ClusterNotificationsTest {

    private static final int PARTITIONS = 16;

    /** No poll within it: what arrives was delivered by a notification. */
    private static final String PATIENT = """
            dynajournal.query { refresh-interval = 10 minutes, idle-refresh-interval = 10 minutes }
            patient-query = ${dynajournal.query}
            local-query = ${dynajournal.query}
            local-query.push.cluster = off
            """;

    @RegisterExtension
    final Systems systems = new Systems();

    private ActorSystem node(String settings) {
        return systems.start(ConfigFactory.parseResources("cluster.conf")
                .withFallback(Systems.settings(settings))
                .resolve());
    }

    private static void form(List<ActorSystem> nodes) {
        for (ActorSystem node : nodes) {
            Cluster.get(node).join(Cluster.get(nodes.get(0)).selfAddress());
        }
        for (ActorSystem node : nodes) {
            new TestKit(node)
                    .awaitCond(Duration.ofSeconds(60), Duration.ofMillis(100), () -> membersUp(node) == nodes.size());
        }
    }

    private static long membersUp(ActorSystem node) {
        return StreamSupport.stream(Cluster.get(node).state().getMembers().spliterator(), false)
                .filter(member -> member.status().equals(MemberStatus.up()))
                .count();
    }

    /** One for each partition of the index: a query looks at the partition of the next one when it is woken, or never. */
    private static List<String> idsOfDifferentPartitions() {
        List<String> ids = new ArrayList<>();
        Set<Integer> partitions = new HashSet<>();
        while (ids.size() < PARTITIONS) {
            String id = "Ledger|" + UUID.randomUUID();
            if (partitions.add(Slices.of(id) * PARTITIONS / Slices.COUNT)) {
                ids.add(id);
            }
        }
        return ids;
    }

    @Test
    void aWriteOnOneNodeWakesTheQueriesOnAnother() {
        String settings = Reads.freshTable() + PATIENT;
        ActorSystem writing = node(settings);
        ActorSystem reading = node(settings);
        form(List.of(writing, reading));
        Reads.result(Tables.create(writing, "dynajournal.journal"));
        Reads.result(Tables.create(writing, "dynajournal.snapshot"));
        Reads writer = new Reads(writing);
        Reads reader = new Reads(reading);
        List<String> ids = idsOfDifferentPartitions();
        String followed = ids.get(0);
        Reads.Consumer<akka.persistence.query.typed.EventEnvelope<String>> bySlices = reader.consumer(
                reader.journal("patient-query").<String>eventsBySlices("Ledger", 0, 1023, NoOffset.getInstance()));
        Reads.Consumer<akka.persistence.query.typed.EventEnvelope<String>> local = reader.consumer(
                reader.journal("local-query").<String>eventsBySlices("Ledger", 0, 1023, NoOffset.getInstance()));
        Reads.Consumer<EventEnvelope> byId =
                reader.consumer(reader.journal("patient-query").eventsByPersistenceId(followed, 0, Long.MAX_VALUE));
        // Nothing is there yet, so whatever they deliver came after their first look.
        assertThat(bySlices.nextWithin(Duration.ofSeconds(2))).isNull();
        assertThat(local.nextWithin(Duration.ofMillis(10))).isNull();
        assertThat(byId.nextWithin(Duration.ofMillis(10))).isNull();

        // Each node must hear of the other's subscription before anything can arrive.
        int used = 1;
        boolean linked = false;
        while (!linked && used < ids.size() - 3) {
            writer.add(writer.ledger(ids.get(used++)), "link");
            linked = bySlices.nextWithin(Duration.ofSeconds(8)) != null;
        }
        assertThat(linked).isTrue();

        for (int i = used; i < ids.size(); i++) {
            writer.add(writer.ledger(ids.get(i)), "e" + i);
            assertThat(bySlices.next().persistenceId()).isEqualTo(ids.get(i));
        }
        writer.add(writer.ledger(followed), "a", "b");
        assertThat(Reads.texts(byId.next(2))).containsExactly("a", "b");
        assertThat(local.nextWithin(Duration.ofMillis(500))).isNull();
        bySlices.stop();
        byId.stop();
        local.stop();
    }
}
