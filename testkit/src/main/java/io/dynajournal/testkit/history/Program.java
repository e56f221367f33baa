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
    private static final int MANY_ENTITIES = 6;
    private static final int MAX_STEPS = 40;

    /** Longer than any view of a log is used without a read. */
    private static final long MAX_PAUSE_MILLIS = 20L * 24 * 3_600_000;

    /** By which the usual frequencies are multiplied. */
    private static final int[] MULTIPLES = {0, 0, 1, 1, 2, 6};

    Program {
        steps = List.copyOf(steps);
    }

    /**
     * The program of a seed; always the same one. Each program has habits of its own: how often each of its nodes does what, how long
     * it stays with an entity and a node, and how fast it is. Rare combinations occur in programs that do little else.
     */
    static Program random(Subject subject, long seed) {
        SplittableRandom random = new SplittableRandom(seed ^ 0x5DEECE66DL);
        List<Step> steps = new ArrayList<>();
        int entities = entities(random);
        int count = entities + 5 + random.nextInt(MAX_STEPS - MANY_ENTITIES - 5);
        int nodes = 1 + random.nextInt(NODES);
        List<Map<Step.Kind, Integer>> habits = habits(random);
        Pace pace = Pace.values()[random.nextInt(Pace.values().length)];
        int staying = 20 + random.nextInt(70);
        int home = 30 + random.nextInt(60);
        for (int entity = 0; entity < entities; entity++) {
            int at = random.nextInt(100) < home ? 0 : random.nextInt(nodes);
            steps.add(new Step(Step.Kind.START, entity, at, 1, 0));
        }
        int entity = 0;
        int node = 0;
        while (steps.size() < count) {
            if (random.nextInt(100) >= staying) {
                entity = random.nextInt(entities);
                node = random.nextInt(100) < home ? 0 : random.nextInt(nodes);
            }
            Step.Kind kind = kind(habits.get(node), random);
            steps.add(new Step(
                    kind,
                    kind == Step.Kind.START ? random.nextInt(entities) : entity,
                    node,
                    1 + random.nextInt(random.nextInt(8) == 0 ? 40 : 5),
                    pause(pace, random)));
        }
        return new Program(subject, seed, steps);
    }

    private static int entities(SplittableRandom random) {
        int dice = random.nextInt(6);
        return dice == 0 ? MANY_ENTITIES : dice == 1 ? 3 : 1 + dice % 2;
    }

    /** Of each node; in every second program all nodes have the same. */
    private static List<Map<Step.Kind, Integer>> habits(SplittableRandom random) {
        List<Map<Step.Kind, Integer>> habits = new ArrayList<>();
        boolean same = random.nextBoolean();
        for (int node = 0; node < NODES; node++) {
            habits.add(same && node > 0 ? habits.get(0) : habitsOfNode(random));
        }
        return habits;
    }

    private static Map<Step.Kind, Integer> habitsOfNode(SplittableRandom random) {
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

    /** Whether a pause is mostly shorter than a request, or longer than a call, or longer than a poll of a query. */
    private enum Pace {
        FAST(600, 940, 990, 997, 1_000),
        MIXED(450, 850, 970, 990, 995),
        SLOW(200, 450, 850, 990, 998);

        private final int shorterThanRequest;
        private final int request;
        private final int call;
        private final int window;
        private final int trusted;

        Pace(int shorterThanRequest, int request, int call, int window, int trusted) {
            this.shorterThanRequest = shorterThanRequest;
            this.request = request;
            this.call = call;
            this.window = window;
            this.trusted = trusted;
        }
    }

    /** Seldom longer than a view of the log is trusted. */
    private static long pause(Pace pace, SplittableRandom random) {
        int dice = random.nextInt(1_000);
        if (dice < pace.shorterThanRequest) {
            return random.nextInt(6);
        } else if (dice < pace.request) {
            return random.nextInt(60);
        } else if (dice < pace.call) {
            return random.nextInt(12_000);
        } else if (dice < pace.window) {
            return random.nextInt(250_000);
        } else if (dice < pace.trusted) {
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
