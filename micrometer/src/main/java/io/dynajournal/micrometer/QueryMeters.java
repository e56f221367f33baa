package io.dynajournal.micrometer;

import io.dynajournal.listener.QueryListener.Progress;
import io.dynajournal.listener.QueryListener.Stuck;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Meters of queries by slice and by tag. */
final class QueryMeters {

    /** A query that has reported nothing for this long has ended, and has no lag any more. */
    private static final Duration FORGOTTEN_AFTER = Duration.ofMinutes(5);

    private final MeterRegistry registry;
    private final Map<String, Query> queries = new ConcurrentHashMap<>();

    QueryMeters(MeterRegistry registry) {
        this.registry = registry;
    }

    void progressed(Progress progress) {
        queries.computeIfAbsent(progress.query(), this::register).progressed(progress, now());
    }

    void stuck(Stuck stuck) {
        // Not by query: a query of one entity has its persistence id in its name.
        registry.counter(
                        "dynajournal.query.failures",
                        "error",
                        stuck.cause().getClass().getSimpleName())
                .increment();
        Query known = queries.get(stuck.query());
        if (known != null) {
            known.reportedAt = now();
        }
    }

    private long now() {
        return registry.config().clock().wallTime();
    }

    private Query register(String name) {
        Query query = new Query();
        Gauge.builder("dynajournal.query.lag", query, each -> each.lagSeconds(now()))
                .description("Time since the moment up to which all events were delivered")
                .baseUnit("seconds")
                .tag("query", name)
                .register(registry);
        FunctionCounter.builder("dynajournal.query.delivered", query, Query::delivered)
                .description("Events delivered")
                .tag("query", name)
                .register(registry);
        FunctionCounter.builder("dynajournal.query.gaps", query, Query::gaps)
                .description("Commits that the index showed before their predecessor, which was read from the table")
                .tag("query", name)
                .register(registry);
        return query;
    }

    /** The last report of a query, and what the streams of that name have delivered in all. */
    private static final class Query {
        private @Nullable Progress last;
        private long delivered;
        private long gaps;
        private volatile long reportedAt;

        /** A stream counts from zero; when one of the same name starts again, its predecessor's events still count. */
        synchronized void progressed(Progress progress, long nowMillis) {
            Progress before = last;
            if (before == null || progress.delivered() < before.delivered() || progress.gaps() < before.gaps()) {
                delivered += progress.delivered();
                gaps += progress.gaps();
            } else {
                delivered += progress.delivered() - before.delivered();
                gaps += progress.gaps() - before.gaps();
            }
            last = progress;
            reportedAt = nowMillis;
        }

        synchronized double delivered() {
            return delivered;
        }

        synchronized double gaps() {
            return gaps;
        }

        synchronized double lagSeconds(long nowMillis) {
            if (last == null || nowMillis - reportedAt > FORGOTTEN_AFTER.toMillis()) {
                return Double.NaN;
            }
            return Math.max(0, nowMillis - last.readTo().toEpochMilli()) / 1000.0;
        }
    }
}
