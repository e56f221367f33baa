package io.dynajournal.projection;

import static org.assertj.core.api.Assertions.assertThat;

import akka.Done;
import akka.actor.typed.ActorSystem;
import akka.persistence.query.Offset;
import akka.persistence.query.typed.EventEnvelope;
import akka.projection.Projection;
import akka.projection.RunningProjection;
import akka.projection.eventsourced.javadsl.EventSourcedProvider;
import akka.projection.javadsl.Handler;
import akka.projection.javadsl.SourceProvider;
import io.dynajournal.DynajournalSetup;
import io.dynajournal.listener.TraceContexts;
import io.dynajournal.opentelemetry.DynajournalTraceContexts;
import io.dynajournal.projection.javadsl.DynajournalProjection;
import io.dynajournal.testkit.Await;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.testing.junit5.OpenTelemetryExtension;
import io.opentelemetry.sdk.trace.data.SpanData;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The trace of a write goes on in the projection that handles its event, over a real journal and OpenTelemetry's SDK. */
final class TraceContextTest {

    private static final int LAST_SLICE = 63;

    @RegisterExtension
    static final OpenTelemetryExtension SDK = OpenTelemetryExtension.create();

    @RegisterExtension
    final Fixture fixture = new Fixture();

    private final Map<Object, Context> contexts = new ConcurrentHashMap<>();
    private final Tracer tracer = SDK.getOpenTelemetry().getTracer("test");
    private final Received received = new Received();

    enum Kind {
        AT_LEAST_ONCE,
        AT_LEAST_ONCE_GROUPED,
        EXACTLY_ONCE,
        EXACTLY_ONCE_GROUPED
    }

    static Stream<Arguments> kindsAndLayouts() {
        return Stream.concat(
                Stream.of(Kind.values()).map(kind -> Arguments.of(kind, "dynajournal")),
                Stream.of(Arguments.of(Kind.AT_LEAST_ONCE, ProjectionKindsTest.adopted())));
    }

    private void handle(EventEnvelope<String> envelope) {
        tracer.spanBuilder(envelope.event()).startSpan().end();
        received.add(envelope.event());
    }

    private Projection<EventEnvelope<String>> projection(
            Kind kind, ActorSystem<?> system, String plugin, Consumer<EventEnvelope<String>> receive) {
        SourceProvider<Offset, EventEnvelope<String>> source =
                EventSourcedProvider.eventsBySlices(system, plugin + ".query", fixture.entityType, 0, LAST_SLICE);
        return switch (kind) {
            case AT_LEAST_ONCE ->
                DynajournalProjection.atLeastOnce(
                        Runs.ID,
                        source,
                        () -> new Handler<EventEnvelope<String>>() {
                            @Override
                            public CompletionStage<Done> process(EventEnvelope<String> envelope) {
                                receive.accept(envelope);
                                return CompletableFuture.completedFuture(Done.getInstance());
                            }
                        },
                        system);
            case AT_LEAST_ONCE_GROUPED ->
                DynajournalProjection.atLeastOnceGroupedWithin(
                                Runs.ID,
                                source,
                                () -> new Handler<List<EventEnvelope<String>>>() {
                                    @Override
                                    public CompletionStage<Done> process(List<EventEnvelope<String>> group) {
                                        group.forEach(receive);
                                        return CompletableFuture.completedFuture(Done.getInstance());
                                    }
                                },
                                system)
                        .withGroup(1, Duration.ofSeconds(1));
            case EXACTLY_ONCE ->
                DynajournalProjection.exactlyOnce(
                        Runs.ID,
                        source,
                        () -> envelope -> {
                            receive.accept(envelope);
                            return CompletableFuture.completedFuture(List.of());
                        },
                        system);
            case EXACTLY_ONCE_GROUPED ->
                DynajournalProjection.exactlyOnceGroupedWithin(
                                Runs.ID,
                                source,
                                () -> group -> {
                                    group.forEach(receive);
                                    return CompletableFuture.completedFuture(List.of());
                                },
                                system)
                        .withGroup(1, Duration.ofSeconds(1));
        };
    }

    private Context contextOf(Object event) {
        return contexts.getOrDefault(event, Context.root());
    }

    private ActorSystem<Void> start() {
        return fixture.start(
                "",
                DynajournalSetup.create()
                        .withTraceContexts(DynajournalTraceContexts.of(
                                SDK.getOpenTelemetry(), (persistenceId, event) -> contextOf(event))));
    }

    private static SpanData span(String name) {
        return SDK.getSpans().stream()
                .filter(span -> span.getName().equals(name))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no span " + name));
    }

    @ParameterizedTest(name = "{0} on {1}")
    @MethodSource("kindsAndLayouts")
    void aSpanOfTheHandlerBelongsToTheTraceOfTheWrite(Kind kind, String plugin) {
        ActorSystem<Void> system = start();
        Writers writers = new Writers(system, plugin + ".journal");
        String id = fixture.ids(LAST_SLICE, 1).get(0);
        Span first = tracer.spanBuilder("command 1").setNoParent().startSpan();
        Span second = tracer.spanBuilder("command 2").setNoParent().startSpan();
        contexts.put("one", Context.root().with(first));
        contexts.put("two", Context.root().with(second));
        writers.write(id, (Object) "one");
        writers.write(id, (Object) "two");
        writers.write(id, (Object) "untraced");
        first.end();
        second.end();

        RunningProjection running =
                projection(kind, system, plugin, this::handle).run(system);
        assertThat(received.next(3)).containsExactly("one", "two", "untraced");
        Await.result(Runs.stop(running));

        assertThat(span("one").getTraceId()).isEqualTo(first.getSpanContext().getTraceId());
        assertThat(span("one").getParentSpanId())
                .isEqualTo(first.getSpanContext().getSpanId());
        assertThat(span("two").getTraceId()).isEqualTo(second.getSpanContext().getTraceId());
        assertThat(span("untraced").getParentSpanContext().isValid()).isFalse();
    }

    /** Whatever the application's code throws, events are written and projected. */
    @Test
    void tracesThatFailDisturbNothing() {
        ActorSystem<Void> system = fixture.start("", DynajournalSetup.create().withTraceContexts(new TraceContexts() {
            @Override
            public @Nullable String toStore(String persistenceId, Object event) {
                if (event.equals("thrown")) {
                    throw new IllegalStateException("on purpose");
                }
                return "some text";
            }

            @Override
            public Scope restore(String stored) {
                throw new IllegalStateException("on purpose");
            }
        }));
        Writers writers = new Writers(system, "dynajournal.journal");
        String id = fixture.ids(LAST_SLICE, 1).get(0);
        writers.write(id, (Object) "thrown");
        writers.write(id, (Object) "stored");

        RunningProjection running = projection(Kind.AT_LEAST_ONCE, system, "dynajournal", this::handle)
                .run(system);
        assertThat(received.next(2)).containsExactly("thrown", "stored");
        Await.result(Runs.stop(running));
    }
}
