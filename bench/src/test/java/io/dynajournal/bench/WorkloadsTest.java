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
    void aQuickRunHasAllThatIsPromisedOfIt() {
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
    void onlyTenThousandEntitiesWakeOnceForAllRounds() {
        assertThat(names(Scale.FULL, Workload::isOnce)).containsExactly("wake-10000");
        assertThat(Workloads.on(Scale.FULL))
                .contains(new Recovering("wake-10000", 10_000, List.of(new Recovering.Events("persistAll", 1, 5)), 0));
    }
}
