package io.dynajournal.opentelemetry;

import io.dynajournal.listener.ProjectionListener.Audit;
import io.dynajournal.listener.ProjectionListener.State;
import io.dynajournal.listener.ProjectionListener.Status;
import io.dynajournal.listener.QueryListener.Progress;
import io.dynajournal.listener.QueryListener.Stuck;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.metrics.LongCounter;
import io.opentelemetry.api.metrics.Meter;
import io.opentelemetry.api.metrics.ObservableDoubleMeasurement;
import io.opentelemetry.api.metrics.ObservableLongMeasurement;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Metrics of queries by slice and of projections: the last report of each. */
final class ProgressInstruments {

    static final AttributeKey<String> QUERY = AttributeKey.stringKey("dynajournal.query");
    static final AttributeKey<String> PROJECTION = AttributeKey.stringKey("dynajournal.projection");
    static final AttributeKey<String> KEY = AttributeKey.stringKey("dynajournal.projection.key");
    static final AttributeKey<String> STATE = AttributeKey.stringKey("dynajournal.projection.state");

    /** A query that has reported nothing for this long has ended, and has no lag any more. */
    private static final Duration FORGOTTEN_AFTER = Duration.ofMinutes(5);

    private record Report(Progress progress, Instant at) {}

    private record Instance(String projection, String key) {}

    private final Clock clock;
    private final Map<String, Report> queries = new ConcurrentHashMap<>();
    private final Map<Instance, Status> projections = new ConcurrentHashMap<>();
    private final LongCounter queryFailures;
    private final LongCounter audited;
    private final LongCounter missed;

    ProgressInstruments(Meter meter, Clock clock) {
        this.clock = clock;
        queryFailures = meter.counterBuilder("dynajournal.query.failures")
                .setDescription("Failures after which a live query retried")
                .build();
        audited = meter.counterBuilder("dynajournal.projection.audited")
                .setDescription("Entities that audits have compared with the journal")
                .build();
        missed = meter.counterBuilder("dynajournal.projection.missed")
                .setDescription("Entities among them with an event that was not projected")
                .build();
        meter.gaugeBuilder("dynajournal.query.lag")
                .setDescription("Time since the moment up to which all events were delivered")
                .setUnit("s")
                .buildWithCallback(this::measureQueries);
        meter.gaugeBuilder("dynajournal.projection.lag")
                .setDescription("Time since the moment up to which all events were projected")
                .setUnit("s")
                .buildWithCallback(this::measureLag);
        meter.gaugeBuilder("dynajournal.projection.waiting")
                .setDescription("Events delivered whose offsets are not stored yet")
                .setUnit("{event}")
                .ofLongs()
                .buildWithCallback(this::measureWaiting);
        meter.gaugeBuilder("dynajournal.projection.state")
                .setDescription("1 for the state that the projection is in")
                .ofLongs()
                .buildWithCallback(this::measureStates);
    }

    void progressed(Progress progress) {
        queries.put(progress.query(), new Report(progress, clock.instant()));
    }

    void stuck(Stuck stuck) {
        // Not by query: a query of one entity has its persistence id in its name.
        queryFailures.add(
                1,
                Attributes.of(RequestAttributes.ERROR, stuck.cause().getClass().getName()));
        queries.computeIfPresent(stuck.query(), (query, last) -> new Report(last.progress, clock.instant()));
    }

    void reported(Status status) {
        projections.put(new Instance(status.projection(), status.key()), status);
    }

    void audited(Audit audit) {
        Attributes attributes = Attributes.of(PROJECTION, audit.projection(), KEY, audit.key());
        audited.add(audit.sampled(), attributes);
        missed.add(audit.missed().size(), attributes);
    }

    private void measureQueries(ObservableDoubleMeasurement lag) {
        Instant now = clock.instant();
        queries.values().removeIf(report -> report.at.plus(FORGOTTEN_AFTER).isBefore(now));
        queries.forEach(
                (query, report) -> lag.record(seconds(report.progress.readTo(), now), Attributes.of(QUERY, query)));
    }

    private void measureLag(ObservableDoubleMeasurement lag) {
        Instant now = clock.instant();
        projections.values().forEach(status -> {
            @Nullable Instant projectedTo = status.projectedTo();
            if (projectedTo != null && status.state() != State.STOPPED) {
                lag.record(seconds(projectedTo, now), attributes(status));
            }
        });
    }

    private void measureWaiting(ObservableLongMeasurement waiting) {
        projections.values().forEach(status -> waiting.record(status.waiting(), attributes(status)));
    }

    private void measureStates(ObservableLongMeasurement states) {
        projections.values().forEach(status -> {
            for (State state : State.values()) {
                states.record(
                        status.state() == state ? 1 : 0,
                        attributes(status).toBuilder()
                                .put(STATE, state.name().toLowerCase(Locale.ROOT))
                                .build());
            }
        });
    }

    private static Attributes attributes(Status status) {
        return Attributes.of(PROJECTION, status.projection(), KEY, status.key());
    }

    private static double seconds(Instant since, Instant now) {
        return Math.max(0, Duration.between(since, now).toMillis()) / 1000.0;
    }
}
