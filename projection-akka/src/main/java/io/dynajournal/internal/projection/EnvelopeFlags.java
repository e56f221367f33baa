package io.dynajournal.internal.projection;

import akka.persistence.query.typed.EventEnvelope;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import org.jspecify.annotations.Nullable;

/** What the envelopes of newer toolkits than the one we compile for report of their events. */
final class EnvelopeFlags {

    /** The source of an envelope whose event was created from a snapshot. */
    private static final String FROM_SNAPSHOT = "SN";

    private static final @Nullable MethodHandle FILTERED = find("filtered", boolean.class);
    private static final @Nullable MethodHandle SOURCE = find("source", String.class);

    private EnvelopeFlags() {}

    private static @Nullable MethodHandle find(String method, Class<?> type) {
        try {
            return MethodHandles.publicLookup().findVirtual(EventEnvelope.class, method, MethodType.methodType(type));
        } catch (NoSuchMethodException e) {
            return null; // an older toolkit
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(
                    "The method " + method + " of the toolkit's EventEnvelope is not public", e);
        }
    }

    /** Whether the event was replaced by a marker, which the handler must not receive. */
    static boolean isFiltered(Object envelope) {
        return FILTERED != null && envelope instanceof EventEnvelope<?> event && (boolean) get(FILTERED, event);
    }

    /** Whether the envelope reports that its event was created from a snapshot. Older toolkits do not report it. */
    static boolean isFromSnapshot(EventEnvelope<?> envelope) {
        return SOURCE != null && FROM_SNAPSHOT.equals(get(SOURCE, envelope));
    }

    private static Object get(MethodHandle method, EventEnvelope<?> envelope) {
        try {
            return method.invoke(envelope);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException("A method of the toolkit's EventEnvelope has thrown", e);
        }
    }
}
