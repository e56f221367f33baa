package io.dynajournal;

import static org.assertj.core.api.Assertions.assertThat;

import akka.actor.ActorSystem;
import io.dynajournal.internal.catalog.Layout;
import io.dynajournal.internal.layout.akka2.Akka2Journal;
import io.dynajournal.internal.model.SliceRange;
import io.dynajournal.internal.toolkit.PayloadSerde;
import io.dynajournal.query.javadsl.DynajournalReadJournal;
import io.dynajournal.testkit.FaultProxy;
import io.dynajournal.testkit.LocalDynamo;
import io.dynajournal.testkit.RequestMatch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * {@link ChaosTest}, smaller, on a table of 2.x: its rows do not tell the time of their predecessor, so that gaps are found
 * by number.
 */
final class AdoptedChaosTest {

    private static final long FIRST_SEED = Long.getLong("chaos.seed", 1);
    private static final int SEEDS = Integer.getInteger("chaos.adopted-seeds", 2);
    private static final int EVENTS = 800;
    private static final int IDS = 40;
    /** Each slice is a partition: few, because the local server is slow. */
    private static final SliceRange SLICES = new SliceRange(500, 507);

    private static final long LAG_MICROS = 2_000_000;
    private static final Duration WINDOW = Duration.ofSeconds(6);
    /** Window and slack: what a restart goes back. */
    private static final long REPEATS_MILLIS = WINDOW.toMillis() + 3_200;

    @RegisterExtension
    final LocalDynamo local = new LocalDynamo();

    @RegisterExtension
    final Systems systems = new Systems();

    private final Adopted adopted = new Adopted(local, systems);
    private final FaultProxy proxy = FaultProxy.to(local.endpoint());

    @AfterEach
    void close() {
        proxy.close();
    }

    private record Outcome(long seed, ChaosConsumer consumer) {}

    private List<Outcome> run() {
        adopted.create(Layout.AKKA2);
        proxy.when(RequestMatch.operation("Query").containing("\"IndexName\":\"" + adopted.journal + "_slice_idx\""))
                .always()
                .show(row -> LaggingIndex.isShown(row, "seq_nr", LAG_MICROS));
        String settings = """
                second-dynamodb.query {
                  refresh-interval = 400 ms
                  backtracking.window = %d ms
                  buffer-size = 50
                }
                """.formatted(WINDOW.toMillis());
        ActorSystem system = adopted.start("adopted-akka2-copy", settings, proxy.endpoint());
        Reads reads = new Reads(system);
        DynajournalReadJournal queries = reads.journal("second-dynamodb.query");
        List<CompletableFuture<Outcome>> outcomes = LongStream.range(FIRST_SEED, FIRST_SEED + SEEDS)
                .mapToObj(seed -> CompletableFuture.supplyAsync(() -> run(seed, reads, queries, system)))
                .toList();
        return outcomes.stream().map(CompletableFuture::join).toList();
    }

    private Outcome run(long seed, Reads reads, DynajournalReadJournal queries, ActorSystem system) {
        String entityType = "chaos" + seed;
        ChaosWriters writers = new ChaosWriters(
                Akka2Journal.of(adopted.journal),
                local.client(),
                new PayloadSerde(system),
                entityType,
                SLICES,
                seed,
                IDS);
        ChaosConsumer consumer = new ChaosConsumer(
                reads,
                offset -> queries.eventsBySlices(entityType, SLICES.min(), SLICES.max(), offset),
                seed,
                REPEATS_MILLIS,
                Duration.ofSeconds(60));
        CompletableFuture<Void> written = writers.write(EVENTS);
        consumer.consume(() ->
                written.isCompletedExceptionally() || (written.isDone() && consumer.processed.equals(writers.written)));
        written.join();
        return new Outcome(seed, consumer);
    }

    @Test
    void everyEventOnceAndInOrder() {
        long runs = 0;
        long repeats = 0;
        List<String> problems = new ArrayList<>();
        for (Outcome outcome : run()) {
            outcome.consumer().problems.forEach(problem -> problems.add("seed " + outcome.seed() + ": " + problem));
            runs += outcome.consumer().runs;
            repeats += outcome.consumer().repeats;
        }
        System.out.printf(
                "%d seeds of %d events over %d ids: %d runs of consumers, %d events repeated after restarts%n",
                SEEDS, EVENTS, IDS, runs, repeats);
        assertThat(problems).isEmpty();
        assertThat(runs).isGreaterThan(SEEDS);
    }
}
