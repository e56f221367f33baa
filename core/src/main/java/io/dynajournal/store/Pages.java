package io.dynajournal.store;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The one asynchronous loop: goes from page to page until a step says there is no next. */
public final class Pages {

    private Pages() {}

    /**
     * Calls {@code step} with {@code first}, then with what its stage gave, until that is null. Steps never overlap. Any
     * number of steps that are done at once take no stack.
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
        // A step that completes before its callback is registered continues the loop that is running, instead of
        // calling itself: the counter tells whether one is.
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
