package io.dynajournal.internal.store;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A map of bounded size: when it is full, the entry that was used least recently is dropped. Thread-safe. */
public final class LruMap<K, V> {

    private final Map<K, V> entries;

    public LruMap(int capacity) {
        this.entries = new LinkedHashMap<>(16, 0.75f, true) {
            private static final long serialVersionUID = 1L;

            @Override
            protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
                return size() > capacity;
            }
        };
    }

    public synchronized @Nullable V get(K key) {
        return entries.get(key);
    }

    /** The value that was there before; null if there was none. */
    public synchronized @Nullable V put(K key, V value) {
        return entries.put(key, value);
    }

    public synchronized @Nullable V remove(K key) {
        return entries.remove(key);
    }
}
