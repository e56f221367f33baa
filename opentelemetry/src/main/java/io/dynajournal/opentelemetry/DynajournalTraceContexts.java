package io.dynajournal.opentelemetry;

import io.dynajournal.listener.TraceContexts;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.propagation.TextMapGetter;
import io.opentelemetry.context.propagation.TextMapPropagator;
import io.opentelemetry.context.propagation.TextMapSetter;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * Stores the OpenTelemetry context of each write with its events, and makes it current while the handler of a projection is called: a
 * span that the handler starts then belongs to the trace of the write. Pass it to {@code
 * DynajournalSetup.create().withTraceContexts(DynajournalTraceContexts.ofThread(openTelemetry))}.
 *
 * <p>What is stored is a line {@code name: value} for each field of the propagators, such as {@code traceparent}. Thread-safe.
 */
public final class DynajournalTraceContexts implements TraceContexts {

    private static final String SEPARATOR = ": ";

    private static final TextMapSetter<Map<String, String>> SETTER = (fields, name, value) -> {
        if (fields != null && name.indexOf('\n') < 0 && value.indexOf('\n') < 0) {
            fields.put(name, value);
        }
    };

    private static final TextMapGetter<Map<String, String>> GETTER = new TextMapGetter<>() {
        @Override
        public Iterable<String> keys(Map<String, String> fields) {
            return fields.keySet();
        }

        @Override
        public @Nullable String get(@Nullable Map<String, String> fields, String name) {
            return fields == null ? null : fields.get(name);
        }
    };

    private final TextMapPropagator propagator;
    private final BiFunction<String, Object, Context> contextOfWrite;

    private DynajournalTraceContexts(OpenTelemetry openTelemetry, BiFunction<String, Object, Context> contextOfWrite) {
        this.propagator = openTelemetry.getPropagators().getTextMapPropagator();
        this.contextOfWrite = contextOfWrite;
    }

    /**
     * Stores the context that is current where the journal's actor receives a write. That is the one of the entity if OpenTelemetry's
     * Java agent, or another instrumentation of actors, passes contexts along with messages; otherwise none is.
     */
    public static DynajournalTraceContexts ofThread(OpenTelemetry openTelemetry) {
        return new DynajournalTraceContexts(openTelemetry, (persistenceId, event) -> Context.current());
    }

    /**
     * Stores the context that the application finds for an event, for example in a field of it; needs no agent.
     *
     * @param contextOfWrite gives the context by persistence id and event; {@link Context#root()} for none. Must be fast
     */
    public static DynajournalTraceContexts of(
            OpenTelemetry openTelemetry, BiFunction<String, Object, Context> contextOfWrite) {
        return new DynajournalTraceContexts(openTelemetry, contextOfWrite);
    }

    @Override
    public @Nullable String toStore(String persistenceId, Object event) {
        Map<String, String> fields = new LinkedHashMap<>();
        propagator.inject(contextOfWrite.apply(persistenceId, event), fields, SETTER);
        StringBuilder text = new StringBuilder();
        fields.forEach((name, value) -> text.append(text.isEmpty() ? "" : "\n")
                .append(name)
                .append(SEPARATOR)
                .append(value));
        return text.isEmpty() ? null : text.toString();
    }

    @Override
    @SuppressWarnings("MustBeClosedChecker") // the caller closes it
    public Scope restore(String stored) {
        return context(stored).makeCurrent()::close;
    }

    /**
     * The current context with what was stored with an event: for flows, queries and links between spans. Without a trace context in it,
     * the current context itself.
     *
     * @param metadata of an envelope, such as that of {@code EventEnvelope.getEventMetaData()}
     */
    public Context context(@Nullable Object metadata) {
        Map<String, String> fields = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        if (metadata instanceof String text) {
            text.lines().forEach(line -> {
                int end = line.indexOf(SEPARATOR);
                if (end > 0) {
                    fields.put(line.substring(0, end), line.substring(end + SEPARATOR.length()));
                }
            });
        }
        return fields.isEmpty() ? Context.current() : propagator.extract(Context.current(), fields, GETTER);
    }
}
