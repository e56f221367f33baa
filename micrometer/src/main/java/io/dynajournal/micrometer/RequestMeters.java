package io.dynajournal.micrometer;

import io.dynajournal.listener.Capacity;
import io.dynajournal.listener.Operation;
import io.dynajournal.listener.RequestEvent;
import io.dynajournal.listener.RequestEvent.Outcome;
import io.dynajournal.listener.RetryEvent;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Meters of requests to DynamoDB. Looks a meter up in the registry once, because that costs more than recording. */
final class RequestMeters {

    private record RequestKey(Operation operation, String table, Outcome outcome, String error) {}

    private record CapacityKey(Operation operation, String table, String entityType, String target) {}

    private record BatchKey(Operation operation, String table) {}

    private record RetryKey(Operation operation, String table, String error) {}

    private final MeterRegistry registry;
    private final Map<RequestKey, Timer> requests = new ConcurrentHashMap<>();
    private final Map<CapacityKey, Counter> units = new ConcurrentHashMap<>();
    private final Map<BatchKey, DistributionSummary> batches = new ConcurrentHashMap<>();
    private final Map<RetryKey, Counter> retries = new ConcurrentHashMap<>();

    RequestMeters(MeterRegistry registry) {
        this.registry = registry;
    }

    void ended(RequestEvent event) {
        String error =
                event.failure() == null ? "none" : event.failure().getClass().getSimpleName();
        requests.computeIfAbsent(
                        new RequestKey(event.operation(), event.table(), event.outcome(), error), this::requestTimer)
                .record(event.duration());
        Capacity capacity = event.capacity();
        batch(event);
        count(event, "table", capacity.table());
        count(event, "indexes", capacity.indexes());
    }

    void retried(RetryEvent event) {
        String error = event.cause().getClass().getSimpleName();
        retries.computeIfAbsent(new RetryKey(event.operation(), event.table(), error), this::retryCounter)
                .increment();
    }

    private void count(RequestEvent event, String target, double consumed) {
        if (consumed > 0) {
            units.computeIfAbsent(
                            new CapacityKey(event.operation(), event.table(), entityType(event), target),
                            this::unitCounter)
                    .increment(consumed);
        }
    }

    private static String entityType(RequestEvent event) {
        return event.entityType().isEmpty() ? "none" : event.entityType();
    }

    private void batch(RequestEvent event) {
        if (event.items() > 1) {
            batches.computeIfAbsent(new BatchKey(event.operation(), event.table()), this::batchSummary)
                    .record(event.items());
        }
    }

    private DistributionSummary batchSummary(BatchKey key) {
        return DistributionSummary.builder("dynajournal.batch.items")
                .description("Items in a batch or a transaction")
                .tag("operation", label(key.operation))
                .tag("table", key.table)
                .register(registry);
    }

    private Timer requestTimer(RequestKey key) {
        return Timer.builder("dynajournal.requests")
                .description("Requests to DynamoDB with all their attempts")
                .tag("operation", label(key.operation))
                .tag("table", key.table)
                .tag("outcome", label(key.outcome))
                .tag("error", key.error)
                .publishPercentileHistogram()
                .register(registry);
    }

    private Counter unitCounter(CapacityKey key) {
        return Counter.builder("dynajournal.capacity")
                .description("Capacity units consumed, as DynamoDB reports them")
                .baseUnit("units")
                .tag("operation", label(key.operation))
                .tag("table", key.table)
                .tag("entity_type", key.entityType)
                .tag("target", key.target)
                .register(registry);
    }

    private Counter retryCounter(RetryKey key) {
        return Counter.builder("dynajournal.retries")
                .description("Failed attempts that were retried")
                .tag("operation", label(key.operation))
                .tag("table", key.table)
                .tag("error", key.error)
                .register(registry);
    }

    private static String label(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }
}
