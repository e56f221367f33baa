package io.dynajournal.internal.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynajournal.exception.StoreException;
import io.dynajournal.health.QueryHealth;
import io.dynajournal.listener.QueryListener;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

final class LatestProgressTest {

    private static final Instant READ_TO = Instant.parse("2026-01-01T00:00:00Z");

    private Instant now = Instant.parse("2026-01-01T00:00:01Z");
    private final LatestProgress progress = new LatestProgress(() -> now);

    private void progressed(String query, long delivered) {
        progress.progressed(new QueryListener.Progress(query, delivered, READ_TO, 0));
    }

    @Test
    void aFailureKeepsHowFarTheQueryWasAndTheNextReadClearsIt() {
        StoreException failure = new StoreException.Refused("on purpose", null);
        progressed("query", 7);
        progress.stuck(new QueryListener.Stuck("query", failure, Duration.ofSeconds(1)));
        assertThat(progress.queries()).containsExactly(new QueryHealth("query", now, 7, READ_TO, failure));

        progressed("query", 8);
        assertThat(progress.queries()).containsExactly(new QueryHealth("query", now, 8, READ_TO, null));
    }

    @Test
    void aQueryThatNoLongerReportsIsRemoved() {
        progressed("ended", 1);
        now = now.plus(Duration.ofMinutes(4));
        progressed("running", 1);
        assertThat(progress.queries()).extracting(QueryHealth::query).containsExactly("ended", "running");

        now = now.plus(Duration.ofMinutes(2));
        assertThat(progress.queries()).extracting(QueryHealth::query).containsExactly("running");
    }

    @Test
    void moreThanAThousandQueriesAreNotKept() {
        for (int i = 0; i < 1100; i++) {
            progressed("query " + i, 1);
        }
        assertThat(progress.queries()).hasSize(1000);
        progressed("query 0", 2);
        assertThat(progress.queries())
                .filteredOn(query -> query.query().equals("query 0"))
                .singleElement()
                .satisfies(query -> assertThat(query.delivered()).isEqualTo(2));

        now = now.plus(Duration.ofMinutes(6));
        progressed("new", 1);
        assertThat(progress.queries()).extracting(QueryHealth::query).containsExactly("new");
    }
}
