package io.dynajournal.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynajournal.listener.ProjectionListener.Audit;
import io.dynajournal.listener.ProjectionListener.State;
import io.dynajournal.listener.QueryListener.Progress;
import io.dynajournal.listener.QueryListener.Stuck;
import io.micrometer.core.instrument.MockClock;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleConfig;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class DynajournalMetricsTest {

    private static final String QUERY = "live query of entity type \"Cart\" by slices 0 to 1023";

    private final MockClock clock = new MockClock();
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry(SimpleConfig.DEFAULT, clock);
    private final DynajournalMetrics metrics = new DynajournalMetrics(registry);

    private Instant now() {
        return Instant.ofEpochMilli(clock.wallTime());
    }

    private double value(String name, String... tags) {
        return registry.get(name).tags(tags).gauge().value();
    }

    @Test
    void requestsAreTimedByOperationTableOutcomeAndError() {
        metrics.onRequest(Reports.put(Duration.ofMillis(4)));
        metrics.onRequest(Reports.put(Duration.ofMillis(6)));
        metrics.onRequest(Reports.failedQuery());

        Timer puts = registry.get("dynajournal.requests")
                .tags("operation", "put", "table", "events", "outcome", "succeeded", "error", "none")
                .timer();
        assertThat(puts.count()).isEqualTo(2);
        assertThat(puts.totalTime(TimeUnit.MILLISECONDS)).isEqualTo(10);
        assertThat(registry.get("dynajournal.requests")
                        .tags("operation", "query", "outcome", "failed", "error", "Unavailable")
                        .timer()
                        .count())
                .isEqualTo(1);
    }

    @Test
    void capacityUnitsAreCountedByEntityTypeAndBatchesByTheirSize() {
        metrics.onRequest(Reports.put(Duration.ofMillis(4)));
        metrics.onRequest(Reports.group(25));
        metrics.onRequest(Reports.group(5));

        assertThat(registry.get("dynajournal.capacity")
                        .tags("entity_type", "Cart", "target", "table")
                        .counter()
                        .count())
                .isEqualTo(1);
        assertThat(registry.get("dynajournal.capacity")
                        .tags("entity_type", "none", "operation", "batch_insert")
                        .counter()
                        .count())
                .isEqualTo(30);
        assertThat(registry.get("dynajournal.batch.items")
                        .tags("operation", "batch_insert", "table", "events")
                        .summary()
                        .totalAmount())
                .isEqualTo(30);
        assertThat(registry.get("dynajournal.batch.items").summaries()).hasSize(1);
    }

    @Test
    void capacityUnitsOfTableAndIndexesAreCountedApart() {
        metrics.onRequest(Reports.put(Duration.ofMillis(4)));
        metrics.onRequest(Reports.put(Duration.ofMillis(4)));

        assertThat(registry.get("dynajournal.capacity")
                        .tag("target", "table")
                        .counter()
                        .count())
                .isEqualTo(2);
        assertThat(registry.get("dynajournal.capacity")
                        .tag("target", "indexes")
                        .counter()
                        .count())
                .isEqualTo(1);
    }

    @Test
    void retriesAreCountedByError() {
        metrics.onRetry(Reports.retry());

        assertThat(registry.get("dynajournal.retries")
                        .tags("operation", "put", "table", "events", "error", "IllegalStateException")
                        .counter()
                        .count())
                .isEqualTo(1);
    }

    @Test
    void theLagOfAQueryGrowsUntilItReportsAgainAndEndsWithTheQuery() {
        metrics.progressed(new Progress(QUERY, 10, now(), 1));
        clock.add(Duration.ofSeconds(30));
        assertThat(value("dynajournal.query.lag", "query", QUERY)).isEqualTo(30);

        metrics.stuck(new Stuck(QUERY, new IllegalStateException("throttled"), Duration.ofSeconds(1)));
        clock.add(Duration.ofMinutes(5));
        assertThat(value("dynajournal.query.lag", "query", QUERY)).isEqualTo(330);

        clock.add(Duration.ofSeconds(1));
        assertThat(value("dynajournal.query.lag", "query", QUERY)).isNaN();
    }

    @Test
    void aQueryThatStartsAgainGoesOnCounting() {
        metrics.progressed(new Progress(QUERY, 10, now(), 1));
        metrics.progressed(new Progress(QUERY, 15, now(), 1));
        metrics.progressed(new Progress(QUERY, 3, now(), 0));

        assertThat(registry.get("dynajournal.query.delivered").functionCounter().count())
                .isEqualTo(18);
        assertThat(registry.get("dynajournal.query.gaps").functionCounter().count())
                .isEqualTo(1);
    }

    @Test
    void failuresOfAQueryOfOneEntityMakeNoLabelOfItsPersistenceId() {
        metrics.stuck(new Stuck("live query of Cart|17", new IllegalStateException("x"), Duration.ofSeconds(1)));

        assertThat(registry.get("dynajournal.query.failures").counter().count()).isEqualTo(1);
        assertThat(registry.getMeters())
                .allSatisfy(meter -> assertThat(meter.getId().toString()).doesNotContain("Cart|17"));
    }

    @Test
    void aProjectionShowsItsLagItsStateAndWhatWaits() {
        metrics.reported(Reports.status(State.RUNNING, now(), now()));
        clock.add(Duration.ofSeconds(20));

        assertThat(value("dynajournal.projection.lag", "projection", "carts", "key", "0-1023"))
                .isEqualTo(20);
        assertThat(value("dynajournal.projection.idle")).isEqualTo(20);
        assertThat(value("dynajournal.projection.waiting")).isEqualTo(7);
        assertThat(value("dynajournal.projection.failures")).isEqualTo(2);
        assertThat(value("dynajournal.projection.state", "state", "running")).isEqualTo(1);
        assertThat(value("dynajournal.projection.state", "state", "stuck")).isZero();

        metrics.reported(Reports.status(State.STUCK, now(), now()));
        assertThat(value("dynajournal.projection.state", "state", "running")).isZero();
        assertThat(value("dynajournal.projection.state", "state", "stuck")).isEqualTo(1);
    }

    @Test
    void auditsAreCounted() {
        metrics.audited(new Audit("carts", "0-1023", 0, 1023, 10, 9, 0, 0, List.of("Cart|1")));
        metrics.audited(new Audit("carts", "0-1023", 0, 1023, 5, 5, 0, 0, List.of()));

        assertThat(registry.get("dynajournal.projection.audited").counter().count())
                .isEqualTo(15);
        assertThat(registry.get("dynajournal.projection.missed").counter().count())
                .isEqualTo(1);
        assertThat(registry.getMeters())
                .allSatisfy(meter -> assertThat(meter.getId().toString()).doesNotContain("Cart|1"));
    }

    @Test
    void aProjectionThatWasStoppedHereHasNoLagHere() {
        metrics.reported(Reports.status(State.RUNNING, now(), null));
        assertThat(value("dynajournal.projection.idle")).isNaN();

        metrics.reported(Reports.status(State.STOPPED, now(), null));
        assertThat(value("dynajournal.projection.lag")).isNaN();
    }
}
