package io.dynajournal.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

class WorkloadsTest {

    private static List<String> names(Scale scale, Predicate<Workload> which) {
        return Workloads.on(scale).stream().filter(which).map(Workload::name).toList();
    }

    @Test
    void aQuickRunIncludesTheDocumentedWorkloads() {
        assertThat(names(Scale.QUICK, Workload::isQuick))
                .containsExactlyInAnyOrder(
                        "persist-one",
                        "persist-all-10",
                        "persist-async",
                        "recover-new",
                        "recover-50",
                        "recover-10000",
                        "recover-snapshot",
                        "wake-10000");
    }

    @Test
    void onlyTheStartOfTenThousandEntitiesHasASingleTurn() {
        assertThat(names(Scale.FULL, Workload::isOnce)).containsExactly("wake-10000");
        assertThat(Workloads.on(Scale.FULL))
                .contains(new RecoveryWorkload(
                        "wake-10000", 10_000, List.of(new RecoveryWorkload.Events("persistAll", 1, 5)), 0));
    }

    @Test
    void aStormIsRunByName() {
        assertThat(Workloads.names()).contains("storm-10000");
    }

    @Test
    void persistsArriveAtFiveRatesOnTheSimulatedCloud() {
        assertThat(CloudWorkload.all())
                .extracting(CloudWorkload::name)
                .containsExactly("cloud-500", "cloud-1000", "cloud-2000", "cloud-4000", "cloud-20000");
        assertThat(CloudWorkload.all().stream().filter(CloudWorkload::isQuick))
                .extracting(CloudWorkload::name)
                .containsExactly("cloud-2000", "cloud-20000");
        assertThat(CloudWorkload.all().stream().filter(CloudWorkload::isSaturated))
                .extracting(CloudWorkload::name)
                .containsExactly("cloud-20000");
    }
}
