package io.dynajournal.internal.store;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** An asynchronous loop over pages. */
public final class Pages {

    private Pages() {}

    /**
     * Calls {@code step} with {@code first}, then with the result of its stage, until that is null. Steps never overlap, and
     * steps that are already complete do not deepen the stack.
     */
    public static <T> CompletionStage<Void> drain(
            @Nullable T first, Function<@Nullable T, ? extends CompletionStage<? extends @Nullable T>> step) {
        Loop<T> loop = new Loop<>(step);
        loop.go(first);
        return loop.done;
    }

    private static final class Loop<T> {
        private final Function<@Nullable T, ? extends CompletionStage<? extends @Nullable T>> step;
        private final CompletableFuture<Void> done = new CompletableFuture<>();
        // Whether a loop is running: a step that is already complete continues that loop instead of recursing.
        private final AtomicInteger steps = new AtomicInteger();
        private volatile @Nullable T next;

        Loop(Function<@Nullable T, ? extends CompletionStage<? extends @Nullable T>> step) {
            this.step = step;
        }

        void go(@Nullable T start) {
            next = start;
            if (steps.getAndIncrement() > 0) {
                return;
            }
            do {
                one(next);
            } while (steps.decrementAndGet() > 0);
        }

        private void one(@Nullable T at) {
            try {
                step.apply(at).whenComplete((following, failure) -> {
                    if (failure != null) {
                        done.completeExceptionally(failure);
                    } else if (following == null) {
                        done.complete(null);
                    } else {
                        go(following);
                    }
                });
            } catch (RuntimeException e) {
                done.completeExceptionally(e);
            }
        }
    }
}
