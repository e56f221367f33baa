package io.dynajournal.store;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Where each writer saw its log end. Kept by id and writer, never by id alone: two incarnations of one entity on one node
 * must not take over each other's view, or the second would write behind events it has not seen.
 */
final class WriterViews {

    /**
     * @param end null if it is not known
     * @param stopped whether a write failed since the last recovery
     */
    record View(@Nullable LogEnd end, boolean stopped) {
        static final View UNKNOWN = new View(null, false);
    }

    private record Reader(String persistenceId, Object reader) {}

    private record Writer(String persistenceId, String uuid) {}

    private final Map<Reader, LogEnd> recovered;
    private final Map<Writer, View> views;

    WriterViews(int capacity) {
        this.recovered = leastRecentlyUsed(capacity);
        this.views = leastRecentlyUsed(capacity);
    }

    synchronized void recovered(String persistenceId, Object reader, LogEnd end) {
        recovered.put(new Reader(persistenceId, reader), end);
    }

    synchronized void claim(String persistenceId, Object reader, String writer) {
        LogEnd end = recovered.remove(new Reader(persistenceId, reader));
        if (end != null) {
            views.put(new Writer(persistenceId, writer), new View(end, false));
        }
    }

    synchronized View of(String persistenceId, String writer) {
        return views.getOrDefault(new Writer(persistenceId, writer), View.UNKNOWN);
    }

    synchronized void wrote(String persistenceId, String writer, LogEnd end) {
        views.put(new Writer(persistenceId, writer), new View(end, false));
    }

    synchronized void stop(String persistenceId, String writer) {
        views.put(new Writer(persistenceId, writer), new View(null, true));
    }

    private static <K, V> Map<K, V> leastRecentlyUsed(int capacity) {
        return new LinkedHashMap<>(16, 0.75f, true) {
            private static final long serialVersionUID = 1L;

            @Override
            protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
                return size() > capacity;
            }
        };
    }
}
