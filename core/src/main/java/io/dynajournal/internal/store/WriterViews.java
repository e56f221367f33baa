package io.dynajournal.internal.store;

import org.jspecify.annotations.Nullable;

/**
 * Where each writer last saw the end of its log. Kept by persistence id and writer, never by persistence id alone: two
 * incarnations of one entity on one node must not share a view, or the second would append after events it has not seen.
 *
 * <p>That a writer has failed, or that an event of it was rejected, is kept apart from the views, however few of these are kept:
 * without it, the next write of such a writer could be accepted behind an event that it has not seen. Thread-safe.
 */
final class WriterViews {

    /**
     * What a writer knows.
     *
     * @param end null if it is not known
     * @param stopped whether a write has failed since the last recovery
     */
    record View(@Nullable LogEnd end, boolean stopped) {
        static final View UNKNOWN = new View(null, false);
    }

    /** More than any process has between two writes of one writer. An incident is rare, and its entry takes about 200 bytes. */
    private static final int MAX_INCIDENTS = 100_000;

    private record Reader(String persistenceId, Object reader) {}

    private record Writer(String persistenceId, String uuid) {}

    private final LruMap<Reader, LogEnd> recovered;
    private final LruMap<Writer, LogEnd> views;
    private final LruMap<Writer, Incident> incidents;

    /** Logs that were reset, until an entity recovers: no view from before a reset is used. */
    private final LruMap<String, Object> resets;

    private enum Incident {
        FAILED,
        REJECTED
    }

    WriterViews(int capacity) {
        this.recovered = new LruMap<>(capacity);
        this.views = new LruMap<>(capacity);
        this.incidents = new LruMap<>(Math.max(capacity, MAX_INCIDENTS));
        this.resets = new LruMap<>(capacity);
    }

    void reset(String persistenceId) {
        resets.put(persistenceId, new Object());
    }

    /** A recovery that begins now. */
    Recovery recovery(String persistenceId, Object reader) {
        return new Recovery(new Reader(persistenceId, reader), resets.get(persistenceId));
    }

    /** A recovery; what it sees is not used if the log is reset before it has read. */
    final class Recovery {
        private final Reader reader;
        private final @Nullable Object resetBefore;

        private Recovery(Reader reader, @Nullable Object resetBefore) {
            this.reader = reader;
            this.resetBefore = resetBefore;
        }

        /** Whether it counts. */
        boolean sees(LogEnd end) {
            if (resets.get(reader.persistenceId()) != resetBefore) {
                return false;
            }
            resets.remove(reader.persistenceId());
            recovered.put(reader, end);
            return true;
        }
    }

    /** Turns what a reader saw into the view of the writer that it has become. */
    void claim(String persistenceId, Object reader, String writer) {
        LogEnd end = recovered.remove(new Reader(persistenceId, reader));
        if (end != null) {
            wrote(persistenceId, writer, end);
        }
    }

    View of(String persistenceId, String writer) {
        Writer key = new Writer(persistenceId, writer);
        Incident incident = incidents.get(key);
        if (incident == Incident.FAILED) {
            return new View(null, true);
        }
        LogEnd end = resets.get(persistenceId) == null ? views.get(key) : null;
        if (end != null) {
            return new View(end, false);
        }
        return incident == null ? View.UNKNOWN : new View(LogEnd.FORGOTTEN_AFTER_REJECTION, false);
    }

    synchronized void wrote(String persistenceId, String writer, LogEnd end) {
        Writer key = new Writer(persistenceId, writer);
        views.put(key, end);
        incidents.remove(key);
    }

    /** An event of the writer was rejected: it continues, and leaves a sequence number out. */
    synchronized void rejected(String persistenceId, String writer) {
        Writer key = new Writer(persistenceId, writer);
        if (incidents.get(key) == null) {
            incidents.put(key, Incident.REJECTED);
        }
    }

    synchronized void stop(String persistenceId, String writer) {
        Writer key = new Writer(persistenceId, writer);
        views.remove(key);
        incidents.put(key, Incident.FAILED);
    }
}
