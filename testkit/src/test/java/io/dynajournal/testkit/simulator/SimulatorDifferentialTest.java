package io.dynajournal.testkit.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynajournal.testkit.LocalDynamo;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The same random requests to the simulator and to a server, and the same answers. {@code -Ddynajournal.differential.seeds=1000} runs
 * that many, each of a hundred requests.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SimulatorDifferentialTest {

    @RegisterExtension
    final LocalDynamo local = new LocalDynamo();

    static LongStream seeds() {
        return LongStream.rangeClosed(1, Integer.getInteger("dynajournal.differential.seeds", 12));
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void bothAnswerTheSame(long seed) {
        assertThat(new Differential(local.client(), local.freshTable(), seed).differences(100))
                .isEmpty();
    }

    @Test
    void bothRejectTheSameReservedWords() {
        assertThat(Differential.reservedWordDifferences(local.client(), local.freshTable()))
                .isEmpty();
    }
}
