package io.dynajournal.bench.soak;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynajournal.bench.soak.Sample.Trend;
import java.util.List;
import java.util.function.LongUnaryOperator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class SampleTest {

    private static List<Sample> samples(LongUnaryOperator heap) {
        return LongStream.range(0, 100)
                .mapToObj(i -> Sample.of(heap.applyAsLong(i) + "\t20\t" + i % 17 + "\t1\t2\t3"))
                .toList();
    }

    @Test
    void theSecondQuarterIsComparedWithTheLast() {
        assertThat(Trend.ofMedians("heap", samples(i -> i < 25 ? 999 : i), Sample::heap))
                .isEqualTo(new Trend("heap", 37, 87))
                .hasToString("heap 37 → 87 NOT FLAT");
        assertThat(Trend.ofMaxima("sockets", samples(i -> i), Sample::sockets)).isEqualTo(new Trend("sockets", 16, 16));
    }

    @Test
    void atMostATenthOfGrowthIsFlat() {
        assertThat(new Trend("heap", 100, 110).isFlat()).isTrue();
        assertThat(new Trend("heap", 100, 111).isFlat()).isFalse();
        assertThat(new Trend("heap", 100, 50).isFlat()).isTrue();
    }
}
