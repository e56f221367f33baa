package io.dynajournal.opentelemetry;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynajournal.listener.TraceContexts;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.baggage.Baggage;
import io.opentelemetry.api.baggage.propagation.W3CBaggagePropagator;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;
import io.opentelemetry.context.propagation.ContextPropagators;
import io.opentelemetry.context.propagation.TextMapPropagator;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import org.junit.jupiter.api.Test;

@SuppressWarnings("try") // scopes are only closed
final class DynajournalTraceContextsTest {

    private static final OpenTelemetry SDK = OpenTelemetrySdk.builder()
            .setPropagators(ContextPropagators.create(TextMapPropagator.composite(
                    W3CTraceContextPropagator.getInstance(), W3CBaggagePropagator.getInstance())))
            .build();

    private static final SpanContext WRITER = SpanContext.create(
            "0af7651916cd43dd8448eb211c80319c",
            "b7ad6b7169203331",
            TraceFlags.getSampled(),
            TraceState.builder().put("vendor", "x").build());

    private final DynajournalTraceContexts contexts = DynajournalTraceContexts.ofThread(SDK);

    private String stored() {
        Context context = Context.root()
                .with(Span.wrap(WRITER))
                .with(Baggage.builder().put("tenant", "7").build());
        try (Scope scope = context.makeCurrent()) {
            String text = contexts.toStore("Cart|1", "event");
            assertThat(text).isNotNull();
            return String.valueOf(text);
        }
    }

    @Test
    void theContextOfTheWriteIsStoredAsTheFieldsOfThePropagators() {
        assertThat(stored().lines())
                .containsExactlyInAnyOrder(
                        "traceparent: 00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
                        "tracestate: vendor=x",
                        "baggage: tenant=7");
    }

    @Test
    void itIsCurrentUntilTheScopeIsClosed() {
        String stored = stored();
        try (TraceContexts.Scope scope = contexts.restore(stored)) {
            SpanContext restored = Span.current().getSpanContext();
            assertThat(restored.getTraceId()).isEqualTo(WRITER.getTraceId());
            assertThat(restored.getSpanId()).isEqualTo(WRITER.getSpanId());
            assertThat(restored.isSampled()).isTrue();
            assertThat(restored.isRemote()).isTrue();
            assertThat(restored.getTraceState().get("vendor")).isEqualTo("x");
            assertThat(Baggage.current().getEntryValue("tenant")).isEqualTo("7");
        }
        assertThat(Span.current().getSpanContext().isValid()).isFalse();
    }

    @Test
    void withoutATraceNothingIsStored() {
        assertThat(contexts.toStore("Cart|1", "event")).isNull();
    }

    @Test
    void metadataOfOthersChangesNothing() {
        for (Object metadata : new Object[] {"", "note", "a: b", "traceparent: 00-broken", 17}) {
            assertThat(contexts.context(metadata)).isSameAs(Context.current());
        }
        try (TraceContexts.Scope scope = contexts.restore("someone's note")) {
            assertThat(Span.current().getSpanContext().isValid()).isFalse();
        }
    }

    @Test
    void anApplicationFindsTheContextByTheEvent() {
        DynajournalTraceContexts own = DynajournalTraceContexts.of(
                SDK,
                (persistenceId, event) ->
                        event.equals("traced") ? Context.root().with(Span.wrap(WRITER)) : Context.root());

        assertThat(own.toStore("Cart|1", "traced")).contains(WRITER.getTraceId());
        assertThat(own.toStore("Cart|1", "other")).isNull();
    }
}
