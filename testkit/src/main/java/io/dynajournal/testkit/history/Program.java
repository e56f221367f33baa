package io.dynajournal.testkit.history;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Collectors;

/**
 * What entities do on a layout, and the seed of everything that is random while they do it.
 *
 * @param seed of the scheduler, the faults and the clocks
 */
record Program(Subject subject, long seed, List<Step> steps) {

    private static final int NODES = 3;
    private static final int MAX_STEPS = 28;

    Program {
        steps = List.copyOf(steps);
    }

    /** The program of a seed; always the same one. */
    static Program random(Subject subject, long seed) {
        SplittableRandom random = new SplittableRandom(seed ^ 0x5DEECE66DL);
        List<Step> steps = new ArrayList<>();
        int entities = 1 + random.nextInt(2);
        int count = 6 + random.nextInt(MAX_STEPS - 6);
        for (int entity = 0; entity < entities; entity++) {
            steps.add(new Step(Step.Kind.START, entity, random.nextInt(NODES), 1, 0));
        }
        while (steps.size() < count) {
            steps.add(new Step(
                    kind(random),
                    random.nextInt(entities),
                    random.nextInt(100) < 60 ? 0 : random.nextInt(NODES),
                    1 + random.nextInt(random.nextInt(8) == 0 ? 40 : 5),
                    pause(random)));
        }
        return new Program(subject, seed, steps);
    }

    private static Step.Kind kind(SplittableRandom random) {
        int dice = random.nextInt(100);
        if (dice < 18) {
            return Step.Kind.START;
        } else if (dice < 36) {
            return Step.Kind.PERSIST;
        } else if (dice < 44) {
            return Step.Kind.PERSIST_BATCH;
        } else if (dice < 52) {
            return Step.Kind.PERSIST_ASYNC;
        } else if (dice < 56) {
            return Step.Kind.PERSIST_LARGE;
        } else if (dice < 60) {
            return Step.Kind.REJECT;
        } else if (dice < 72) {
            return Step.Kind.SNAPSHOT;
        } else if (dice < 81) {
            return Step.Kind.DELETE;
        } else if (dice < 85) {
            return Step.Kind.DELETE_UNCOVERED;
        } else if (dice < 91) {
            return Step.Kind.STOP;
        } else if (dice < 96) {
            return Step.Kind.CRASH;
        }
        return Step.Kind.PAUSE;
    }

    /** Mostly shorter than a request, sometimes longer than a call, seldom longer than a view of the log is trusted. */
    private static long pause(SplittableRandom random) {
        int dice = random.nextInt(100);
        if (dice < 45) {
            return random.nextInt(6);
        } else if (dice < 85) {
            return random.nextInt(60);
        } else if (dice < 97) {
            return random.nextInt(12_000);
        }
        return random.nextInt(1_500_000);
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
