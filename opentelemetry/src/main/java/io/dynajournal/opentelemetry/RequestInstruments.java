package io.dynajournal.opentelemetry;

import io.dynajournal.listener.RequestEvent;
import io.dynajournal.listener.RetryEvent;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.metrics.DoubleCounter;
import io.opentelemetry.api.metrics.DoubleHistogram;
import io.opentelemetry.api.metrics.LongCounter;
import io.opentelemetry.api.metrics.Meter;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Metrics of requests to DynamoDB. */
final class RequestInstruments {

    static final AttributeKey<String> TARGET = AttributeKey.stringKey("dynajournal.capacity.target");

    /** The boundaries that the semantic conventions recommend for {@code db.client.operation.duration}. */
    private static final List<Double> SECONDS = List.of(0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1.0, 5.0, 10.0);

    private final DoubleHistogram duration;
    private final DoubleCounter capacity;
    private final LongCounter retries;

    RequestInstruments(Meter meter) {
        duration = meter.histogramBuilder("db.client.operation.duration")
                .setDescription("Duration of requests to DynamoDB with all their attempts")
                .setUnit("s")
                .setExplicitBucketBoundariesAdvice(SECONDS)
                .build();
        capacity = meter.counterBuilder("dynajournal.capacity")
                .setDescription("Capacity units consumed, as DynamoDB reports them")
                .setUnit("{unit}")
                .ofDoubles()
                .build();
        retries = meter.counterBuilder("dynajournal.retries")
                .setDescription("Failed attempts that were retried")
                .setUnit("{attempt}")
                .build();
    }

    void ended(RequestEvent event) {
        Attributes attributes = RequestAttributes.of(event);
        duration.record(event.duration().toNanos() / (double) TimeUnit.SECONDS.toNanos(1), attributes);
        count(event, "table", event.capacity().table());
        count(event, "indexes", event.capacity().indexes());
    }

    private void count(RequestEvent event, String target, double units) {
        if (units > 0) {
            capacity.add(
                    units,
                    RequestAttributes.builder(event.operation(), event.table())
                            .put(TARGET, target)
                            .build());
        }
    }

    void retried(RetryEvent event) {
        retries.add(
                1,
                RequestAttributes.builder(event.operation(), event.table())
                        .put(RequestAttributes.ERROR, event.cause().getClass().getName())
                        .build());
    }
}
