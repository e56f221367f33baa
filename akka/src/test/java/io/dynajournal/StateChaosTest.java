package io.dynajournal;

import static org.assertj.core.api.Assertions.assertThat;

import akka.actor.ActorSystem;
import akka.persistence.query.DurableStateChange;
import akka.persistence.query.NoOffset;
import akka.persistence.query.Offset;
import akka.persistence.query.UpdatedDurableState;
import io.dynajournal.internal.dynamo.AwsClient;
import io.dynajournal.internal.dynamo.Dynamo;
import io.dynajournal.internal.layout.commits.CommitsStates;
import io.dynajournal.internal.model.StateChange;
import io.dynajournal.internal.plugin.OpenPlugins;
import io.dynajournal.internal.store.Pages;
import io.dynajournal.internal.store.StateTable;
import io.dynajournal.internal.toolkit.PayloadSerde;
import io.dynajournal.listener.RequestListener;
import io.dynajournal.state.javadsl.DynajournalDurableStateStore;
import io.dynajournal.testkit.FaultProxy;
import io.dynajournal.testkit.LocalDynamo;
import io.dynajournal.testkit.RequestMatch;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;

/**
 * A live query of changes while eight processes with different clocks write the states of 1,000 ids, the index shows the rows
 * late and in any order, and the consumer is killed and started again. {@code -Dchaos.seed=} makes it another one.
 */
final class StateChaosTest {

    private static final long SEED = Long.getLong("chaos.seed", 1);
    private static final int IDS = 1_000;
    private static final int WRITES = 3_000;
    private static final int WRITERS = 8;
    private static final long LAG_MICROS = 2_000_000;

    @RegisterExtension
    final Systems systems = new Systems();

    private final String table = "chaos_" + UUID.randomUUID();
    private final FaultProxy proxy = Systems.proxy();
    private final Map<String, String> written = new ConcurrentHashMap<>();
    private final Map<String, String> seen = new HashMap<>();
    private final List<String> problems = new ArrayList<>();
    private Offset offset = NoOffset.getInstance();

    @AfterEach
    void close() {
        proxy.close();
    }

    private String settings() {
        return """

                dynajournal.state {
                  table = "%s"
                  index.partitions = 4
                  query {
                    refresh-interval = 400 ms
                    idle-refresh-interval = 800 ms
                    backtracking.window = %s
                    page-size = 50
                  }
                }
                """.formatted(table, System.getProperty("chaos.window", "6 s"));
    }

    @Test
    void consumerEndsWithTheFinalStateOfEveryId() {
        proxy.when(RequestMatch.operation("Query").containing("\"IndexName\":\"slices\""))
                .always()
                .show(row -> LaggingIndex.isShown(row, "ts", LAG_MICROS));
        ActorSystem writing = systems.start(settings());
        Reads.result(Tables.create(writing, StateReads.STORE));
        ActorSystem reading = systems.start(Systems.through(proxy) + settings());

        CompletableFuture<Void> writes = write(writing);
        Random random = new Random(SEED);
        int runs = 0;
        while (!isComplete(writes) && problems.isEmpty()) {
            runs++;
            consume(reading, writes, random.nextInt(4) == 0 ? Integer.MAX_VALUE : 20 + random.nextInt(800));
        }
        writes.join();
        assertThat(problems).isEmpty();
        assertThat(seen).hasSize(IDS).isEqualTo(written);
        assertThat(runs).isGreaterThan(1);
    }

    private boolean isComplete(CompletableFuture<Void> writes) {
        return writes.isDone() && (writes.isCompletedExceptionally() || seen.equals(written));
    }

    /** Each id is written at least once, and by one process. */
    private CompletableFuture<Void> write(ActorSystem system) {
        DynamoDbAsyncClient client = OpenPlugins.get(system).client("dynajournal.client");
        PayloadSerde serde = new PayloadSerde(system);
        CommitsStates layout = new CommitsStates(table, true, 4, true, 399_360, null);
        return CompletableFuture.allOf(IntStream.range(0, WRITERS)
                .mapToObj(writer -> {
                    Random random = new Random(SEED * WRITERS + writer);
                    Clock clock = Clock.offset(Clock.systemUTC(), Duration.ofMillis(random.nextInt(4_000) - 2_000));
                    StateTable states = layout.open(
                            new Dynamo(AwsClient.of(client), LocalDynamo.PATIENT, RequestListener.NONE, clock),
                            UUID.randomUUID().toString());
                    return write(states, serde, writer, random).toCompletableFuture();
                })
                .toArray(CompletableFuture<?>[]::new));
    }

    private CompletionStage<Void> write(StateTable states, PayloadSerde serde, int writer, Random random) {
        Map<String, Long> revisions = new HashMap<>();
        int share = IDS / WRITERS;
        return Pages.drain(0, done -> {
            if (done == WRITES / WRITERS) {
                return CompletableFuture.completedFuture(null);
            }
            String id = "chaos|" + ((done < share ? done : random.nextInt(share)) * WRITERS + writer);
            long revision = revisions.merge(id, 1L, Long::sum);
            boolean delete = revision > 1 && random.nextInt(10) == 0;
            String text = id + "/" + revision;
            CompletionStage<Void> stored = delete
                    ? states.write(StateChange.delete(id, revision))
                    : serde.payload(text)
                            .thenCompose(payload -> states.write(StateChange.update(id, revision, payload, "")));
            return stored.thenApply(there -> {
                written.put(id, id + " " + revision + " " + (delete ? "-" : text));
                return done + 1;
            });
        });
    }

    private void consume(ActorSystem system, CompletableFuture<Void> writes, int most) {
        DynajournalDurableStateStore<String> store = StateReads.store(system, StateReads.STORE);
        Reads.Consumer<DurableStateChange<String>> consumer =
                new Reads(system).consumer(store.changesBySlices("chaos", 0, 1023, offset));
        Map<String, Long> inThisRun = new HashMap<>();
        try {
            for (int i = 0; i < most && !isComplete(writes) && problems.isEmpty(); i++) {
                DurableStateChange<String> change = next(consumer, writes);
                if (change != null) {
                    take(change, inThisRun);
                }
            }
        } finally {
            consumer.stop();
        }
    }

    /** Null if there is nothing left to come. */
    private @Nullable DurableStateChange<String> next(
            Reads.Consumer<DurableStateChange<String>> consumer, CompletableFuture<Void> writes) {
        for (int patience = 0; patience < 60; patience++) {
            DurableStateChange<String> change = consumer.nextWithin(Duration.ofMillis(500));
            if (change != null || isComplete(writes)) {
                return change;
            }
        }
        problems.add("nothing came for 30 seconds");
        return null;
    }

    private void take(DurableStateChange<String> change, Map<String, Long> inThisRun) {
        String id = change.persistenceId();
        long revision = StateReads.revision(change);
        if (change instanceof UpdatedDurableState<String> updated
                && !updated.value().equals(id + "/" + revision)) {
            problems.add(updated.value() + " came as " + StateReads.text(change));
        }
        Long before = inThisRun.put(id, revision);
        if (before != null && revision <= before) {
            problems.add(id + " " + revision + " after " + before + " in a run");
        }
        seen.put(id, StateReads.text(change));
        offset = change.offset();
    }
}
