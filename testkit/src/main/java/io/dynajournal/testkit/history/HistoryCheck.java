package io.dynajournal.testkit.history;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Random programs of entities and of durable states on every layout, run on the simulated DynamoDB with faults, and checked against the guarantees. A seed
 * makes the same program, the same faults and the same order of requests every time.
 */
public final class HistoryCheck {

    private final Map<String, Subject> subjects = new TreeMap<>();
    private final Map<String, StateSubject> states = new TreeMap<>();

    /** All layouts. */
    public HistoryCheck() {
        Subject.all().forEach(subject -> subjects.put(subject.name(), subject));
        StateSubject.all().forEach(subject -> states.put(subject.name(), subject));
    }

    /** The names of the layouts under test. */
    public List<String> layouts() {
        return Stream.concat(subjects.keySet().stream(), states.keySet().stream())
                .toList();
    }

    /**
     * The runs of one layout.
     *
     * @param schedules how many programs ran
     * @param acknowledged how many events were acknowledged in them
     */
    public record Report(String layout, int schedules, long requests, long acknowledged, Duration took) {
        @Override
        public String toString() {
            return layout + ": " + schedules + " schedules, " + requests + " requests, " + acknowledged
                    + " acknowledged events, " + took.toMillis() + " ms";
        }
    }

    /**
     * Runs the programs of consecutive seeds.
     *
     * @throws AssertionError with the seed and a smaller program that fails, if a guarantee does not hold
     */
    public Report run(String layout, long firstSeed, int schedules) {
        long start = System.nanoTime();
        long requests = 0;
        long acknowledged = 0;
        for (long seed = firstSeed; seed < firstSeed + schedules; seed++) {
            try {
                Run.Done done = execute(layout, seed);
                requests += done.requests();
                acknowledged += done.acknowledged();
            } catch (RuntimeException e) {
                throw states.containsKey(layout) ? failedState(layout, seed, e) : failed(program(layout, seed), e);
            }
        }
        return new Report(layout, schedules, requests, acknowledged, Duration.ofNanos(System.nanoTime() - start));
    }

    private Run.Done execute(String layout, long seed) {
        StateSubject state = states.get(layout);
        return state == null
                ? new Run(program(layout, seed)).execute()
                : StateRun.of(state, seed).execute();
    }

    private Program program(String layout, long seed) {
        Subject subject = subjects.get(layout);
        if (subject == null) {
            throw new IllegalArgumentException("There is no layout " + layout + "; there are " + layouts());
        }
        return Program.random(subject, seed);
    }

    /** What one program did, as text that is equal for two runs of the same seed. */
    public String trace(String layout, long seed) {
        return execute(layout, seed).toString();
    }

    /** How many schedules it takes until one fails; empty text after it if none does. */
    public List<String> findFirst(String layout, long firstSeed, int schedules) {
        List<String> found = new ArrayList<>();
        for (long seed = firstSeed; seed < firstSeed + schedules; seed++) {
            try {
                execute(layout, seed);
            } catch (RuntimeException e) {
                found.add(Long.toString(seed - firstSeed + 1));
                found.add(String.valueOf(e.getMessage()));
                break;
            }
        }
        return found;
    }

    /** Null if every guarantee holds. */
    static @Nullable Throwable failure(Program program) {
        try {
            new Run(program).execute();
            return null;
        } catch (RuntimeException e) {
            return e;
        }
    }

    /** Its first steps that fail too; the fewest. */
    private AssertionError failedState(String layout, long seed, RuntimeException failure) {
        StateSubject subject = Objects.requireNonNull(states.get(layout));
        for (int steps = 1; ; steps++) {
            StateRun shorter = new StateRun(subject, seed, steps);
            try {
                shorter.execute();
            } catch (RuntimeException e) {
                return new AssertionError(
                        "Layout " + layout + ", seed " + seed + ": " + failure.getMessage()
                                + "\n  A shorter run that fails: " + e.getMessage() + "\n  " + shorter,
                        failure);
            }
        }
    }

    private static AssertionError failed(Program program, RuntimeException failure) {
        Shrinking.Failing smallest = Shrinking.smallest(program, failure);
        return new AssertionError(
                "Layout " + program.subject().name() + ", seed " + program.seed() + ": " + failure.getMessage()
                        + "\n  A smaller program that fails: "
                        + smallest.failure().getMessage() + "\n  " + smallest.program(),
                failure);
    }
}
