package io.dynajournal.internal.plugin;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * Wakes live queries of this actor system after a write. A wake-up makes a query poll; it does not deliver the event, so a
 * query that misses one finds the event at its next poll. Thread-safe.
 */
public final class Wakeups {

    private final Set<Consumer<String>> all = ConcurrentHashMap.newKeySet();
    private final ConcurrentHashMap<String, Set<Consumer<String>>> byId = new ConcurrentHashMap<>();

    /**
     * Calls the listener after every write, with its persistence id, on the writer's thread.
     *
     * @return ends the subscription
     */
    public Runnable onWrite(Consumer<String> listener) {
        all.add(listener);
        return () -> all.remove(listener);
    }

    /**
     * Calls the listener after every write of one persistence id, on the writer's thread.
     *
     * @return ends the subscription
     */
    public Runnable onWriteOf(String persistenceId, Consumer<String> listener) {
        byId.compute(persistenceId, (id, listeners) -> {
            Set<Consumer<String>> more = listeners == null ? ConcurrentHashMap.newKeySet() : listeners;
            more.add(listener);
            return more;
        });
        return () -> byId.computeIfPresent(persistenceId, (id, listeners) -> {
            listeners.remove(listener);
            return listeners.isEmpty() ? null : listeners;
        });
    }

    /** Something of this persistence id was stored. */
    public void written(String persistenceId) {
        all.forEach(listener -> listener.accept(persistenceId));
        byId.getOrDefault(persistenceId, Set.of()).forEach(listener -> listener.accept(persistenceId));
    }
}
