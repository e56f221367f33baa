package io.dynajournal.internal.layout;

import org.slf4j.MDC;

/** Lines of the log about one persistence id have it in SLF4J's MDC too, under the name that the toolkits' entities use. */
public final class PersistenceIdMdc {

    private static final String KEY = "persistenceId";

    private PersistenceIdMdc() {}

    /** Writes a line. */
    @SuppressWarnings("try") // the entry is only removed
    public static void log(String persistenceId, Runnable line) {
        try (MDC.MDCCloseable entry = MDC.putCloseable(KEY, persistenceId)) {
            line.run();
        }
    }
}
