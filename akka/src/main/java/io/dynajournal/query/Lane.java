package io.dynajournal.query;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Bounds the requests that are on the way at once; the others wait for their turn. Thread-safe. */
final class Lane {

    private final int width;
    private final Queue<Runnable> waiting = new ArrayDeque<>();
    private int running;

    Lane(int width) {
        this.width = width;
    }

    <T> CompletionStage<T> run(Supplier<? extends CompletionStage<T>> request) {
        CompletableFuture<T> result = new CompletableFuture<>();
        Runnable task = () -> start(request).whenComplete((value, failure) -> {
            Runnable next = over();
            if (failure == null) {
                result.complete(value);
            } else {
                result.completeExceptionally(failure);
            }
            if (next != null) {
                next.run();
            }
        });
        if (mayStart(task)) {
            task.run();
        }
        return result;
    }

    private static <T> CompletionStage<T> start(Supplier<? extends CompletionStage<T>> request) {
        try {
            return request.get();
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private synchronized boolean mayStart(Runnable task) {
        if (running < width) {
            running++;
            return true;
        }
        waiting.add(task);
        return false;
    }

    private synchronized @Nullable Runnable over() {
        Runnable next = waiting.poll();
        if (next == null) {
            running--;
        }
        return next;
    }
}
