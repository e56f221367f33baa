package io.dynajournal.opentelemetry;

import io.dynajournal.listener.RequestEvent;
import io.dynajournal.listener.RequestEvent.Outcome;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import java.time.Clock;
import java.time.Instant;

/** A span for each request that has ended. */
final class RequestSpans {

    static final AttributeKey<Long> ATTEMPTS = AttributeKey.longKey("dynajournal.attempts");
    static final AttributeKey<String> ENTITY_TYPE = AttributeKey.stringKey("dynajournal.entity_type");
    static final AttributeKey<Long> BATCH_SIZE = AttributeKey.longKey("db.operation.batch.size");
    static final AttributeKey<Double> CAPACITY = AttributeKey.doubleKey("dynajournal.capacity");

    private final Tracer tracer;
    private final Clock clock;

    RequestSpans(Tracer tracer, Clock clock) {
        this.tracer = tracer;
        this.clock = clock;
    }

    void ended(RequestEvent event) {
        Instant end = clock.instant();
        Span span = tracer.spanBuilder(RequestAttributes.apiName(event.operation()) + " " + event.table())
                .setSpanKind(SpanKind.CLIENT)
                .setAllAttributes(RequestAttributes.of(event))
                .setAttribute(ATTEMPTS, (long) event.attempts())
                .setAttribute(CAPACITY, event.capacity().total())
                .setStartTimestamp(end.minus(event.duration()))
                .startSpan();
        if (!event.entityType().isEmpty()) {
            span.setAttribute(ENTITY_TYPE, event.entityType());
        }
        // By the conventions only a batch of two or more has a size.
        if (event.items() > 1) {
            span.setAttribute(BATCH_SIZE, (long) event.items());
        }
        // A condition that does not hold is an answer, not an error: it is how a second writer is found.
        if (event.outcome() == Outcome.FAILED) {
            span.setStatus(StatusCode.ERROR);
        }
        span.end(end);
    }
}
