package io.dynajournal;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Bounds the number of writes in flight. A write waits for its turn before it gets its time: what is stored long
 * after its time is outside the window, and nothing is promised for it.
 */
final class ChaosTurns {

    private final Queue<Runnable> waiting = new ArrayDeque<>();
    private int left;

    ChaosTurns(int atOnce) {
        this.left = atOnce;
    }

    <T> CompletionStage<T> run(Supplier<CompletionStage<T>> write) {
        CompletableFuture<T> result = new CompletableFuture<>();
        Runnable turn = () -> write.get().whenComplete((value, failure) -> {
            over();
            if (failure == null) {
                result.complete(value);
            } else {
                result.completeExceptionally(failure);
            }
        });
        if (isFree(turn)) {
            turn.run();
        }
        return result;
    }

    private synchronized boolean isFree(Runnable turn) {
        if (left == 0) {
            waiting.add(turn);
            return false;
        }
        left--;
        return true;
    }

    private void over() {
        Runnable next = nextTurn();
        if (next != null) {
            next.run();
        }
    }

    private synchronized @Nullable Runnable nextTurn() {
        Runnable next = waiting.poll();
        if (next == null) {
            left++;
        }
        return next;
    }
}
