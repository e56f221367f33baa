package io.dynajournal.internal.toolkit;

import akka.persistence.AtomicWrite;
import akka.persistence.PersistentRepr;
import akka.persistence.journal.Tagged;
import io.dynajournal.listener.TraceContexts;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Stores the trace context of a write as the metadata of its events, and restores it. What the application's {@link TraceContexts}
 * throws is logged once and has no other effect. Thread-safe.
 */
public final class EventTraces {

    /** Metadata of an event that is text, before it is serialized; a layout without metadata leaves it out. */
    record Trace(String text) {}

    private static final Logger log = LoggerFactory.getLogger(EventTraces.class);

    private static final TraceContexts.Scope NOTHING = () -> {};

    private final TraceContexts contexts;
    private final AtomicBoolean failed = new AtomicBoolean();

    public EventTraces(TraceContexts contexts) {
        this.contexts = contexts;
    }

    /**
     * The same writes, each event with the trace context to store as its metadata; an event that has metadata keeps it. To be called on
     * the thread that receives the write.
     */
    public List<AtomicWrite> traced(List<AtomicWrite> writes) {
        return contexts == TraceContexts.NONE
                ? writes
                : writes.stream().map(this::traced).toList();
    }

    private AtomicWrite traced(AtomicWrite write) {
        List<PersistentRepr> traced = new ArrayList<>(write.size());
        for (PersistentRepr repr : CollectionConverters.asJava(write.payload())) {
            String context = repr.metadata().isDefined() ? null : toStore(repr);
            traced.add(context == null ? repr : repr.withMetadata(new Trace(context)));
        }
        return AtomicWrite.apply(CollectionConverters.asScala(traced).toSeq());
    }

    private @Nullable String toStore(PersistentRepr repr) {
        Object event = repr.payload() instanceof Tagged tagged ? tagged.payload() : repr.payload();
        try {
            return contexts.toStore(repr.persistenceId(), event);
        } catch (Exception | LinkageError | AssertionError e) {
            failed(e);
            return null;
        }
    }

    /**
     * Makes the trace context current that was stored with events. Nothing is restored unless all of them have the same one.
     *
     * @param metadata of each event; null where there is none
     */
    public TraceContexts.Scope restore(Stream<@Nullable Object> metadata) {
        if (contexts == TraceContexts.NONE) {
            return NOTHING;
        }
        List<@Nullable Object> stored = metadata.distinct().limit(2).toList();
        if (stored.size() != 1 || !(stored.get(0) instanceof String text)) {
            return NOTHING;
        }
        try {
            TraceContexts.Scope scope = contexts.restore(text);
            return () -> close(scope);
        } catch (Exception | LinkageError | AssertionError e) {
            failed(e);
            return NOTHING;
        }
    }

    private void close(TraceContexts.Scope scope) {
        try {
            scope.close();
        } catch (Exception | LinkageError | AssertionError e) {
            failed(e);
        }
    }

    private void failed(Throwable failure) {
        if (failed.compareAndSet(false, true)) {
            log.warn(
                    "{} has failed. Traces may be incomplete; writes and projections continue. Further failures of it are"
                            + " not logged",
                    contexts.getClass().getName(),
                    failure);
        }
    }
}
