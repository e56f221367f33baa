package io.dynajournal;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * Tells live queries of this actor system that something was written. It is a call to look, not a delivery: whoever misses
 * one looks a little later. Thread-safe.
 */
public final class Wakeups {

    private final Set<Consumer<String>> all = ConcurrentHashMap.newKeySet();
    private final ConcurrentHashMap<String, Set<Consumer<String>>> byId = new ConcurrentHashMap<>();

    /** Calls for every write, with its id, on the writer's thread. */
    public Runnable onWrite(Consumer<String> listener) {
        all.add(listener);
        return () -> all.remove(listener);
    }

    /** Calls for every write of one id. */
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

    /** Something of this id was stored. */
    public void written(String persistenceId) {
        all.forEach(listener -> listener.accept(persistenceId));
        byId.getOrDefault(persistenceId, Set.of()).forEach(listener -> listener.accept(persistenceId));
    }
}
