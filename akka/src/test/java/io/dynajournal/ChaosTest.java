package io.dynajournal;

import static org.assertj.core.api.Assertions.assertThat;

import akka.actor.ActorSystem;
import io.dynajournal.internal.layout.commits.CommitsJournal;
import io.dynajournal.internal.toolkit.PayloadSerde;
import io.dynajournal.local.EmbeddedDynamoLocal;
import io.dynajournal.testkit.FaultProxy;
import io.dynajournal.testkit.RequestMatch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.http.SdkHttpResponse;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;

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
    private static final int AT_ONCE = 20;
    private static final int WRITES_AT_ONCE = 12;

    private static final long LAG_MICROS = 1_500_000;
    private static final Duration WINDOW = Duration.ofSeconds(6);
    /** Window and slack: what a restart goes back. */
    private static final long REPEATS_MILLIS = WINDOW.toMillis() + 2_000;

    @RegisterExtension
    final Systems systems = new Systems();

    private final String table = "chaos_" + UUID.randomUUID();
    private final FaultProxy proxy = Systems.proxy();
    private final ChaosTurns turns = new ChaosTurns(WRITES_AT_ONCE);
    private final Map<String, Long> wrongMicros = new ConcurrentHashMap<>();
    private final AtomicLong hidden = new AtomicLong();
    private final DynamoDbAsyncClient client = clientWithoutDates();
    private final ExecutorService threads = Executors.newFixedThreadPool(AT_ONCE);

    @AfterEach
    void close() {
        threads.shutdownNow();
        proxy.close();
        client.close();
    }

    /** Without the server's time in its answers a writer cannot correct its clock. */
    private static DynamoDbAsyncClient clientWithoutDates() {
        return DynamoDbAsyncClient.builder()
                .endpointOverride(new EmbeddedDynamoLocal().start(null))
                .region(Region.US_EAST_1)
                .credentialsProvider(StaticCredentialsProvider.create(AwsBasicCredentials.create("none", "none")))
                .overrideConfiguration(settings -> settings.addExecutionInterceptor(new ExecutionInterceptor() {
                    @Override
                    public SdkHttpResponse modifyHttpResponse(
                            Context.ModifyHttpResponse context, ExecutionAttributes attributes) {
                        return context.httpResponse().copy(response -> response.removeHeader("Date"));
                    }
                }))
                .build();
    }

    private static String settings(Duration window) {
        return """

                dynajournal.journal { table = "%s", index.partitions = 4 }
                dynajournal.query {
                  refresh-interval = 400 ms
                  idle-refresh-interval = 800 ms
                  backtracking.window = %d ms
                  page-size = 50
                }
                """.formatted("TABLE", window.toMillis());
    }

    private record Outcome(long seed, ChaosConsumer consumer, ChaosWriters writers) {}

    private List<Outcome> run(Duration window, long firstSeed, int seeds, Duration patience) {
        proxy.when(RequestMatch.operation("Query").containing("\"IndexName\":\"slices\""))
                .always()
                .show(row -> {
                    boolean shown = LaggingIndex.isShown(row, "seq", LAG_MICROS, wrongMicros);
                    if (!shown) {
                        hidden.incrementAndGet();
                    }
                    return shown;
                });
        ActorSystem system =
                systems.start(Systems.through(proxy) + settings(window).replace("TABLE", table));
        ActorSystem writing = systems.start(settings(window).replace("TABLE", table));
        Reads.result(Tables.create(writing, "dynajournal.journal"));
        // What a cold server takes seconds for would be outside the window.
        writers(0, writing).write(EVENTS / 10).join();
        Reads reads = new Reads(system);
        List<CompletableFuture<Outcome>> outcomes = LongStream.range(firstSeed, firstSeed + seeds)
                .mapToObj(seed -> CompletableFuture.supplyAsync(() -> run(seed, reads, writing, patience), threads))
                .toList();
        return outcomes.stream().map(CompletableFuture::join).toList();
    }

    private ChaosWriters writers(long seed, ActorSystem writing) {
        CommitsJournal layout = new CommitsJournal(table, true, true, 4, true, 399_360, 10_000, 3, Duration.ofDays(30));
        ChaosWriters writers =
                new ChaosWriters(layout, client, new PayloadSerde(writing), "chaos" + seed, seed, IDS, turns);
        wrongMicros.putAll(writers.wrongMicros());
        return writers;
    }

    private Outcome run(long seed, Reads reads, ActorSystem writing, Duration patience) {
        ChaosWriters writers = writers(seed, writing);
        ChaosConsumer consumer = new ChaosConsumer(reads, "chaos" + seed, seed, REPEATS_MILLIS, patience);
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
        long ahead = 0;
        long behind = 0;
        List<String> problems = new ArrayList<>();
        for (Outcome outcome : run(WINDOW, FIRST_SEED, SEEDS, Duration.ofSeconds(60))) {
            outcome.consumer().problems.forEach(problem -> problems.add("seed " + outcome.seed() + ": " + problem));
            repeats += outcome.consumer().repeats;
            runs += outcome.consumer().runs;
            ahead = Math.max(ahead, outcome.writers().ahead.get());
            behind = Math.max(behind, outcome.writers().behind.get());
        }
        System.out.printf(
                "%d seeds of %d events over %d ids in %.1f s: %d runs of consumers, %d events repeated after restarts,"
                        + " %d rows hidden, clocks wrong by -%d to %d ms%n",
                SEEDS, EVENTS, IDS, (System.nanoTime() - started) / 1e9, runs, repeats, hidden.get(), behind, ahead);
        assertThat(problems).isEmpty();
        // All of it was really in.
        assertThat(runs).isGreaterThan(SEEDS);
        assertThat(hidden.get()).isGreaterThan(SEEDS);
        assertThat(ahead).isGreaterThan(1_000);
        assertThat(behind).isGreaterThan(1_000);
    }

    /** The same with a window that is far shorter than the lag: the checker must notice. */
    @Test
    void withoutTheWindowItWouldBeSeen() {
        List<String> problems = new ArrayList<>();
        for (Outcome outcome : run(Duration.ofMillis(1), 1_000, 1, Duration.ofSeconds(8))) {
            problems.addAll(outcome.consumer().problems);
        }
        assertThat(problems).isNotEmpty();
    }
}
