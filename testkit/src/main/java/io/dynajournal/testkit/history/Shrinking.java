package io.dynajournal.testkit.history;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Makes a failing program smaller: leaves out steps as long as it still fails, and tries each smaller program with a few seeds. */
final class Shrinking {

    private static final int SEEDS = 8;
    private static final int MAX_RUNS = 3_000;

    private int runs;

    private Shrinking() {}

    /** A program that still fails, and its violation. */
    record Failing(Program program, Throwable failure) {}

    static Failing smallest(Program program, Throwable failure) {
        return new Shrinking().shrink(new Failing(program, failure));
    }

    private Failing shrink(Failing start) {
        Failing best = start;
        int chunk = Math.max(1, best.program().steps().size() / 2);
        while (chunk >= 1 && runs < MAX_RUNS) {
            Failing smaller = without(best, chunk);
            if (smaller != null) {
                best = smaller;
            } else {
                chunk = chunk == 1 ? 0 : chunk / 2;
            }
        }
        return best;
    }

    private @Nullable Failing without(Failing best, int chunk) {
        List<Step> steps = best.program().steps();
        for (int from = 0; from < steps.size(); from += chunk) {
            List<Step> fewer = new ArrayList<>(steps.subList(0, from));
            fewer.addAll(steps.subList(Math.min(steps.size(), from + chunk), steps.size()));
            Failing failing = tried(best.program().with(fewer));
            if (failing != null) {
                return failing;
            }
        }
        return null;
    }

    private @Nullable Failing tried(Program smaller) {
        for (int i = 0; i < SEEDS; i++) {
            Program program = i == 0 ? smaller : smaller.withSeed(smaller.seed() + i);
            runs++;
            Throwable failure = HistoryCheck.failure(program);
            if (failure != null) {
                return new Failing(program, failure);
            }
        }
        return null;
    }
}
