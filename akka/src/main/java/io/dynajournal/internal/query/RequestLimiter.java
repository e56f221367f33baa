package io.dynajournal.internal.query;

import io.dynajournal.internal.store.Stages;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Limits the number of requests in flight; further ones are queued, first in, first out. Thread-safe. */
final class RequestLimiter {

    private final int maxInFlight;
    private final Queue<Runnable> queued = new ArrayDeque<>();
    private int inFlight;

    RequestLimiter(int maxInFlight) {
        this.maxInFlight = maxInFlight;
    }

    <T> CompletionStage<T> run(Supplier<? extends CompletionStage<T>> request) {
        CompletableFuture<T> result = new CompletableFuture<>();
        Runnable task = () -> Stages.guarded(request).whenComplete((value, failure) -> {
            Runnable next = finished();
            if (failure == null) {
                result.complete(value);
            } else {
                result.completeExceptionally(failure);
            }
            if (next != null) {
                next.run();
            }
        });
        if (startsNow(task)) {
            task.run();
        }
        return result;
    }

    private synchronized boolean startsNow(Runnable task) {
        if (inFlight < maxInFlight) {
            inFlight++;
            return true;
        }
        queued.add(task);
        return false;
    }

    /** The queued task that takes the place of the finished one. */
    private synchronized @Nullable Runnable finished() {
        Runnable next = queued.poll();
        if (next == null) {
            inFlight--;
        }
        return next;
    }
}
