package io.dynajournal.internal.layout.akka1;

import io.dynajournal.internal.store.LruMap;

/**
 * The persistence ids whose high mark is missing, until the next write repairs it. Bounded: the next recovery finds a
 * forgotten one again. Thread-safe.
 */
final class Akka1LostMarks {

    private static final int MAX_IDS = 10_000;

    private final LruMap<String, Boolean> ids = new LruMap<>(MAX_IDS);

    void set(String persistenceId, boolean lost) {
        if (lost) {
            ids.put(persistenceId, true);
        } else {
            ids.remove(persistenceId);
        }
    }

    boolean contains(String persistenceId) {
        return ids.get(persistenceId) != null;
    }
}
