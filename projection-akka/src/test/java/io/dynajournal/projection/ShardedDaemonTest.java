package io.dynajournal.projection;

import static org.assertj.core.api.Assertions.assertThat;

import akka.actor.typed.ActorSystem;
import akka.actor.typed.javadsl.Adapter;
import akka.cluster.Cluster;
import akka.cluster.ClusterEvent;
import akka.cluster.Member;
import akka.cluster.MemberStatus;
import akka.cluster.sharding.typed.ShardedDaemonProcessSettings;
import akka.cluster.sharding.typed.javadsl.ShardedDaemonProcess;
import akka.japi.Pair;
import akka.persistence.query.typed.EventEnvelope;
import akka.projection.Projection;
import akka.projection.ProjectionBehavior;
import akka.projection.ProjectionId;
import akka.projection.eventsourced.javadsl.EventSourcedProvider;
import io.dynajournal.projection.javadsl.DynajournalProjection;
import io.dynajournal.testkit.Await;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Projections as sharded daemon processes: nodes come and go, and the number of instances changes. */
final class ShardedDaemonTest {

    private static final int ENTITIES = 12;

    @RegisterExtension
    final Fixture fixture = new Fixture();

    /** The nodes that have handled events. */
    private final Set<String> handledBy = ConcurrentHashMap.newKeySet();

    private ActorSystem<Void> node(String layout) {
        return fixture.start("include \"cluster\"\ndynajournal.projection.layout = " + layout + "\n");
    }

    private static void join(ActorSystem<Void> node, ActorSystem<Void> seed) {
        Cluster cluster = Cluster.get(Adapter.toClassic(node));
        cluster.join(Cluster.get(Adapter.toClassic(seed)).selfMember().address());
        Runs.until(() -> cluster.selfMember().status().equals(MemberStatus.up()));
    }

    private static long members(ActorSystem<Void> node) {
        ClusterEvent.CurrentClusterState state =
                Cluster.get(Adapter.toClassic(node)).state();
        return StreamSupport.stream(state.getMembers().spliterator(), false)
                .map(Member::status)
                .filter(status -> status.equals(MemberStatus.up()))
                .count();
    }

    private void run(ActorSystem<Void> node, int instances) {
        List<Pair<Integer, Integer>> ranges = EventSourcedProvider.sliceRanges(node, "dynajournal.query", instances);
        ShardedDaemonProcess.get(node)
                .init(
                        ProjectionBehavior.Command.class,
                        "popularity",
                        instances,
                        instance -> ProjectionBehavior.create(projection(node, ranges.get(instance))),
                        ShardedDaemonProcessSettings.create(node),
                        Optional.of(ProjectionBehavior.stopMessage()));
    }

    private Projection<EventEnvelope<String>> projection(ActorSystem<Void> node, Pair<Integer, Integer> range) {
        String name = node.address().toString();
        return DynajournalProjection.exactlyOnce(
                ProjectionId.of(Runs.NAME, range.first() + "-" + range.second()),
                EventSourcedProvider.eventsBySlices(
                        node, "dynajournal.query", fixture.entityType, range.first(), range.second()),
                () -> envelope -> {
                    handledBy.add(name);
                    return CompletableFuture.completedFuture(
                            List.of(fixture.count(envelope.persistenceId(), envelope.sequenceNr())));
                },
                node);
    }

    private void write(Writers writers, Set<String> expected) {
        for (int i = 0; i < ENTITIES; i++) {
            // Spread over the slices, unlike names that differ in their last character only.
            String id = fixture.entityType + "|" + UUID.nameUUIDFromBytes(new byte[] {(byte) i});
            expected.add(id + "/" + Await.result(writers.send(id)));
        }
    }

    private void awaitProjected(Set<String> expected) {
        Runs.until(() -> fixture.counts().keySet().containsAll(expected));
        assertThat(fixture.counts().keySet()).isEqualTo(expected);
        assertThat(fixture.counts().values()).containsOnly(1L);
    }

    @ParameterizedTest
    @ValueSource(strings = {"timestamp-offset", "packed"})
    void eachEventTakesEffectOnceWhileNodesComeAndGo(String layout) {
        fixture.createReadModel();
        ActorSystem<Void> first = node(layout);
        fixture.createOffsets(first);
        join(first, first);
        ActorSystem<Void> second = node(layout);
        join(second, first);
        Runs.until(() -> members(first) == 2);
        Writers writers = new Writers(first, "dynajournal.journal");
        Set<String> expected = new TreeSet<>();
        run(first, 4);
        run(second, 4);
        Runs.until(() -> {
            write(writers, expected);
            return handledBy.size() == 2;
        });
        awaitProjected(expected);

        // A third node takes over what the second one did. Events are written meanwhile.
        ActorSystem<Void> third = node(layout);
        join(third, first);
        run(third, 4);
        CompletableFuture<Void> left = CompletableFuture.runAsync(() -> fixture.stop(second));
        write(writers, expected);
        Await.result(left);
        handledBy.clear();
        write(writers, expected);
        awaitProjected(expected);
        assertThat(handledBy).doesNotContain(second.address().toString());
        fixture.stop(third);
        fixture.stop(first);

        // Other numbers of instances.
        for (int instances : List.of(8, 1)) {
            ActorSystem<Void> alone = node(layout);
            join(alone, alone);
            Writers later = new Writers(alone, "dynajournal.journal");
            write(later, expected);
            run(alone, instances);
            awaitProjected(expected);
            fixture.stop(alone);
        }
    }
}
