package io.dynajournal.testkit.history;

import io.dynajournal.internal.dynamo.Dynamo;
import io.dynajournal.internal.layout.JournalLayout;
import io.dynajournal.internal.model.SliceRange;
import io.dynajournal.internal.model.Slices;
import io.dynajournal.internal.store.PageToken;
import io.dynajournal.internal.store.PersistenceIds;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** One execution of a program. Throws a {@link Violation} if a guarantee does not hold. */
final class Run {

    static final String ENTITY_TYPE = "cart";

    private static final int NODES = 3;
    private static final int RECOVERY_ATTEMPTS = 3;
    private static final int ENTITIES = 6;
    private static final long MAX_QUERIED_MILLIS = 300_000;
    private static final double[] FAULT_RATES = {0, 0.02, 0.04, 0.04, 0.12};
    private static final int MAX_OUTAGE_SECONDS = 40;
    private static final int MAX_REJECTED = 4;
    private static final int MAX_LAST_MILLIS = 20_000;
    /** Longer than the view of a writer is used: what has been removed stops nobody. */
    private static final Duration CLEAN_UP_LIFE = Duration.ofDays(16);

    private static final int MAX_SHIFT_SECONDS = 40;
    private static final long QUIET_NANOS = Duration.ofSeconds(60).toNanos();

    private final Program program;
    private final SplittableRandom random;
    private final World world;
    private final Node[] nodes = new Node[NODES];
    private final Map<String, EntityHistory> histories = new TreeMap<>();
    private final SliceQueries queries;
    private final List<Incarnation> all = new ArrayList<>();
    private final List<RangeRead> reads = new ArrayList<>();
    private final Map<String, Incarnation> living = new TreeMap<>();
    private int incarnations;
    private int processes;
    private int settings;

    /** On the simulated DynamoDB. */
    Run(Program program) {
        this(program, SimulatedWorld::new);
    }

    /** @param world is made with the source of its randomness */
    Run(Program program, Function<SplittableRandom, World> world) {
        this.program = program;
        this.random = new SplittableRandom(program.seed());
        this.world = world.apply(random);
        this.queries = new SliceQueries(histories, slices(program.subject()), random.split());
    }

    /**
     * What a run did.
     *
     * @param tasks equal for two runs of one program
     */
    record Done(long requests, long tasks, int acknowledged) {}

    Done execute() {
        createTables();
        for (int node = 0; node < NODES; node++) {
            nodes[node] = process(node);
        }
        world.faults(FAULT_RATES[random.nextInt(FAULT_RATES.length)]);
        for (Step step : program.steps()) {
            if (step.pauseMillis() > MAX_QUERIED_MILLIS) {
                queries.stop();
            }
            world.run(Duration.ofMillis(step.pauseMillis()));
            execute(step);
            histories.values().forEach(EntityHistory::check);
        }
        finish();
        int acknowledged = histories.values().stream()
                .mapToInt(EntityHistory::acknowledgedEvents)
                .sum();
        return new Done(world.requests(), world.tasks(), acknowledged);
    }

    private void createTables() {
        Dynamo dynamo = process(0).dynamo();
        world.await(dynamo.tables().create(program.subject().journal().table()));
        program.subject()
                .snapshots()
                .ifPresent(snapshots -> world.await(dynamo.tables().create(snapshots.table())));
    }

    private Node process(int node) {
        Duration ahead =
                Duration.ofMillis(random.nextInt(4) == 0 ? random.nextInt(600_000) - 300_000 : random.nextInt(40));
        List<JournalLayout> layouts = program.subject().journals();
        return new Node(
                "n" + node + "p" + processes++,
                layouts.get(Math.min(settings, layouts.size() - 1)),
                program.subject(),
                world,
                ahead,
                random.split());
    }

    /** A layout with a partition for each slice needs a request for each of them. */
    private static SliceRange slices(Subject subject) {
        int first = Slices.of(persistenceId(0));
        return subject.has(Limit.PARTITION_PER_SLICE) ? new SliceRange(first, first) : SliceRange.ALL;
    }

    private static String persistenceId(int entity) {
        return ENTITY_TYPE + "|" + entity;
    }

    private void execute(Step step) {
        Incarnation there = living.get(step.entity() + "@" + step.node());
        switch (step.kind()) {
            case START -> {
                if (there == null || there.isOver()) {
                    start(step.entity(), step.node());
                }
            }
            case CRASH -> {
                nodes[step.node()].crash();
                nodes[step.node()] = process(step.node());
            }
            case RESTART -> {
                if (there != null) {
                    there.stop();
                }
                start(step.entity(), step.node());
            }
            case OUTAGE ->
                world.outage(
                        nodes[step.node()].name(),
                        random.nextInt(Integer.MAX_VALUE),
                        Duration.ofSeconds(Math.min(MAX_OUTAGE_SECONDS, 5L * step.amount())));
            case PERSIST_EVERYWHERE ->
                living.forEach((place, entity) -> {
                    if (place.startsWith(step.entity() + "@")) {
                        entity.persist(1, 1, 0);
                    }
                });
            case SNAPSHOT_EVERYWHERE ->
                living.forEach((place, entity) -> {
                    if (place.startsWith(step.entity() + "@")) {
                        entity.snapshot();
                    }
                });
            case QUERY -> {
                if (queries.isRunning()) {
                    queries.stop();
                } else if (world.isVirtual()) {
                    queries.start(nodes[step.node()]);
                }
            }
            case SET_CLOCK -> nodes[step.node()].shiftClock(Duration.ofSeconds(shift(step.amount())));
            case CHANGE_SETTINGS -> changeSettings();
            case READ -> {
                RangeRead read = new RangeRead(nodes[step.node()], history(step.entity()));
                reads.add(read);
                read.start(step.amount() == 1 ? 0 : step.amount());
            }
            case PERSIST_TOGETHER ->
                living.forEach((place, entity) -> {
                    if (place.endsWith("@" + step.node())) {
                        entity.persist(1, 1, 0);
                    }
                });
            case PAUSE -> world.run(Duration.ofMillis(step.amount() * 1000L));
            default -> {
                if (there != null) {
                    command(step, there);
                }
            }
        }
    }

    private void command(Step step, Incarnation entity) {
        int most = Math.min(step.amount(), program.subject().maxCount());
        switch (step.kind()) {
            case PERSIST -> entity.persist(1, most, 0);
            case PERSIST_BATCH -> entity.persist(2, Math.max(1, most / 2), 0);
            case PERSIST_ASYNC -> {
                for (int i = 0; i < Math.min(5, step.amount()); i++) {
                    entity.persist(1, 1, 0);
                }
            }
            case PERSIST_LARGE -> entity.persist(1, Math.min(4, most), 2_500);
            case REJECT -> entity.reject(Math.min(MAX_REJECTED, step.amount()));
            case SNAPSHOT -> entity.snapshot();
            case RETAIN ->
                entity.snapshot(() -> {
                    if (mayDelete(step.entity(), entity)) {
                        entity.delete();
                    }
                });
            case EXPIRE -> {
                if (mayDelete(step.entity(), entity)) {
                    entity.expire(step.amount(), CLEAN_UP_LIFE);
                }
            }
            case DELETE -> {
                if (mayDelete(step.entity(), entity)) {
                    entity.delete();
                }
            }
            case DELETE_UNCOVERED -> {
                if (mayDelete(step.entity(), entity)) {
                    entity.deleteUncovered(step.amount());
                }
            }
            case STOP -> entity.stop();
            default -> throw new IllegalStateException("No command of an entity: " + step);
        }
    }

    private static long shift(int amount) {
        return amount * 17L % (2 * MAX_SHIFT_SECONDS) - MAX_SHIFT_SECONDS;
    }

    /** No request may be under way: the new settings need not know what the old ones still store. */
    private void changeSettings() {
        if (settings < program.subject().journals().size() - 1) {
            all.forEach(Incarnation::stop);
            world.settle(this::isQuiet);
            settings++;
            for (int node = 0; node < NODES; node++) {
                nodes[node].crash();
                nodes[node] = process(node);
            }
        }
    }

    /** Where a hard delete does not stop a writer that was outlived, there must be none. */
    private boolean mayDelete(int entity, Incarnation deleting) {
        return !program.subject().has(Limit.OUTLIVED_WRITERS)
                || all.stream()
                        .filter(other -> other != deleting && other.toString().startsWith("e" + entity + "i"))
                        .allMatch(other -> other.isOvertaken()
                                || other.isQuiet(world.scheduler().nanoTime() - QUIET_NANOS));
    }

    private EntityHistory history(int entity) {
        return histories.computeIfAbsent(
                persistenceId(entity), added -> new EntityHistory(added, program.subject(), world));
    }

    private Incarnation start(int entity, int node) {
        Incarnation started = new Incarnation(
                "e" + entity + "i" + ++incarnations,
                new UUID(random.nextLong(), random.nextLong()).toString(),
                nodes[node],
                history(entity),
                program.subject());
        living.put(entity + "@" + node, started);
        all.add(started);
        started.start();
        return started;
    }

    private boolean isQuiet() {
        return all.stream().noneMatch(Incarnation::hangs) && reads.stream().noneMatch(RangeRead::hangs);
    }

    /** The faults end; every entity must recover, and show all that was acknowledged. */
    private void finish() {
        world.run(Duration.ofMillis(random.nextInt(MAX_LAST_MILLIS)));
        world.faults(0);
        world.settle(this::isQuiet);
        histories.values().forEach(EntityHistory::check);
        for (Incarnation each : all) {
            if (each.hangs()) {
                throw new Violation(each + " waits for an answer a minute after the last fault");
            }
            each.stop();
        }
        if (reads.stream().anyMatch(RangeRead::hangs)) {
            throw new Violation("a read waits for an answer a minute after the last fault");
        }
        if (world.isVirtual()) {
            queries.finishRunning(world);
        }
        for (int node = 0; node < NODES; node++) {
            nodes[node].crash();
            nodes[node] = process(node);
        }
        for (int entity = 0; entity < ENTITIES; entity++) {
            if (histories.containsKey(persistenceId(entity))) {
                recoverAtLast(entity);
            }
        }
        if (world.isVirtual()) {
            // Backtracking takes minutes.
            queries.finish(world, nodes[0]);
        }
        checkIds();
        histories.values().forEach(EntityHistory::checkWriters);
        histories.values().forEach(EntityHistory::check);
    }

    /** The persistence ids in the table, each once. */
    private void checkIds() {
        PersistenceIds ids = nodes[0].layout().ids(nodes[0].dynamo());
        List<String> found = new ArrayList<>();
        PersistenceIds.IdPage page;
        PageToken next = null;
        do {
            page = world.await(ids.read(next));
            found.addAll(page.ids());
            next = page.next();
        } while (next != null);
        histories.forEach((id, history) -> {
            long times = found.stream().filter(id::equals).count();
            if (times > 1 || (times == 0 && history.hasEvents())) {
                throw history.violation("the persistence id is listed " + times + " times in " + found);
            }
        });
    }

    private void recoverAtLast(int entity) {
        Throwable last = null;
        for (int attempt = 0; attempt < RECOVERY_ATTEMPTS; attempt++) {
            Incarnation recovered = start(entity, 0);
            world.settle(() -> !recovered.hangs());
            last = failure(recovered);
            if (last == null) {
                return;
            }
            living.remove(entity + "@0");
        }
        throw new Violation(persistenceId(entity) + " does not recover without faults: " + last);
    }

    private static @Nullable Throwable failure(Incarnation recovered) {
        if (recovered.hangs()) {
            return new IllegalStateException("its recovery does not end");
        }
        Throwable failure = recovered.recoveryFailure();
        if (failure instanceof Violation violation) {
            throw violation;
        }
        return failure;
    }
}
