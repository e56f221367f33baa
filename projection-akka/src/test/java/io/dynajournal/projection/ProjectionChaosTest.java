package io.dynajournal.projection;

import static io.dynajournal.projection.ModelJournal.START;
import static org.assertj.core.api.Assertions.assertThat;

import akka.Done;
import akka.actor.typed.ActorSystem;
import akka.persistence.query.Offset;
import akka.persistence.query.typed.EventEnvelope;
import akka.projection.Projection;
import akka.projection.ProjectionContext;
import akka.projection.ProjectionId;
import akka.projection.RunningProjection;
import akka.projection.eventsourced.javadsl.EventSourcedProvider;
import akka.projection.javadsl.Handler;
import akka.projection.javadsl.SourceProvider;
import akka.stream.javadsl.FlowWithContext;
import io.dynajournal.internal.model.Slices;
import io.dynajournal.projection.javadsl.DynajournalProjection;
import io.dynajournal.testkit.Await;
import io.dynajournal.testkit.ErrorAnswer;
import io.dynajournal.testkit.FaultProxy;
import io.dynajournal.testkit.RequestMatch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import software.amazon.awssdk.protocols.jsoncore.JsonNode;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;

/**
 * Entities write while instances of one projection are started and stopped, often several of them at a time and over
 * different ranges of slices, and requests and replies are lost, throttled or answered in part. The index shows some rows late,
 * and the clocks of the writers differ. At the end each event has taken effect: once with exactly-once, at least once with the
 * other kinds. A seed chooses the layout, the kinds and the faults; {@code -Dprojection.chaos.seeds=200} runs more of them, and
 * {@code -Dprojection.chaos.seed=126} begins with that one.
 */
final class ProjectionChaosTest {

    private static final int DEFAULT_SEEDS = 20;
    private static final int STEPS = 5;
    private static final int ENTITIES = 12;
    private static final int WRITES = 8;
    private static final int GROUP = 3;
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /**
     * The window covers index lag, clock differences and the time of a write. On a busy machine a write may take seconds; an
     * event that is stored later than the window would rightly not be delivered before its entity's next one.
     */
    private static final String QUICK = """
            dynajournal.query { backtracking.window = 20 s, refresh-interval = 100 ms, idle-refresh-interval = 200 ms }
            dynajournal.projection { flush-interval = 50 ms, packed-window = 60 s }
            """;

    private static final long INDEX_LAG_MICROS = 700_000;

    private static final int CLOCK_SKEW_MILLIS = 300;

    @RegisterExtension
    final Fixture fixture = new Fixture();

    private static final AtomicLong HIDDEN = new AtomicLong();
    private static final AtomicLong SHOWN = new AtomicLong();

    static LongStream seeds() {
        long first = Long.getLong("projection.chaos.seed", 1);
        return LongStream.range(first, first + Integer.getInteger("projection.chaos.seeds", DEFAULT_SEEDS));
    }

    /** A few seeds may have had no query while rows were late. */
    @AfterAll
    static void theIndexHasShownRowsLate() {
        if (SHOWN.get() > 0 && seeds().count() >= DEFAULT_SEEDS) {
            assertThat(HIDDEN.get()).as("rows that were shown late").isPositive();
        }
    }

    /** The first numbers of neighbouring seeds are alike. */
    private static Random random(long seed) {
        return new Random(seed * 0x9E3779B97F4A7C15L);
    }

    /** A handler takes its time, so that another instance may overtake it. */
    private static CompletableFuture<Void> pause(Random random) {
        return CompletableFuture.runAsync(
                () -> {}, CompletableFuture.delayedExecutor(random.nextInt(40), TimeUnit.MILLISECONDS));
    }

    private CompletionStage<Done> counted(EventEnvelope<String> envelope) {
        return Fixture.client()
                .updateItem(update -> update.tableName(fixture.readModel)
                        .key(Map.of("id", AttributeValue.fromS(Runs.label(envelope))))
                        .updateExpression("ADD n :one")
                        .expressionAttributeValues(Map.of(":one", AttributeValue.fromN("1"))))
                .thenApply(done -> Done.getInstance());
    }

    private Projection<EventEnvelope<String>> projection(
            ActorSystem<?> system, boolean exactlyOnce, Random random, int first, int last) {
        ProjectionId id = ProjectionId.of(Runs.NAME, first + "-" + last);
        SourceProvider<Offset, EventEnvelope<String>> source =
                EventSourcedProvider.eventsBySlices(system, "dynajournal.query", fixture.entityType, first, last);
        Projection<EventEnvelope<String>> projection = exactlyOnce
                ? exactlyOnce(system, random, random.nextBoolean(), id, source)
                : atLeastOnce(system, random.nextInt(3), id, source);
        return projection.withRestartBackoff(Duration.ofMillis(10), Duration.ofMillis(50), 0.2);
    }

    private Projection<EventEnvelope<String>> exactlyOnce(
            ActorSystem<?> system,
            Random random,
            boolean grouped,
            ProjectionId id,
            SourceProvider<Offset, EventEnvelope<String>> source) {
        return grouped
                ? DynajournalProjection.exactlyOnceGroupedWithin(
                        id,
                        source,
                        () -> group -> pause(random)
                                .thenApply(done -> group.stream()
                                        .map(each -> fixture.count(each.persistenceId(), each.sequenceNr()))
                                        .toList()),
                        system)
                : DynajournalProjection.exactlyOnce(
                        id,
                        source,
                        () -> envelope -> pause(random)
                                .thenApply(done ->
                                        List.of(fixture.count(envelope.persistenceId(), envelope.sequenceNr()))),
                        system);
    }

    private Projection<EventEnvelope<String>> atLeastOnce(
            ActorSystem<?> system, int kind, ProjectionId id, SourceProvider<Offset, EventEnvelope<String>> source) {
        return switch (kind) {
            case 0 ->
                DynajournalProjection.atLeastOnce(
                                id,
                                source,
                                () -> new Handler<EventEnvelope<String>>() {
                                    @Override
                                    public CompletionStage<Done> process(EventEnvelope<String> envelope) {
                                        return counted(envelope);
                                    }
                                },
                                system)
                        .withSaveOffset(4, Duration.ofMillis(20));
            case 1 ->
                DynajournalProjection.atLeastOnceGroupedWithin(
                                id,
                                source,
                                () -> new Handler<List<EventEnvelope<String>>>() {
                                    @Override
                                    public CompletionStage<Done> process(List<EventEnvelope<String>> group) {
                                        return CompletableFuture.allOf(group.stream()
                                                        .map(each ->
                                                                counted(each).toCompletableFuture())
                                                        .toArray(CompletableFuture<?>[]::new))
                                                .thenApply(done -> Done.getInstance());
                                    }
                                },
                                system)
                        .withGroup(4, Duration.ofMillis(20));
            default ->
                DynajournalProjection.atLeastOnceFlow(
                                id,
                                source,
                                FlowWithContext.<EventEnvelope<String>, ProjectionContext>create()
                                        .mapAsync(2, this::counted),
                                system)
                        .withSaveOffset(4, Duration.ofMillis(20));
        };
    }

    /** The settings of a system whose index shows half of the rows later than the others. */
    private String lagging() {
        FaultProxy index = fixture.proxy();
        index.when(RequestMatch.operation("Query").containing("\"IndexName\":\"slices\""))
                .always()
                .show(this::isShown);
        return client(index);
    }

    /** The settings of a system whose clock differs. */
    private String skewed(Random random) {
        return client(
                fixture.proxy().moveDate(Duration.ofMillis(random.nextInt(2 * CLOCK_SKEW_MILLIS) - CLOCK_SKEW_MILLIS)));
    }

    private static String client(FaultProxy proxy) {
        return "dynajournal { client.endpoint = \"" + proxy.endpoint() + "\", create-tables = on }\n";
    }

    private boolean isShown(Map<String, JsonNode> row) {
        long hash = (value(row, "pid", "S") + "/" + value(row, "seq", "N")).hashCode() & 0xFFFFL;
        long lag = hash % 2 == 0 ? 0 : hash * INDEX_LAG_MICROS / 0x10000;
        long written = Long.parseLong(value(row, "ts", "N"));
        boolean shown = System.currentTimeMillis() * 1000 >= written + lag;
        (shown ? SHOWN : HIDDEN).incrementAndGet();
        return shown;
    }

    private static String value(Map<String, JsonNode> row, String name, String type) {
        return row.getOrDefault(name, JsonNode.emptyObjectNode())
                .field(type)
                .map(JsonNode::text)
                .orElseThrow();
    }

    private static void disturb(FaultProxy proxy, Random random) {
        FaultProxy.When some = proxy.when(random.nextBoolean() ? RequestMatch.writes() : RequestMatch.reads())
                .after(random.nextInt(3))
                .times(1 + random.nextInt(2));
        switch (random.nextInt(3)) {
            case 0 -> some.loseReply();
            case 1 -> some.loseRequest();
            default -> some.answer(ErrorAnswer.throttling("TableWriteKeyRangeThroughputExceeded", "arn"));
        }
        proxy.when(RequestMatch.operation("BatchWriteItem")).times(1).process(1);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void eachEventTakesEffect(long seed) {
        Random random = random(seed);
        boolean packed = seed % 2 == 0;
        boolean exactlyOnce = seed % 3 > 0;
        String what = "seed " + seed + (packed ? ", packed" : "") + (exactlyOnce ? ", exactly-once" : "");
        fixture.createReadModel();
        FaultProxy proxy = fixture.proxy();
        ActorSystem<Void> system = fixture.start("dynajournal.projection.layout = "
                + (packed ? "packed" : "timestamp-offset") + "\n" + lagging() + Fixture.through(proxy) + QUICK);
        fixture.createOffsets(system);
        Writers one = new Writers(system, "dynajournal.journal");
        Writers other = new Writers(fixture.start(skewed(random)), "dynajournal.journal");
        Set<String> expected = new TreeSet<>();
        List<RunningProjection> running = new ArrayList<>();
        String first = fixture.entityType + "|0";
        expected.add(first + "/" + Await.result(one.send(first)));
        running.add(projection(system, exactlyOnce, random, 0, 1023).run(system));
        running.add(projection(system, exactlyOnce, random, 0, 1023).run(system));
        await(expected, what);

        for (int step = 0; step < STEPS; step++) {
            if (random.nextBoolean()) {
                Await.result(Runs.stop(running.remove(random.nextInt(2))).handle((done, failure) -> done == null));
                int half = random.nextInt(3);
                running.add(projection(system, exactlyOnce, random, half == 1 ? 512 : 0, half == 2 ? 511 : 1023)
                        .run(system));
            }
            disturb(proxy, random);
            // At the same time, so that the index may show them in another order than that of their times.
            List<Integer> numbers = random.ints(WRITES, 0, ENTITIES).boxed().toList();
            List<String> ids =
                    numbers.stream().map(i -> fixture.entityType + "|" + i).toList();
            List<CompletionStage<Long>> sent = numbers.stream()
                    .map(i -> (i % 2 == 0 ? one : other).send(fixture.entityType + "|" + i))
                    .toList();
            for (int i = 0; i < WRITES; i++) {
                expected.add(ids.get(i) + "/" + Await.result(sent.get(i)));
            }
        }
        proxy.clear();
        running.forEach(each -> Await.result(Runs.stop(each).handle((done, failure) -> done == null)));
        // Otherwise the last run would have to wait for backtracking.
        long allShown = System.currentTimeMillis() + CLOCK_SKEW_MILLIS + INDEX_LAG_MICROS / 1000;
        Runs.until(() -> System.currentTimeMillis() > allShown);
        RunningProjection last =
                projection(system, exactlyOnce, random, 0, 1023).run(system);

        await(expected, what);
        Await.result(Runs.stop(last));
        assertThat(fixture.counts().keySet()).as(what).isEqualTo(expected);
        if (exactlyOnce) {
            assertThat(fixture.counts().values()).as(what).containsOnly(1L);
        }
    }

    private void await(Set<String> expected, String what) {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        Set<String> missing = new TreeSet<>(expected);
        while (!missing.isEmpty() && System.nanoTime() < deadline) {
            missing.removeAll(fixture.counts().keySet()); // a request, so the loop needs no pause
        }
        assertThat(missing)
                .as("%s: without effect after %d seconds", what, PATIENCE.toSeconds())
                .isEmpty();
    }

    /**
     * Runs that fail at any request, over a query that never goes back: an offset that is stored too early loses an event, or
     * brings one again after a run that has completed, and a row that is forgotten repeats one. Some entities write nothing for a
     * while, because the next event of an entity brings those before it that were not stored.
     */
    @ParameterizedTest
    @MethodSource("seeds")
    void aRunThatFailsLosesNothingAndOneThatDoesNotFailRepeatsNothing(long seed) {
        Random random = random(seed);
        boolean packed = seed % 2 == 0;
        boolean exactlyOnce = seed % 3 > 0;
        boolean grouped = random.nextBoolean();
        String what = "seed " + seed + (packed ? ", packed" : "") + (exactlyOnce ? ", exactly-once" : "")
                + (grouped ? ", in groups" : "");
        fixture.createReadModel();
        FaultProxy proxy = fixture.proxy();
        ActorSystem<Void> system = fixture.start("dynajournal.projection.layout = "
                + (packed ? "packed" : "timestamp-offset") + "\n" + Fixture.through(proxy) + QUICK
                + "dynajournal.projection.flush-interval = 1 ms");
        fixture.createOffsets(system);
        ModelJournal journal = new ModelJournal();
        List<String> ids = IntStream.iterate(0, i -> i + 1)
                .mapToObj(i -> "A|" + i)
                .filter(id -> Slices.of(id) < 64)
                .limit(8)
                .toList();
        Map<String, Long> written = new HashMap<>();
        List<String> expected = new ArrayList<>();
        List<String> received = new CopyOnWriteArrayList<>();
        for (int round = 1; round <= 4; round++) {
            for (int i = 0; i < ids.size(); i++) {
                if (random.nextBoolean()) {
                    long seqNr = written.merge(ids.get(i), 1L, Long::sum);
                    journal.deliver(ids.get(i), seqNr, START + round * 100_000L + i * 1000L);
                    expected.add(ids.get(i) + "/" + seqNr);
                }
            }
            boolean fails = round < 4;
            FaultProxy.When some = proxy.when(RequestMatch.writes()).after(1 + random.nextInt(4));
            if (fails) {
                some.always().answer(ErrorAnswer.of(400, "ValidationException", "on purpose"));
            } else {
                proxy.clear();
                proxy.when(RequestMatch.operation("BatchWriteItem")).always().process(1);
            }
            Throwable failure = Runs.toEnd(strict(system, journal, exactlyOnce, grouped, received), system);
            if (!fails) {
                assertThat(failure).as(what).isNull();
            }
            proxy.clear();
        }
        assertThat(received).as(what).containsAll(expected);
        if (exactlyOnce) {
            assertThat(fixture.counts().keySet()).as(what).containsExactlyInAnyOrderElementsOf(expected);
            assertThat(fixture.counts().values()).as(what).containsOnly(1L);
        }

        received.clear();
        ids.forEach(id -> journal.deliver(id, written.merge(id, 1L, Long::sum), START + 600_000));
        assertThat(Runs.toEnd(strict(system, journal, exactlyOnce, grouped, received), system))
                .as(what)
                .isNull();
        assertThat(received)
                .as(what)
                .containsExactlyElementsOf(
                        ids.stream().map(id -> id + "/" + written.get(id)).toList());
    }

    private Projection<EventEnvelope<String>> strict(
            ActorSystem<?> system, ModelJournal journal, boolean exactlyOnce, boolean grouped, List<String> received) {
        ProjectionId id = ProjectionId.of(Runs.NAME, "0-63");
        SourceProvider<Offset, EventEnvelope<String>> source = journal.strictSource(0, 63);
        if (exactlyOnce) {
            return grouped
                    ? DynajournalProjection.exactlyOnceGroupedWithin(
                                    id, source, () -> group -> items(group, received), system)
                            .withGroup(GROUP, Duration.ofSeconds(1))
                    : DynajournalProjection.exactlyOnce(
                            id, source, () -> envelope -> items(List.of(envelope), received), system);
        }
        return grouped
                ? DynajournalProjection.atLeastOnceGroupedWithin(
                                id,
                                source,
                                () -> new Handler<List<EventEnvelope<String>>>() {
                                    @Override
                                    public CompletionStage<Done> process(List<EventEnvelope<String>> group) {
                                        group.forEach(each -> received.add(Runs.label(each)));
                                        return CompletableFuture.completedFuture(Done.getInstance());
                                    }
                                },
                                system)
                        .withGroup(GROUP, Duration.ofSeconds(1))
                : DynajournalProjection.atLeastOnce(id, source, () -> Runs.handler(received::add), system)
                        .withSaveOffset(GROUP, Duration.ofSeconds(1));
    }

    private CompletionStage<Collection<TransactWriteItem>> items(
            List<EventEnvelope<String>> group, List<String> received) {
        group.forEach(each -> received.add(Runs.label(each)));
        return CompletableFuture.completedFuture(group.stream()
                .map(each -> fixture.count(each.persistenceId(), each.sequenceNr()))
                .toList());
    }
}
