package io.dynajournal.testkit.history;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Random programs of entities and durable states on every layout. {@code -Ddynajournal.history.schedules=10000} runs that many of each
 * layout, {@code -Ddynajournal.history.seed=n} begins with another seed; a failure names the seed that repeats it.
 */
@Execution(ExecutionMode.SAME_THREAD)
class HistoryCheckTest {

    private static final int SCHEDULES = Integer.getInteger("dynajournal.history.schedules", 910);
    private static final long SEED = Long.getLong("dynajournal.history.seed", 1);

    private final HistoryCheck check = new HistoryCheck();

    static Stream<String> layouts() {
        return new HistoryCheck().layouts().stream();
    }

    @ParameterizedTest
    @MethodSource("layouts")
    void everyGuaranteeHoldsInEverySchedule(String layout) {
        HistoryCheck.Report report = check.run(layout, SEED, SCHEDULES);
        System.out.println(report);
        assertThat(report.acknowledged()).isGreaterThan(SCHEDULES);
    }

    @ParameterizedTest
    @MethodSource("layouts")
    void aSeedRepeatsARunExactly(String layout) {
        for (long seed = 1; seed <= 20; seed++) {
            assertThat(check.trace(layout, seed)).isEqualTo(check.trace(layout, seed));
        }
    }
}
