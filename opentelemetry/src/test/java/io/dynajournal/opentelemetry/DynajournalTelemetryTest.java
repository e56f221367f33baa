package io.dynajournal.opentelemetry;

import static io.opentelemetry.sdk.testing.assertj.OpenTelemetryAssertions.assertThat;
import static io.opentelemetry.sdk.testing.assertj.OpenTelemetryAssertions.equalTo;

import io.dynajournal.exception.StoreException;
import io.dynajournal.listener.Capacity;
import io.dynajournal.listener.Lane;
import io.dynajournal.listener.Operation;
import io.dynajournal.listener.ProjectionListener.Audit;
import io.dynajournal.listener.ProjectionListener.State;
import io.dynajournal.listener.ProjectionListener.Status;
import io.dynajournal.listener.QueryListener.Progress;
import io.dynajournal.listener.QueryListener.Stuck;
import io.dynajournal.listener.RequestEvent;
import io.dynajournal.listener.RequestEvent.Outcome;
import io.dynajournal.listener.RetryEvent;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.sdk.metrics.data.MetricData;
import io.opentelemetry.sdk.testing.junit5.OpenTelemetryExtension;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.data.StatusData;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

final class DynajournalTelemetryTest {

    @RegisterExtension
    static final OpenTelemetryExtension SDK = OpenTelemetryExtension.create();

    private static final Instant NOW = Instant.parse("2026-11-18T12:00:00Z");

    private DynajournalTelemetry telemetry;

    /** Not at construction: the extension forgets all instruments before each test. */
    @BeforeEach
    void createInstruments() {
        telemetry = DynajournalTelemetry.metricsAndSpans(SDK.getOpenTelemetry(), Clock.fixed(NOW, ZoneOffset.UTC));
    }

    private static RequestEvent put(Outcome outcome, @Nullable Throwable failure) {
        return new RequestEvent(
                Operation.PUT,
                "events",
                "Cart",
                1,
                Lane.WRITE,
                outcome,
                2,
                Duration.ofMillis(8),
                new Capacity(1, 0.5),
                null,
                failure);
    }

    private static MetricData metric(String name) {
        return SDK.getMetrics().stream()
                .filter(each -> each.getName().equals(name))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no metric " + name));
    }

    @Test
    void aRequestIsASpanByTheConventionsForDatabaseClients() {
        telemetry.onRequest(put(Outcome.SUCCEEDED, null));

        List<SpanData> spans = SDK.getSpans();
        assertThat(spans).hasSize(1);
        assertThat(spans.get(0))
                .hasName("PutItem events")
                .hasKind(SpanKind.CLIENT)
                .startsAt(NOW.minusMillis(8))
                .endsAt(NOW)
                .hasStatus(StatusData.unset())
                .hasAttributesSatisfyingExactly(
                        equalTo(AttributeKey.stringKey("db.system.name"), "aws.dynamodb"),
                        equalTo(AttributeKey.stringKey("db.operation.name"), "PutItem"),
                        equalTo(AttributeKey.stringKey("db.collection.name"), "events"),
                        equalTo(RequestSpans.ENTITY_TYPE, "Cart"),
                        equalTo(RequestSpans.ATTEMPTS, 2),
                        equalTo(RequestSpans.CAPACITY, 1.5));
    }

    @Test
    void aBatchHasItsSize() {
        telemetry.onRequest(new RequestEvent(
                Operation.BATCH_INSERT,
                "events",
                "",
                25,
                Lane.WRITE,
                Outcome.SUCCEEDED,
                1,
                Duration.ofMillis(8),
                Capacity.NONE,
                null,
                null));

        assertThat(SDK.getSpans().get(0)).hasAttribute(RequestSpans.BATCH_SIZE, 25L);
        assertThat(SDK.getSpans().get(0).getAttributes().get(RequestSpans.ENTITY_TYPE))
                .isNull();
    }

    @Test
    void onlyAFailureIsAnErrorNotAConditionThatDidNotHold() {
        telemetry.onRequest(put(Outcome.CONDITION_FAILED, null));
        telemetry.onRequest(put(Outcome.FAILED, new StoreException.Unavailable("no answer", null)));

        assertThat(SDK.getSpans().get(0))
                .hasStatus(StatusData.unset())
                .hasAttribute(RequestAttributes.ERROR, "ConditionalCheckFailedException");
        assertThat(SDK.getSpans().get(1))
                .hasStatus(StatusData.error())
                .hasAttribute(RequestAttributes.ERROR, StoreException.Unavailable.class.getName());
    }

    @Test
    void withoutSpansNoneAreMade() {
        DynajournalTelemetry.metrics(SDK.getOpenTelemetry()).onRequest(put(Outcome.SUCCEEDED, null));

        assertThat(SDK.getSpans()).isEmpty();
    }

    @Test
    void durationCapacityAndRetriesAreMetrics() {
        telemetry.onRequest(put(Outcome.SUCCEEDED, null));
        telemetry.onRetry(new RetryEvent(
                Operation.PUT, "events", Lane.WRITE, 1, Duration.ofMillis(5), null, new IllegalStateException("busy")));

        assertThat(metric("db.client.operation.duration"))
                .hasUnit("s")
                .hasHistogramSatisfying(histogram ->
                        histogram.hasPointsSatisfying(point -> point.hasCount(1).hasSum(0.008)));
        assertThat(metric("dynajournal.capacity"))
                .hasDoubleSumSatisfying(sum -> sum.hasPointsSatisfying(
                        point -> point.hasValue(1).hasAttribute(RequestInstruments.TARGET, "table"),
                        point -> point.hasValue(0.5).hasAttribute(RequestInstruments.TARGET, "indexes")));
        assertThat(metric("dynajournal.retries"))
                .hasLongSumSatisfying(sum -> sum.hasPointsSatisfying(point -> point.hasValue(1)
                        .hasAttribute(RequestAttributes.ERROR, IllegalStateException.class.getName())));
    }

    @Test
    void queriesAndProjectionsShowTheirLag() {
        telemetry.progressed(new Progress("by slices", 10, NOW.minusSeconds(3), 0));
        telemetry.progressed(new Progress("by slices", 12, NOW.minusSeconds(2), 0));
        telemetry.stuck(new Stuck("by slices", new IllegalStateException("x"), Duration.ofSeconds(1)));
        telemetry.reported(
                new Status("carts", "0-1023", 0, 1023, State.RUNNING, NOW, NOW.minusSeconds(5), null, 7, NOW, 0, null));

        assertThat(metric("dynajournal.query.lag"))
                .hasDoubleGaugeSatisfying(gauge -> gauge.hasPointsSatisfying(
                        point -> point.hasValue(2).hasAttribute(ProgressInstruments.QUERY, "by slices")));
        assertThat(metric("dynajournal.query.failures"))
                .hasLongSumSatisfying(sum -> sum.hasPointsSatisfying(point -> point.hasValue(1)));
        assertThat(metric("dynajournal.projection.lag"))
                .hasDoubleGaugeSatisfying(gauge -> gauge.hasPointsSatisfying(
                        point -> point.hasValue(5).hasAttribute(ProgressInstruments.PROJECTION, "carts")));
        assertThat(metric("dynajournal.projection.waiting"))
                .hasLongGaugeSatisfying(gauge -> gauge.hasPointsSatisfying(point -> point.hasValue(7)));
        assertThat(metric("dynajournal.projection.state").getLongGaugeData().getPoints())
                .filteredOn(point -> point.getValue() == 1)
                .singleElement()
                .satisfies(point -> assertThat(point.getAttributes().get(ProgressInstruments.STATE))
                        .isEqualTo("running"));
    }

    @Test
    void auditsAreCounted() {
        telemetry.audited(new Audit("carts", "0-1023", 0, 1023, 10, 9, 0, 0, List.of("Cart|1")));
        telemetry.audited(new Audit("carts", "0-1023", 0, 1023, 5, 5, 0, 0, List.of()));

        assertThat(metric("dynajournal.projection.audited"))
                .hasLongSumSatisfying(sum -> sum.hasPointsSatisfying(
                        point -> point.hasValue(15).hasAttribute(ProgressInstruments.PROJECTION, "carts")));
        assertThat(metric("dynajournal.projection.missed"))
                .hasLongSumSatisfying(sum -> sum.hasPointsSatisfying(point -> point.hasValue(1)));
    }

    @Test
    void aProjectionThatWasStoppedHereHasNoLagHere() {
        telemetry.reported(
                new Status("carts", "0-1023", 0, 1023, State.STOPPED, NOW, NOW.minusSeconds(5), null, 0, NOW, 0, null));

        assertThat(SDK.getMetrics()).noneMatch(each -> each.getName().equals("dynajournal.projection.lag"));
    }
}
