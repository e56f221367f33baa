package io.dynajournal.internal.plugin;

import io.dynajournal.health.QueryHealth;
import io.dynajournal.listener.ProjectionListener;
import io.dynajournal.listener.QueryListener;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The latest report of each query and each projection of an actor system, for health checks. Thread-safe. */
public final class LatestProgress implements QueryListener, ProjectionListener {

    /** A query that has not reported for so long has ended, or nobody consumes it. */
    private static final Duration KEPT = Duration.ofMinutes(5);

    /** Queries may be as many as there are tags; beyond that new ones are not kept. */
    private static final int MAX_QUERIES = 1000;

    private record Instance(String projection, String key) {}

    private final InstantSource clock;
    private final Map<String, QueryHealth> queries = new ConcurrentHashMap<>();
    private final Map<Instance, Status> projections = new ConcurrentHashMap<>();

    LatestProgress(InstantSource clock) {
        this.clock = clock;
    }

    @Override
    public void progressed(Progress report) {
        put(new QueryHealth(report.query(), clock.instant(), report.delivered(), report.readTo(), null));
    }

    @Override
    public void stuck(Stuck report) {
        QueryHealth before = queries.get(report.query());
        put(new QueryHealth(
                report.query(),
                clock.instant(),
                before == null ? 0 : before.delivered(),
                before == null ? null : before.readTo(),
                report.cause()));
    }

    private void put(QueryHealth query) {
        if (queries.size() >= MAX_QUERIES && !queries.containsKey(query.query())) {
            removeEnded();
        }
        if (queries.size() < MAX_QUERIES || queries.containsKey(query.query())) {
            queries.put(query.query(), query);
        }
    }

    private void removeEnded() {
        Instant oldest = clock.instant().minus(KEPT);
        queries.values().removeIf(query -> query.reported().isBefore(oldest));
    }

    @Override
    public void reported(Status status) {
        projections.put(new Instance(status.projection(), status.key()), status);
    }

    List<QueryHealth> queries() {
        removeEnded();
        List<QueryHealth> sorted = new ArrayList<>(queries.values());
        sorted.sort(Comparator.comparing(QueryHealth::query));
        return sorted;
    }

    List<Status> projections() {
        List<Status> sorted = new ArrayList<>(projections.values());
        sorted.sort(Comparator.comparing(Status::projection).thenComparing(Status::key));
        return sorted;
    }
}
