package io.dynajournal.opentelemetry;

import io.dynajournal.listener.DynajournalListener;
import io.dynajournal.listener.RequestEvent;
import io.dynajournal.listener.RetryEvent;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.metrics.Meter;
import java.time.Clock;
import java.util.Optional;

/**
 * Records requests, capacity units, retries, queries and projections as OpenTelemetry metrics and, on request, requests as spans. Pass it
 * to {@code DynajournalSetup.create().withListener(DynajournalTelemetry.metrics(openTelemetry))} when you create the actor system. Names
 * and attributes of requests follow the semantic conventions for database clients. Thread-safe.
 *
 * <p>Attributes are operations, tables, names of exceptions, queries by slice and projections, never a persistence id. {@code
 * docs/monitoring.md} lists the instruments.
 */
public final class DynajournalTelemetry implements DynajournalListener {

    private static final String SCOPE = "io.dynajournal";

    private final RequestInstruments requests;
    private final ProgressInstruments progress;
    private final Optional<RequestSpans> spans;

    private DynajournalTelemetry(OpenTelemetry openTelemetry, Clock clock, boolean withSpans) {
        Meter meter = openTelemetry.getMeter(SCOPE);
        this.requests = new RequestInstruments(meter);
        this.progress = new ProgressInstruments(meter, clock);
        this.spans =
                withSpans ? Optional.of(new RequestSpans(openTelemetry.getTracer(SCOPE), clock)) : Optional.empty();
    }

    /** Metrics only. */
    public static DynajournalTelemetry metrics(OpenTelemetry openTelemetry) {
        return new DynajournalTelemetry(openTelemetry, Clock.systemUTC(), false);
    }

    /**
     * Metrics, and a span for each request to DynamoDB. Requests run on threads of the client, where no span is current, so each span is
     * the root of its own trace: sample them.
     */
    public static DynajournalTelemetry metricsAndSpans(OpenTelemetry openTelemetry) {
        return metricsAndSpans(openTelemetry, Clock.systemUTC());
    }

    static DynajournalTelemetry metricsAndSpans(OpenTelemetry openTelemetry, Clock clock) {
        return new DynajournalTelemetry(openTelemetry, clock, true);
    }

    @Override
    public void onRequest(RequestEvent event) {
        requests.ended(event);
        spans.ifPresent(recorded -> recorded.ended(event));
    }

    @Override
    public void onRetry(RetryEvent event) {
        requests.retried(event);
    }

    @Override
    public void progressed(Progress report) {
        progress.progressed(report);
    }

    @Override
    public void stuck(Stuck report) {
        progress.stuck(report);
    }

    @Override
    public void reported(Status status) {
        progress.reported(status);
    }

    @Override
    public void audited(Audit audit) {
        progress.audited(audit);
    }
}
