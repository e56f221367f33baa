package io.dynajournal.testkit.history;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Collectors;

/**
 * What entities do on a layout, and the seed of everything that is random while they do it.
 *
 * @param seed of the scheduler, the faults and the clocks
 */
record Program(Subject subject, long seed, List<Step> steps) {

    private static final int NODES = 3;
    private static final int MAX_STEPS = 32;

    /** Longer than any view of a log is used without a read. */
    private static final long MAX_PAUSE_MILLIS = 20L * 24 * 3_600_000;

    /** By which the usual frequencies are multiplied. */
    private static final int[] MULTIPLES = {0, 1, 1, 2, 4};

    Program {
        steps = List.copyOf(steps);
    }

    /**
     * The program of a seed; always the same one. Each program has habits of its own: how often it does what, and how long it stays
     * with an entity and a node. Rare combinations occur in programs that do little else.
     */
    static Program random(Subject subject, long seed) {
        SplittableRandom random = new SplittableRandom(seed ^ 0x5DEECE66DL);
        List<Step> steps = new ArrayList<>();
        int entities = random.nextInt(3) == 0 ? 3 : 1 + random.nextInt(2);
        int count = 6 + random.nextInt(MAX_STEPS - 6);
        Map<Step.Kind, Integer> habits = habits(random);
        int staying = 20 + random.nextInt(70);
        int home = 30 + random.nextInt(60);
        for (int entity = 0; entity < entities; entity++) {
            steps.add(new Step(Step.Kind.START, entity, random.nextInt(NODES), 1, 0));
        }
        int entity = 0;
        int node = 0;
        while (steps.size() < count) {
            if (random.nextInt(100) >= staying) {
                entity = random.nextInt(entities);
                node = random.nextInt(100) < home ? 0 : random.nextInt(NODES);
            }
            Step.Kind kind = kind(habits, random);
            steps.add(new Step(
                    kind,
                    kind == Step.Kind.START ? random.nextInt(entities) : entity,
                    node,
                    1 + random.nextInt(random.nextInt(8) == 0 ? 40 : 5),
                    pause(random)));
        }
        return new Program(subject, seed, steps);
    }

    private static Map<Step.Kind, Integer> habits(SplittableRandom random) {
        Map<Step.Kind, Integer> habits = new EnumMap<>(Step.Kind.class);
        for (Step.Kind kind : Step.Kind.values()) {
            int times = MULTIPLES[random.nextInt(MULTIPLES.length)];
            boolean needed = kind == Step.Kind.START || kind == Step.Kind.PERSIST;
            habits.put(kind, kind.usual() * (needed ? Math.max(1, times) : times));
        }
        return habits;
    }

    private static Step.Kind kind(Map<Step.Kind, Integer> habits, SplittableRandom random) {
        int dice = random.nextInt(
                habits.values().stream().mapToInt(Integer::intValue).sum());
        for (Map.Entry<Step.Kind, Integer> habit : habits.entrySet()) {
            dice -= habit.getValue();
            if (dice < 0) {
                return habit.getKey();
            }
        }
        throw new IllegalStateException("No kind has the rest of the sum");
    }

    /** Mostly shorter than a request, sometimes longer than a call, seldom longer than a view of the log is trusted. */
    private static long pause(SplittableRandom random) {
        int dice = random.nextInt(1_000);
        if (dice < 450) {
            return random.nextInt(6);
        } else if (dice < 850) {
            return random.nextInt(60);
        } else if (dice < 970) {
            return random.nextInt(12_000);
        } else if (dice < 995) {
            return random.nextInt(1_500_000);
        }
        return random.nextLong(MAX_PAUSE_MILLIS);
    }

    Program with(List<Step> fewer) {
        return new Program(subject, seed, fewer);
    }

    /** The same steps under other circumstances. */
    Program withSeed(long other) {
        return new Program(subject, other, steps);
    }

    @Override
    public String toString() {
        return "layout " + subject.name() + ", seed " + seed
                + steps.stream().map(step -> "\n    " + step).collect(Collectors.joining());
    }
}
