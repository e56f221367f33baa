package io.dynajournal.micrometer;

import io.dynajournal.listener.ProjectionListener.Audit;
import io.dynajournal.listener.ProjectionListener.State;
import io.dynajournal.listener.ProjectionListener.Status;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.ToDoubleBiFunction;
import org.jspecify.annotations.Nullable;

/** Meters of the projections that run in this process. */
final class ProjectionMeters {

    private record Instance(String projection, String key) {}

    private final MeterRegistry registry;
    private final Map<Instance, AtomicReference<Status>> statuses = new ConcurrentHashMap<>();

    ProjectionMeters(MeterRegistry registry) {
        this.registry = registry;
    }

    void reported(Status status) {
        statuses.computeIfAbsent(new Instance(status.projection(), status.key()), instance -> register(status))
                .set(status);
    }

    void audited(Audit audit) {
        Tags tags = Tags.of("projection", audit.projection(), "key", audit.key());
        counter("audited", "Entities that audits have compared with the journal", tags)
                .increment((double) audit.sampled());
        counter("missed", "Entities among them with an event that was not projected", tags)
                .increment(audit.missed().size());
    }

    private Counter counter(String name, String description, Tags tags) {
        return Counter.builder("dynajournal.projection." + name)
                .description(description)
                .tags(tags)
                .register(registry);
    }

    private AtomicReference<Status> register(Status first) {
        AtomicReference<Status> current = new AtomicReference<>(first);
        Tags tags = Tags.of("projection", first.projection(), "key", first.key());
        gauge(
                current,
                tags,
                "lag",
                "seconds",
                "Time since the moment up to which all events were projected",
                this::lag);
        gauge(
                current,
                tags,
                "idle",
                "seconds",
                "Time since an event was last handled",
                (status, now) -> seconds(status.lastProgress(), now));
        gauge(
                current,
                tags,
                "waiting",
                null,
                "Events delivered whose offsets are not stored yet",
                (status, now) -> status.waiting());
        gauge(
                current,
                tags,
                "failures",
                null,
                "Failures of the stream since an event was last handled",
                (status, now) -> status.failures());
        for (State state : State.values()) {
            gauge(
                    current,
                    tags.and("state", state.name().toLowerCase(Locale.ROOT)),
                    "state",
                    null,
                    "1 for the state that the projection is in, 0 for the others",
                    (status, now) -> status.state() == state ? 1 : 0);
        }
        return current;
    }

    private void gauge(
            AtomicReference<Status> current,
            Tags tags,
            String name,
            @Nullable String unit,
            String description,
            ToDoubleBiFunction<Status, Instant> value) {
        Gauge.builder("dynajournal.projection." + name, current, each -> value.applyAsDouble(each.get(), now()))
                .description(description)
                .baseUnit(unit)
                .tags(tags)
                .register(registry);
    }

    private Instant now() {
        return Instant.ofEpochMilli(registry.config().clock().wallTime());
    }

    /** A projection that was stopped here may run on another node, so it has no lag here. */
    private double lag(Status status, Instant now) {
        return status.state() == State.STOPPED ? Double.NaN : seconds(status.projectedTo(), now);
    }

    private static double seconds(@Nullable Instant since, Instant now) {
        return since == null
                ? Double.NaN
                : Math.max(0, Duration.between(since, now).toMillis()) / 1000.0;
    }
}
