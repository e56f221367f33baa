package io.dynajournal.bench.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class RoundTripsTest {

    private static Exchange of(String entity, long begin, long end) {
        return new Exchange(
                "Query",
                ("{\"k\":\"bench-" + entity + "\"}").getBytes(StandardCharsets.UTF_8),
                200,
                new byte[0],
                begin,
                end);
    }

    @Test
    void overlappingRequestsCountOnce() {
        assertThat(RoundTrips.chain(List.of(of("", 0, 10), of("", 1, 11), of("", 2, 9))))
                .isEqualTo(1);
    }

    @Test
    void requestsThatWaitForEachOtherCountEach() {
        assertThat(RoundTrips.chain(List.of(of("", 22, 30), of("", 0, 10), of("", 11, 21))))
                .isEqualTo(3);
    }

    /** The long request overlaps all others, which still are a chain. */
    @Test
    void theLongestChainCounts() {
        assertThat(RoundTrips.chain(List.of(of("", 0, 100), of("", 1, 10), of("", 11, 20), of("", 12, 25))))
                .isEqualTo(2);
    }

    @Test
    void requestsAreAssignedToEntitiesByTheirIds() {
        assertThat(RoundTrips.perEntity(List.of(
                        of("g1x000001z", 0, 10),
                        of("g1x000002z", 11, 20),
                        of("g1x000002z", 21, 30),
                        of("nobody", 31, 40))))
                .isEqualTo(1.5);
    }
}
