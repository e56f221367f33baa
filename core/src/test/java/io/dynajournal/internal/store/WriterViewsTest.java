package io.dynajournal.internal.store;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class WriterViewsTest {

    private static final LogEnd END = new LogEnd(5, 1, "w", 1);

    @Test
    void rejectionsAndFailuresOfManyWritersAreKeptWhereFewViewsAre() {
        WriterViews views = new WriterViews(1);
        views.wrote("cart|rejected", "w", END);
        views.rejected("cart|rejected", "w");
        views.stop("cart|failed", "w");
        for (int i = 0; i < 1_000; i++) {
            views.wrote("cart|" + i, "w", END);
            views.rejected("cart|" + i, "w");
        }

        assertThat(views.of("cart|rejected", "w").end()).isEqualTo(LogEnd.FORGOTTEN_AFTER_REJECTION);
        assertThat(views.of("cart|failed", "w").stopped()).isTrue();
    }
}
