package io.dynajournal.cli.cost;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The write units of offsets per event, as {@code ProjectionCostTest} counts them on DynamoDB Local for the projections themselves. */
class OffsetUnitsTest {

    /** 64 slices an instance, and 100 events of different entities in each window. */
    @ParameterizedTest(name = "{0}, {1}")
    @CsvSource({
        "timestamp-offset, at-least-once, 1.0, 1.07",
        "timestamp-offset, exactly-once, 2.0, 2.13",
        "timestamp-offset, grouped, 2.0, 2.13",
        "packed, at-least-once, 0.04, 0.07",
        "packed, exactly-once, 4.9, 5.1",
        "packed, grouped, 0.25, 0.27"
    })
    void anEventTakesAsManyUnitsAsInAProjection(String offsets, String guarantee, double from, double to) {
        Workload workload = Workload.of(
                Map.of(),
                null,
                Map.of(
                        "events-per-second", "3200",
                        "entities", "100000",
                        "instances", "16",
                        "offsets", offsets,
                        "guarantee", guarantee,
                        "group", "20"));
        assertThat(OffsetUnits.of(workload).perSecond().tableWrites() / 3200).isBetween(from, to);
    }
}
