package io.dynajournal.micrometer;

import io.dynajournal.listener.DynajournalListener;
import io.dynajournal.listener.RequestEvent;
import io.dynajournal.listener.RetryEvent;
import io.micrometer.core.instrument.MeterRegistry;

/**
 * Records requests, capacity units, retries, queries and projections in a Micrometer registry. Pass it to {@code
 * DynajournalSetup.create().withListener(new DynajournalMetrics(registry))} when you create the actor system. Thread-safe.
 *
 * <p>Labels are operations, tables, outcomes, names of exceptions, queries by slice and projections: as many values as the application
 * has of those, and never one per persistence id. {@code docs/monitoring.md} lists the meters.
 */
public final class DynajournalMetrics implements DynajournalListener {

    private final RequestMeters requests;
    private final QueryMeters queries;
    private final ProjectionMeters projections;

    /** @param registry receives all meters; it may have common tags and filters of its own */
    public DynajournalMetrics(MeterRegistry registry) {
        this.requests = new RequestMeters(registry);
        this.queries = new QueryMeters(registry);
        this.projections = new ProjectionMeters(registry);
    }

    @Override
    public void onRequest(RequestEvent event) {
        requests.ended(event);
    }

    @Override
    public void onRetry(RetryEvent event) {
        requests.retried(event);
    }

    @Override
    public void progressed(Progress progress) {
        queries.progressed(progress);
    }

    @Override
    public void stuck(Stuck stuck) {
        queries.stuck(stuck);
    }

    @Override
    public void reported(Status status) {
        projections.reported(status);
    }

    @Override
    public void audited(Audit audit) {
        projections.audited(audit);
    }
}
