package io.dynajournal.internal.store;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs the tasks of one id one after another, first in, first out. Tasks of different ids are independent. Tasks start on the
 * executor, so neither the caller's thread nor the one that completed the previous task runs them; {@link #runShort} makes an
 * exception. Thread-safe.
 *
 * @param <K> what the tasks are queued by, such as a persistence id
 */
public final class PerIdQueue<K> {

    /**
     * The last task of an id.
     *
     * @param over completes when the task has ended, and never fails
     * @param upTo the highest sequence number that any queued task of the id touches
     */
    private record Tail(CompletableFuture<Void> over, long upTo) {}

    private final ConcurrentHashMap<K, Tail> tails = new ConcurrentHashMap<>();
    private final Executor executor;

    public PerIdQueue(Executor executor) {
        this.executor = executor;
    }

    /**
     * Starts the task after all earlier tasks of its id have ended, however they ended.
     *
     * @return the task's own outcome; failed if the task throws
     */
    public <T> CompletionStage<T> run(K id, Supplier<? extends CompletionStage<T>> task) {
        return run(id, Long.MAX_VALUE, task);
    }

    /**
     * As {@link #run(Object, Supplier)}, for a task that touches sequence numbers up to a limit only.
     *
     * @param upTo the highest sequence number that the task touches
     */
    public <T> CompletionStage<T> run(K id, long upTo, Supplier<? extends CompletionStage<T>> task) {
        return run(id, upTo, task, false);
    }

    /**
     * As {@link #run(Object, Supplier)}, but a task that need not wait starts on the caller's thread: for tasks that take less time
     * than to wake another thread. One that has waited starts on the executor; else each would run inside the one before it.
     */
    public <T> CompletionStage<T> runShort(K id, Supplier<? extends CompletionStage<T>> task) {
        return run(id, Long.MAX_VALUE, task, true);
    }

    private <T> CompletionStage<T> run(K id, long upTo, Supplier<? extends CompletionStage<T>> task, boolean isShort) {
        CompletableFuture<Void> over = new CompletableFuture<>();
        @Nullable Tail before;
        Tail own;
        do {
            before = tails.get(id);
            own = new Tail(over, before == null ? upTo : Math.max(upTo, before.upTo));
        } while (before == null ? tails.putIfAbsent(id, own) != null : !tails.replace(id, before, own));
        Tail last = own;
        CompletableFuture<Void> turn = after(before);
        CompletionStage<T> outcome = before == null && isShort
                ? turn.thenCompose(now -> task.get())
                : turn.thenComposeAsync(earlierOver -> task.get(), executor);
        return outcome.whenComplete((value, failure) -> {
            tails.remove(id, last);
            over.complete(null);
        });
    }

    /** Completes when every task that the id has now has ended. Never fails. */
    public CompletionStage<Void> idle(K id) {
        return idle(id, Long.MIN_VALUE);
    }

    /** As {@link #idle(Object)}, but does not wait if all queued tasks stay below a sequence number. */
    public CompletionStage<Void> idle(K id, long fromSeqNr) {
        Tail last = tails.get(id);
        return after(last == null || last.upTo < fromSeqNr ? null : last);
    }

    private static CompletableFuture<Void> after(@Nullable Tail tail) {
        return tail == null ? CompletableFuture.completedFuture(null) : tail.over;
    }
}
