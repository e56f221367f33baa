package io.dynajournal.projection;

import static io.dynajournal.projection.ModelJournal.START;
import static org.assertj.core.api.Assertions.assertThat;

import akka.actor.typed.ActorSystem;
import akka.persistence.query.typed.EventEnvelope;
import akka.projection.Projection;
import akka.projection.ProjectionId;
import io.dynajournal.projection.javadsl.DynajournalProjection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Instances of an exactly-once projection over the same slices, or some of them, which start and stall at any moment while the others
 * project many minutes of event time and delete what is older than the window of the layout packed. {@code
 * -Dprojection.chaos.seeds=200} runs more seeds, and {@code -Dprojection.chaos.seed=126} begins with that one.
 */
final class OverlappingInstancesTest {

    private static final int DEFAULT_SEEDS = 6;
    private static final int EVENTS = 60;
    private static final int ENTITIES = 15;
    private static final int INSTANCES = 3;
    private static final int RUNS = 4;
    private static final long MINUTE = 60_000_000;
    private static final int STALL_MILLIS = 400;

    @RegisterExtension
    final Fixture fixture = new Fixture();

    private final ModelJournal journal = new ModelJournal();
    private final ExecutorService threads = Executors.newFixedThreadPool(INSTANCES);

    @AfterEach
    void endThreads() {
        threads.shutdown();
    }

    static LongStream seeds() {
        long first = Long.getLong("projection.chaos.seed", 1);
        return LongStream.range(first, first + Integer.getInteger("projection.chaos.seeds", DEFAULT_SEEDS));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void eachEventCountsOnce(long seed) {
        boolean packed = seed % 3 > 0;
        fixture.createReadModel();
        ActorSystem<Void> system = fixture.start("dynajournal.projection { flush-interval = 1 ms, layout = "
                + (packed ? "packed" : "timestamp-offset") + ", packed-window = 5 minutes }");
        fixture.createOffsets(system);
        List<String> expected = new ArrayList<>();
        for (long i = 0; i < EVENTS; i++) {
            String id = "A|" + i % ENTITIES;
            long seqNr = 1 + i / ENTITIES;
            journal.deliver(id, seqNr, START + i * MINUTE);
            expected.add(id + "/" + seqNr);
        }
        CompletableFuture<?>[] instances = IntStream.range(0, INSTANCES)
                .mapToObj(instance -> new Random(seed * INSTANCES + instance))
                .map(random -> CompletableFuture.runAsync(
                        () -> {
                            for (int run = 0; run < RUNS; run++) {
                                int parts = 1 << random.nextInt(3);
                                int first = random.nextInt(parts) * (1024 / parts);
                                // It may be shut out by another one.
                                Runs.toEnd(counting(system, random, first, first + 1024 / parts - 1), system);
                            }
                        },
                        threads))
                .toArray(CompletableFuture<?>[]::new);
        CompletableFuture.allOf(instances).join();

        assertThat(Runs.toEnd(counting(system, new Random(seed), 0, 1023), system))
                .as("seed %d", seed)
                .isNull();
        assertThat(fixture.counts().keySet()).as("seed %d", seed).containsExactlyInAnyOrderElementsOf(expected);
        assertThat(fixture.counts().values()).as("seed %d", seed).containsOnly(1L);
    }

    private Projection<EventEnvelope<String>> counting(ActorSystem<?> system, Random random, int first, int last) {
        return DynajournalProjection.exactlyOnceGroupedWithin(
                        ProjectionId.of(Runs.NAME, first + "-" + last),
                        journal.source(first, last),
                        () -> group -> CompletableFuture.supplyAsync(
                                () -> group.stream()
                                        .map(each -> fixture.count(each.persistenceId(), each.sequenceNr()))
                                        .toList(),
                                CompletableFuture.delayedExecutor(
                                        random.nextInt(8) == 0 ? STALL_MILLIS : 0, TimeUnit.MILLISECONDS)),
                        system)
                .withGroup(4, Duration.ofMillis(50));
    }
}
