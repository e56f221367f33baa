package io.dynajournal.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ClaimsTest {

    private final Results results = new Results(Plugin.named(List.of()));

    private void measured(String workload, String plugin, String figure, double value) {
        results.add(workload, Plugin.named(List.of(plugin)).get(0), new Figures(Map.of(figure, value), true, null));
    }

    private List<Claims.Claim> claims(String workload, String figure) {
        return Claims.of(results).stream()
                .filter(claim -> claim.text().startsWith(workload + " " + figure + " "))
                .toList();
    }

    /** Measures a value just within the bar and one just beyond it. */
    private void assertBar(String workload, String figure, String ours, String other, double within, double beyond) {
        for (double value : List.of(within, beyond)) {
            Results one = new Results(Plugin.named(List.of()));
            Plugin otherPlugin = Plugin.named(List.of(other)).get(0);
            one.add(workload, otherPlugin, new Figures(Map.of(figure, 100.0), true, null));
            one.add(workload, Plugin.named(List.of(ours)).get(0), new Figures(Map.of(figure, value), true, null));
            assertThat(Claims.of(one))
                    .as("%s %s of %s to %s: %s", workload, figure, ours, other, value)
                    .singleElement()
                    .satisfies(claim -> assertThat(claim.holds()).isEqualTo(value == within));
        }
    }

    @Test
    void writesAreComparedWithPeersThatHaveNoIndexEither() {
        String peer = "pekko-1.1.0";
        assertBar("persist-all-10", Figures.WRITE_UNITS, "dynajournal", peer, 35, 35.1);
        assertBar("persist-all-10", Figures.SPEED, "dynajournal", peer, 250, 249.9);
        assertBar("persist-one", Figures.WRITE_UNITS, "dynajournal", peer, 100, 100.1);
        assertBar("persist-one", Figures.REQUESTS, "dynajournal", peer, 100, 100.1);
        assertBar("persist-one", Figures.SPEED, "dynajournal", peer, 95, 94.9);
    }

    @Test
    void theClientsCostIsClaimedForTheDefaultAndForDirectRequests() {
        String peer = "akka-1.3.0";
        assertBar(Workloads.STUB, Figures.SPEED, "dynajournal-indexed", peer, 200, 199.9);
        assertBar(Workloads.STUB, Figures.SPEED, "dynajournal-direct", peer, 300, 299.9);
        assertBar(Workloads.STUB, Figures.CPU, "dynajournal-single-puts", peer, 125, 125.1);
        assertBar(Workloads.STUB, Figures.CPU, "dynajournal-direct-single-puts", peer, 75, 75.1);
    }

    @Test
    void recoveriesAreClaimedForTheDefault() {
        String peer = "akka-1.3.0";
        for (String workload : List.of("recover-new", "recover-50", "recover-snapshot")) {
            assertBar(workload, Figures.ENTITY_REQUESTS, "dynajournal-indexed", peer, 100, 100.1);
            assertBar(workload, Figures.ROUND_TRIPS, "dynajournal-indexed", peer, 100, 100.1);
            assertBar(workload, Figures.ENTITY_READ_UNITS, "dynajournal-indexed", peer, 100, 100.1);
        }
        assertBar("recover-10000", Figures.SPEED, "dynajournal-indexed", peer, 120, 119.9);
        assertBar("recover-10000-by-10", Figures.SPEED, "dynajournal-indexed", peer, 300, 299.9);
    }

    @Test
    void belowSaturationLatenciesAreComparedWithTheBareSdk() {
        for (String workload : List.of("cloud-500", "cloud-1000", "cloud-2000", "cloud-4000")) {
            assertBar(workload, Figures.MEDIAN, "dynajournal-indexed", "bare-sdk", 125, 125.1);
            assertBar(workload, Figures.PERCENTILE_99, "dynajournal-indexed", "bare-sdk", 115, 115.1);
        }
    }

    @Test
    void theMedianIsComparedWithThePeersAtTwoAndFourThousandPerSecond() {
        assertBar("cloud-2000", Figures.MEDIAN, "dynajournal-indexed", "j5ik2o-1.16.492", 40, 40.1);
        assertBar("cloud-4000", Figures.MEDIAN, "dynajournal-indexed", "j5ik2o-1.16.492", 40, 40.1);
        measured("cloud-1000", "dynajournal-indexed", Figures.MEDIAN, 1);
        measured("cloud-1000", "pekko-1.1.0", Figures.MEDIAN, 1);
        assertThat(claims("cloud-1000", Figures.MEDIAN)).isEmpty();
    }

    @Test
    void atSaturationTheThroughputIsComparedWithSinglePutsAndThePeers() {
        assertBar("cloud-20000", Figures.SPEED, "dynajournal-indexed", "dynajournal-single-puts", 400, 399.9);
        assertBar("cloud-20000", Figures.SPEED, "dynajournal-indexed", "pekko-1.1.0", 300, 299.9);
        measured("cloud-20000", "dynajournal-indexed", Figures.MEDIAN, 1);
        measured("cloud-20000", "bare-sdk", Figures.MEDIAN, 1);
        assertThat(claims("cloud-20000", Figures.MEDIAN)).isEmpty();
    }

    @Test
    void readUnitsAreNotComparedWithEventuallyConsistentReads() {
        measured("recover-new", "dynajournal-indexed", Figures.ENTITY_READ_UNITS, 2);
        results.add(
                "recover-new",
                Plugin.named(List.of("pekko-1.1.0")).get(0),
                new Figures(Map.of(Figures.ENTITY_READ_UNITS, 1.0), false, null));
        measured("recover-new", "akka-1.3.0", Figures.ENTITY_READ_UNITS, 4);
        assertThat(Claims.of(results))
                .containsExactly(new Claims.Claim(
                        "recover-new rcuPerEntity of dynajournal-indexed at most 1 times the best peer's with consistent reads:"
                                + " 0.50",
                        true));
    }

    @Test
    void theReportMarksClaimsThatDoNotHold() {
        measured("persist-all-10", "dynajournal", Figures.WRITE_UNITS, 0.4);
        measured("persist-all-10", "pekko-1.1.0", Figures.WRITE_UNITS, 1);
        assertThat(new Report(results, Map.of()).markdown())
                .contains("**does not hold**: persist-all-10 wcuPerEvent of dynajournal at most 0.35 times the"
                        + " best peer's: 0.40");
    }
}
