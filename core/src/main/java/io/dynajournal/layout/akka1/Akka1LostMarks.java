package io.dynajournal.layout.akka1;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * The ids whose high marks were found missing, until the next write repairs them. Bounded: one that is forgotten is found
 * again by the next recovery. Thread-safe.
 */
final class Akka1LostMarks {

    private static final int CAPACITY = 10_000;

    private final Set<String> ids = Collections.synchronizedSet(Collections.newSetFromMap(new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
            return size() > CAPACITY;
        }
    }));

    void note(String persistenceId, boolean lost) {
        if (lost) {
            ids.add(persistenceId);
        } else {
            ids.remove(persistenceId);
        }
    }

    boolean contains(String persistenceId) {
        return ids.contains(persistenceId);
    }
}
