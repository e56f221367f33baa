package io.dynajournal.toolkit;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Writes of one id in the order they came, from their serialization on: with an asynchronous serializer a write reaches the
 * core some time after the toolkit handed it over, and neither a later write nor the recovery of a restarted entity may
 * overtake it. Thread-safe.
 */
public final class Turns {

    // Each future says that a task is over; it never fails.
    private final ConcurrentHashMap<String, CompletableFuture<Void>> last = new ConcurrentHashMap<>();

    /** Starts the task when those before it are over; at once if there are none. */
    public <T> CompletionStage<T> next(String persistenceId, Supplier<CompletionStage<T>> task) {
        CompletableFuture<Void> over = new CompletableFuture<>();
        return after(last.put(persistenceId, over))
                .thenCompose(before -> task.get())
                .whenComplete((done, failure) -> {
                    last.remove(persistenceId, over);
                    over.complete(null);
                });
    }

    /** Done when all tasks that were given so far are over. */
    public CompletionStage<Void> quiet(String persistenceId) {
        return after(last.get(persistenceId));
    }

    private static CompletableFuture<Void> after(@Nullable CompletableFuture<Void> task) {
        return task == null ? CompletableFuture.completedFuture(null) : task;
    }
}
