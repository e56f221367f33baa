package io.dynajournal.internal.model;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class SlicesTest {

    @Test
    void slicesAreTheToolkitsOwn() {
        // abs(hashCode % 1024), as every version of both toolkits computes it.
        assertThat(Slices.of("cart|1")).isEqualTo(Math.abs("cart|1".hashCode() % 1024));
        assertThat(Slices.of("polygenelubricants")).isZero(); // its hash code is Integer.MIN_VALUE
    }

    @Test
    void theEntityTypeStandsBeforeTheFirstBar() {
        assertThat(Slices.entityType("cart|1")).isEqualTo("cart");
        assertThat(Slices.entityType("cart|1|R1")).isEqualTo("cart");
        assertThat(Slices.entityType("plain")).isEmpty();
        assertThat(Slices.entityType("|x")).isEmpty();
    }
}
