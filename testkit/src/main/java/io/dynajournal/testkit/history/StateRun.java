package io.dynajournal.testkit.history;

import io.dynajournal.internal.model.SliceRange;
import io.dynajournal.internal.model.StoredState;
import io.dynajournal.internal.slices.Delivery;
import io.dynajournal.internal.slices.PollSchedule;
import io.dynajournal.internal.slices.ReaderSettings;
import io.dynajournal.internal.slices.ResumePoint;
import io.dynajournal.internal.store.StateIndex;
import io.dynajournal.internal.store.StateTable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Stream;

/** A random program of entities with durable states, and of a live query of their changes. A seed makes the same run every time. */
final class StateRun {

    private static final int NODES = 3;
    private static final int MAX_STEPS = 40;
    private static final double FAULT_RATE = 0.05;
    private static final int MAX_SHIFT_SECONDS = 45;
    private static final int LARGE = 6_000;
    private static final int READ_ATTEMPTS = 3;
    private static final ReaderSettings QUERY = new ReaderSettings(
            Duration.ofMinutes(2),
            Duration.ofSeconds(64),
            2,
            100,
            2,
            new PollSchedule(Duration.ofSeconds(3), Duration.ofSeconds(32)));

    private final StateSubject subject;
    private final long seed;
    private final int steps;
    private final SplittableRandom random;
    private final World world;
    private final Node[] nodes = new Node[NODES];
    private final StateTable[] tables = new StateTable[NODES];
    private final Map<String, StateHistory> histories = new TreeMap<>();
    private final Map<String, StateEntity> living = new TreeMap<>();
    private final List<StateEntity> all = new ArrayList<>();
    private final Map<String, Long> delivered = new TreeMap<>();
    private int processes;

    /** @param steps how many steps are run at most, so that a failing run can be made shorter */
    StateRun(StateSubject subject, long seed, int steps) {
        this.subject = subject;
        this.seed = seed;
        this.steps = steps;
        this.random = new SplittableRandom(seed ^ 0x2545F4914F6CDD1DL);
        this.world = new SimulatedWorld(random);
    }

    /** The longest run of a seed. */
    static StateRun of(StateSubject subject, long seed) {
        return new StateRun(subject, seed, MAX_STEPS);
    }

    Run.Done execute() {
        for (int node = 0; node < NODES; node++) {
            replace(node);
        }
        world.await(nodes[0].dynamo().tables().create(subject.layout().table()));
        world.faults(random.nextInt(5) == 0 ? 0 : FAULT_RATE);
        query(nodes[0]);
        int entities = 1 + random.nextInt(3);
        int count = 6 + random.nextInt(MAX_STEPS - 6);
        for (int i = 0; i < Math.min(count, steps); i++) {
            world.run(Duration.ofMillis(random.nextInt(random.nextInt(4) == 0 ? 10_000 : 60)));
            step("cart|" + random.nextInt(entities), random.nextInt(3) == 0 ? random.nextInt(NODES) : 1);
            histories.values().forEach(StateHistory::check);
        }
        finish();
        int acknowledged = (int) histories.values().stream()
                .mapToLong(StateHistory::acknowledged)
                .sum();
        return new Run.Done(world.requests(), world.tasks(), acknowledged);
    }

    private void replace(int node) {
        if (nodes[node] != null) {
            nodes[node].crash();
        }
        Duration ahead = Duration.ofMillis(random.nextInt(4) == 0 ? random.nextInt(600_000) - 300_000 : 0);
        nodes[node] = new Node("n" + node + "p" + processes++, Subject.all().get(0), world, ahead, random.split());
        tables[node] =
                subject.layout().open(nodes[node].dynamo(), new UUID(random.nextLong(), random.nextLong()).toString());
    }

    private void step(String id, int node) {
        StateEntity there = living.get(id + "@" + node);
        int dice = random.nextInt(100);
        if (there == null || there.isOver()) {
            start(id, node);
        } else if (dice < 60) {
            there.change(random.nextInt(5) == 0 ? LARGE : 0);
        } else if (dice < 70) {
            there.change(StateEntity.DELETE);
        } else if (dice < 78) {
            there.stop();
        } else if (dice < 84) {
            nodes[node].shiftClock(Duration.ofSeconds(random.nextInt(2 * MAX_SHIFT_SECONDS) - MAX_SHIFT_SECONDS));
        } else if (dice < 88 && node > 0) {
            // The query is on node 0.
            replace(node);
        }
    }

    private StateEntity start(String id, int node) {
        StateHistory history = histories.computeIfAbsent(id, StateHistory::new);
        StateEntity entity = new StateEntity("e" + all.size(), id, nodes[node], tables[node], history);
        living.put(id + "@" + node, entity);
        all.add(entity);
        entity.start();
        return entity;
    }

    private void query(Node node) {
        subject.layout().changes(node.dynamo()).ifPresent(index -> {
            SliceConsumer.Contents<StoredState> contents = rows -> index.states(
                            rows.stream().map(Delivery::row).toList())
                    .thenApply(found ->
                            found.stream().map(state -> state.stream().toList()).toList());
            new SliceConsumer<>(
                            node,
                            index,
                            QUERY,
                            SliceRange.ALL,
                            ResumePoint.BEGINNING,
                            true,
                            row -> true,
                            contents,
                            this::delivered)
                    .start();
        });
    }

    private void delivered(StoredState state) {
        StateHistory history = histories.get(state.persistenceId());
        if (history == null) {
            throw new Violation("A query received a state of " + state.persistenceId() + ", which does not exist");
        }
        history.queried(state.revision(), StateEntity.text(Optional.of(state)));
        Long before = delivered.put(state.persistenceId(), state.revision());
        if (before != null && before > state.revision()) {
            throw history.violation("a query received revision " + state.revision() + " after " + before);
        }
    }

    /** The faults end; every state must be read, with the latest revision, and every last change must have been delivered. */
    private void finish() {
        world.faults(0);
        world.settle(() -> all.stream().noneMatch(StateEntity::hangs));
        for (StateEntity entity : all) {
            if (entity.hangs()) {
                throw new Violation(entity + " waits for an answer a minute after the last fault");
            }
            entity.stop();
        }
        histories.keySet().forEach(this::readAtLast);
        histories.values().forEach(StateHistory::check);
        Optional<StateIndex> index = subject.layout().changes(nodes[0].dynamo());
        if (index.isPresent()) {
            // Longer than the backtracking window.
            Stream.of(1, 2, 3, 4).forEach(minute -> world.settle(() -> false));
            histories.values().forEach(StateHistory::check);
            histories.forEach((id, history) -> history.checkQueried(delivered.getOrDefault(id, 0L)));
        }
    }

    private void readAtLast(String id) {
        StateEntity read = start(id, 1);
        for (int attempt = 1; attempt < READ_ATTEMPTS; attempt++) {
            StateEntity reading = read;
            world.settle(() -> !reading.hangs());
            if (reading.failure() == null && !reading.hangs()) {
                return;
            }
            read = start(id, 1);
        }
        throw new Violation(id + " cannot be read without faults: " + read.failure());
    }

    @Override
    public String toString() {
        return "layout " + subject.name() + ", seed " + seed + ", its first " + steps + " steps";
    }
}
