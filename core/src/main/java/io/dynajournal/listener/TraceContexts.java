package io.dynajournal.listener;

import org.jspecify.annotations.Nullable;

/**
 * Carries the trace context of a write with its events to the handlers of projections: it is stored as the metadata of each event and is
 * current again while a handler is called with the event. Pass one to {@code DynajournalSetup.withTraceContexts}; {@code
 * dynajournal-opentelemetry} has one for OpenTelemetry. Implementations must be thread-safe, fast, and not block. What they throw is
 * logged once and has no effect on writes and projections.
 */
public interface TraceContexts {

    /** Stores and restores nothing. */
    TraceContexts NONE = new TraceContexts() {
        @Override
        public @Nullable String toStore(String persistenceId, Object event) {
            return null;
        }

        @Override
        public Scope restore(String stored) {
            return () -> {};
        }
    };

    /**
     * The trace context to store with an event, as text. It is called once for each event that is written, on the thread on which the
     * journal's actor receives the write. It is not called for an event that has metadata of the toolkit, as replicated ones do.
     *
     * @param event as the entity has persisted it, after the event adapter and without tags
     * @return null to store none
     */
    @Nullable
    String toStore(String persistenceId, Object event);

    /**
     * Makes a stored trace context current on this thread until the scope is closed, on the same thread.
     *
     * @param stored the metadata of an event if it is text; text that does not contain a trace context must have no effect
     */
    Scope restore(String stored);

    /** While it is open, the restored trace context is current on its thread. */
    @FunctionalInterface
    interface Scope extends AutoCloseable {
        @Override
        void close();
    }
}
