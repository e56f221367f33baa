package io.dynajournal;

import io.dynajournal.settings.SettingsException;
import io.dynajournal.store.StoreException;
import io.dynajournal.toolkit.Stages;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A store that is being opened: its client made, its table checked or created. Who comes early waits, and goes on in the
 * order of coming. If opening failed, everybody gets that failure; one that may pass is tried again by the next caller,
 * one that cannot (a wrong setting, a table of the wrong shape) stays. Thread-safe.
 */
public final class Gate<T> {

    private final Supplier<? extends CompletionStage<T>> opening;
    // Both guarded by this.
    private CompletableFuture<T> store;
    private CompletableFuture<@Nullable Void> lastStart = CompletableFuture.completedFuture(null);

    Gate(Supplier<? extends CompletionStage<T>> opening) {
        this.opening = opening;
        this.store = opening.get().toCompletableFuture();
    }

    /** Starts the operation once the store is open; at once if it is. */
    public <R> CompletionStage<R> use(Function<? super T, ? extends CompletionStage<R>> operation) {
        CompletableFuture<T> opened;
        synchronized (this) {
            if (mayPass(store)) {
                store = opening.get().toCompletableFuture();
            }
            opened = store;
            if (!opened.isDone() || !lastStart.isDone()) {
                CompletableFuture<R> result = new CompletableFuture<>();
                // Behind the one before, because the callbacks of one stage run in no particular order.
                lastStart = lastStart.thenCompose(started -> opened.handle((there, failure) -> {
                    start(opened, operation).whenComplete((value, failed) -> {
                        if (failed == null) {
                            result.complete(value);
                        } else {
                            result.completeExceptionally(failed);
                        }
                    });
                    return null;
                }));
                return result;
            }
        }
        return start(opened, operation);
    }

    private static <T, R> CompletionStage<R> start(
            CompletableFuture<T> opened, Function<? super T, ? extends CompletionStage<R>> operation) {
        return opened.thenCompose(operation);
    }

    /** Tries again, even after a failure that stays. */
    synchronized void reopen() {
        if (store.isCompletedExceptionally()) {
            store = opening.get().toCompletableFuture();
        }
    }

    private static boolean mayPass(CompletableFuture<?> opened) {
        if (!opened.isCompletedExceptionally()) {
            return false;
        }
        Throwable failure =
                Stages.unwrap(opened.handle((there, failed) -> failed).join());
        return !(failure instanceof SettingsException || failure instanceof StoreException.Refused);
    }
}
