package io.dynajournal.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.Test;

class CompareArgumentsTest {

    private static CompareArguments of(String line) {
        return CompareArguments.of(line.isEmpty() ? List.of() : List.of(line.split(" ")));
    }

    @Test
    void theDefaultIsEverythingInFiveRounds() {
        CompareArguments all = of("");
        assertThat(all.quick()).isFalse();
        assertThat(all.rounds()).isEqualTo(5);
        assertThat(all.plugins()).isEmpty();
        assertThat(all.region()).isNull();
        assertThat(all.wants("anything", false)).isTrue();
        assertThat(all.jvm()).isEmpty();
        assertThat(of("--quick").rounds()).isEqualTo(3);
        assertThat(of("--quick").wants("short", true)).isTrue();
        assertThat(of("--quick").wants("long", false)).isFalse();
        assertThat(of("--quick --java-options -Xint").jvm()).containsExactly("-Xint", "-XX:TieredStopAtLevel=1");
    }

    @Test
    void optionsSelectWorkloadsAndPlugins() {
        CompareArguments some = of(
                "--quick --workloads persist-one,persist-one-stub,cloud-500 --plugins akka-1.3.0 --repeat 7 --seed 5");
        assertThat(some.wants("persist-one-stub", true)).isTrue();
        assertThat(some.wants("cloud-500", false)).isTrue();
        assertThat(some.wants("recover-50", true)).isFalse();
        assertThat(some.plugins()).containsExactly("akka-1.3.0");
        assertThat(some.rounds()).isEqualTo(7);
        assertThat(some.seed()).isEqualTo(5);
    }

    @Test
    void unknownNamesAreRejectedBeforeAnythingRuns() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> of("--workloads persist-two"))
                .withMessageContaining("persist-two");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> of("--plugins none"))
                .withMessageContaining("none");
        assertThatIllegalArgumentException().isThrownBy(() -> of("--fast")).withMessageContaining("--fast");
        assertThatIllegalArgumentException().isThrownBy(() -> of("--repeat")).withMessageContaining("--repeat");
        assertThatIllegalArgumentException().isThrownBy(() -> of("--repeat x")).withMessageContaining("x");
    }
}
