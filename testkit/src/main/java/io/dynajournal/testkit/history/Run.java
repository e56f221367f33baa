package io.dynajournal.testkit.history;

import io.dynajournal.internal.dynamo.Dynamo;
import io.dynajournal.testkit.simulator.Faults;
import io.dynajournal.testkit.simulator.RandomFaults;
import io.dynajournal.testkit.simulator.SimulatedDynamoDb;
import io.dynajournal.testkit.simulator.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** One execution of a program. Throws a {@link Violation} if a guarantee does not hold. */
final class Run {

    private static final int NODES = 3;
    private static final int RECOVERY_ATTEMPTS = 3;
    private static final double FAULT_RATE = 0.04;
    private static final long QUIET_NANOS = Duration.ofSeconds(60).toNanos();

    private final Program program;
    private final SplittableRandom random;
    private final VirtualTime time;
    private final SimulatedDynamoDb server;
    private final RandomFaults faults;
    private final Node[] nodes = new Node[NODES];
    private final Map<Integer, EntityHistory> histories = new TreeMap<>();
    private final List<Incarnation> all = new ArrayList<>();
    private final Map<String, Incarnation> living = new TreeMap<>();
    private int incarnations;
    private int processes;

    Run(Program program) {
        this.program = program;
        this.random = new SplittableRandom(program.seed());
        this.time = new VirtualTime(random.nextLong());
        this.server = SimulatedDynamoDb.in(time);
        this.faults = Faults.random(random.nextLong(), 0);
    }

    /**
     * What a run did.
     *
     * @param tasks equal for two runs of one program
     */
    record Done(long requests, long tasks, int acknowledged) {}

    Done execute() {
        createTables();
        server.faults(faults);
        for (int node = 0; node < NODES; node++) {
            nodes[node] = process(node);
        }
        faults.rate(random.nextInt(5) == 0 ? 0 : FAULT_RATE);
        for (Step step : program.steps()) {
            time.run(Duration.ofMillis(step.pauseMillis()));
            execute(step);
            histories.values().forEach(EntityHistory::check);
        }
        finish();
        int acknowledged = histories.values().stream()
                .mapToInt(EntityHistory::acknowledgedEvents)
                .sum();
        return new Done(server.requests(), time.tasksRun(), acknowledged);
    }

    private void createTables() {
        Dynamo dynamo = process(0).dynamo();
        time.await(dynamo.tables().create(program.subject().journal().table()));
        program.subject()
                .snapshots()
                .ifPresent(snapshots -> time.await(dynamo.tables().create(snapshots.table())));
    }

    private Node process(int node) {
        Duration ahead =
                Duration.ofMillis(random.nextInt(4) == 0 ? random.nextInt(600_000) - 300_000 : random.nextInt(40));
        return new Node("n" + node + "p" + processes++, program.subject(), server, time, ahead, random.split());
    }

    private static String persistenceId(int entity) {
        return "cart|" + entity;
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
            case PAUSE -> time.run(Duration.ofMillis(step.amount() * 1000L));
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
            case REJECT -> entity.reject();
            case SNAPSHOT -> entity.snapshot(program.subject().savesAfterWrites());
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

    /** Where a hard delete leaves no trace, only a single writer may delete. */
    private boolean mayDelete(int entity, Incarnation deleting) {
        return !program.subject().loneDeletes()
                || all.stream()
                        .filter(other -> other != deleting && other.toString().startsWith("e" + entity + "i"))
                        .allMatch(other -> other.isQuiet(time.nanoTime() - QUIET_NANOS));
    }

    private Incarnation start(int entity, int node) {
        EntityHistory history = histories.computeIfAbsent(entity, added -> new EntityHistory(persistenceId(entity)));
        Incarnation started = new Incarnation(
                "e" + entity + "i" + ++incarnations,
                persistenceId(entity),
                new UUID(random.nextLong(), random.nextLong()).toString(),
                nodes[node],
                history,
                program.subject().maxBytes());
        living.put(entity + "@" + node, started);
        all.add(started);
        started.start();
        return started;
    }

    /** The faults end; every entity must recover, and show all that was acknowledged. */
    private void finish() {
        faults.rate(0);
        time.run(Duration.ofSeconds(60));
        histories.values().forEach(EntityHistory::check);
        for (Incarnation each : all) {
            if (each.hangs()) {
                throw new Violation(each + " waits for an answer a minute after the last fault");
            }
            each.stop();
        }
        for (int node = 0; node < NODES; node++) {
            nodes[node].crash();
            nodes[node] = process(node);
        }
        for (int entity : List.copyOf(histories.keySet())) {
            recoverAtLast(entity);
        }
        histories.values().forEach(EntityHistory::checkWriters);
        histories.values().forEach(EntityHistory::check);
    }

    private void recoverAtLast(int entity) {
        Throwable last = null;
        for (int attempt = 0; attempt < RECOVERY_ATTEMPTS; attempt++) {
            Incarnation recovered = start(entity, 0);
            time.run(Duration.ofSeconds(30));
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
