package io.dynajournal;

import static org.assertj.core.api.Assertions.assertThat;

import akka.actor.ActorSystem;
import io.dynajournal.layout.commits.CommitsJournal;
import io.dynajournal.testkit.FaultProxy;
import io.dynajournal.testkit.RequestMatch;
import io.dynajournal.toolkit.PayloadSerde;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import software.amazon.awssdk.protocols.jsoncore.JsonNode;

/**
 * Live queries by slice while eight processes write, the index shows its rows late and in any order, and the consumers are
 * killed and started again. {@code -Dchaos.events=100000 -Dchaos.ids=1000 -Dchaos.seeds=1} makes it a long one, {@code
 * -Dchaos.seed=} another one.
 */
final class ChaosTest {

    private static final long FIRST_SEED = Long.getLong("chaos.seed", 1);
    private static final int SEEDS = Integer.getInteger("chaos.seeds", 20);
    private static final int EVENTS = Integer.getInteger("chaos.events", 2_000);
    private static final int IDS = Integer.getInteger("chaos.ids", 100);
    private static final int AT_ONCE = 5;

    private static final long LAG_MICROS = 2_000_000;
    private static final Duration WINDOW = Duration.ofSeconds(6);
    /** Window and slack: what a restart goes back. */
    private static final long REPEATS_MILLIS = WINDOW.toMillis() + 2_000;

    @RegisterExtension
    final Systems systems = new Systems();

    private final String table = "chaos_" + UUID.randomUUID();
    private final FaultProxy proxy = Systems.proxy();
    private final ExecutorService threads = Executors.newFixedThreadPool(AT_ONCE);

    @AfterEach
    void close() {
        threads.shutdownNow();
        proxy.close();
    }

    /** Half of the rows show at once, the others up to the lag later; which, depends on the row alone. */
    private static boolean isShown(Map<String, JsonNode> row) {
        String pid = value(row, "pid", "S");
        String seq = value(row, "seq", "N");
        long hash = ((pid + "/" + seq).hashCode() * 0x9E3779B97F4A7C15L) >>> 16;
        long lag = hash % 2 == 0 ? 0 : (hash / 2) % LAG_MICROS;
        return System.currentTimeMillis() * 1000 >= Long.parseLong(value(row, "ts", "N")) + lag;
    }

    static String value(Map<String, JsonNode> row, String name, String type) {
        return row.getOrDefault(name, JsonNode.emptyObjectNode())
                .field(type)
                .map(JsonNode::text)
                .orElseThrow();
    }

    private static String settings(Duration window) {
        return """

                dynajournal.journal { table = "%s", index.partitions = 4 }
                dynajournal.query {
                  refresh-interval = 400 ms
                  idle-refresh-interval = 800 ms
                  trailing-window = %d ms
                  page-rows = 50
                }
                """.formatted("TABLE", window.toMillis());
    }

    private record Outcome(long seed, ChaosConsumer consumer, ChaosWriters writers) {}

    private List<Outcome> run(Duration window, long firstSeed, int seeds) {
        proxy.when(RequestMatch.operation("Query").containing("\"IndexName\":\"slices\""))
                .always()
                .show(ChaosTest::isShown);
        ActorSystem system =
                systems.start(Systems.through(proxy) + settings(window).replace("TABLE", table));
        ActorSystem writing = systems.start(settings(window).replace("TABLE", table));
        Reads.result(Tables.create(writing, "dynajournal.journal", false));
        Reads reads = new Reads(system);
        List<CompletableFuture<Outcome>> outcomes = LongStream.range(firstSeed, firstSeed + seeds)
                .mapToObj(seed -> CompletableFuture.supplyAsync(() -> run(seed, reads, writing), threads))
                .toList();
        return outcomes.stream().map(CompletableFuture::join).toList();
    }

    private Outcome run(long seed, Reads reads, ActorSystem writing) {
        String entityType = "chaos" + seed;
        CommitsJournal layout = new CommitsJournal(table, true, true, 4, true, 399_360, 10_000, Duration.ofDays(30));
        ChaosWriters writers = new ChaosWriters(
                layout,
                Dynajournal.get(writing).client("dynajournal.client"),
                new PayloadSerde(writing),
                entityType,
                seed,
                IDS);
        ChaosConsumer consumer = new ChaosConsumer(reads, entityType, seed, REPEATS_MILLIS);
        CompletableFuture<Void> written = writers.write(EVENTS);
        consumer.consume(() ->
                written.isCompletedExceptionally() || (written.isDone() && consumer.processed.equals(writers.written)));
        written.join();
        return new Outcome(seed, consumer, writers);
    }

    @Test
    void everyEventOnceAndInOrder() {
        long started = System.nanoTime();
        long repeats = 0;
        long runs = 0;
        List<String> problems = new ArrayList<>();
        for (Outcome outcome : run(WINDOW, FIRST_SEED, SEEDS)) {
            outcome.consumer().problems.forEach(problem -> problems.add("seed " + outcome.seed() + ": " + problem));
            repeats += outcome.consumer().repeats;
            runs += outcome.consumer().runs;
        }
        System.out.printf(
                "%d seeds of %d events over %d ids in %.1f s: %d runs of consumers, %d events repeated after restarts%n",
                SEEDS, EVENTS, IDS, (System.nanoTime() - started) / 1e9, runs, repeats);
        assertThat(problems).isEmpty();
        assertThat(runs).isGreaterThan(SEEDS);
    }

    /** The same with a window that is far shorter than the lag: the checker must notice. */
    @Test
    void withoutTheWindowItWouldBeSeen() {
        List<String> problems = new ArrayList<>();
        for (Outcome outcome : run(Duration.ofMillis(1), 1_000, 1)) {
            problems.addAll(outcome.consumer().problems);
        }
        assertThat(problems).isNotEmpty();
    }
}
