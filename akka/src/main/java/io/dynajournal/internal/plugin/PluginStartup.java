package io.dynajournal.internal.plugin;

import io.dynajournal.exception.SettingsException;
import io.dynajournal.exception.StoreException;
import io.dynajournal.internal.store.Stages;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The start of a plugin: its client is created and its table checked or created. Callers that arrive before the start has
 * finished are queued, first in, first out. If the start fails, the callers get its failure and a later caller tries again:
 * at once after a failure of the network, which was already retried, and with back-off after everything else (a missing
 * table, missing credentials). Only wrong settings are final. Thread-safe.
 */
public final class PluginStartup<T> {

    private static final Duration FIRST_BACKOFF = Duration.ofMillis(250);
    private static final Duration MAX_BACKOFF = Duration.ofSeconds(5);
    private static final int MAX_KEY_BYTES = 2048;
    private static final int SHOWN_CHARS = 60;

    private final Supplier<? extends CompletionStage<T>> start;
    private final LongSupplier nanoTime;
    // The rest is guarded by this.
    private CompletableFuture<T> started;
    private CompletableFuture<@Nullable Void> lastQueued = CompletableFuture.completedFuture(null);
    private Duration backoff = Duration.ZERO;
    private long nextAttemptNanos;

    PluginStartup(Supplier<? extends CompletionStage<T>> start, LongSupplier nanoTime) {
        this.start = start;
        this.nanoTime = nanoTime;
        this.started = attempt();
    }

    /** Runs the operation once the plugin has started; immediately if it has. */
    public <R> CompletionStage<R> use(Function<? super T, ? extends CompletionStage<R>> operation) {
        CompletableFuture<T> current;
        synchronized (this) {
            if (isDue()) {
                started = attempt();
            }
            current = started;
            if (!current.isDone() || !lastQueued.isDone()) {
                CompletableFuture<R> result = new CompletableFuture<>();
                // Chained to the previous caller, because the callbacks of one stage run in no particular order.
                lastQueued = lastQueued.thenCompose(previous -> current.handle((store, failure) -> {
                    current.<R>thenCompose(operation).whenComplete((value, failed) -> {
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
        return current.thenCompose(operation);
    }

    /** Like {@link #use(Function)}; fails before any request if the persistence id is too long for a key. */
    public <R> CompletionStage<R> use(
            String persistenceId, Function<? super T, ? extends CompletionStage<R>> operation) {
        // A char takes at most three bytes, so that most ids need not be encoded.
        int bytes =
                persistenceId.length() <= MAX_KEY_BYTES / 3 ? 0 : persistenceId.getBytes(StandardCharsets.UTF_8).length;
        return bytes <= MAX_KEY_BYTES
                ? use(operation)
                : CompletableFuture.failedFuture(new StoreException.Refused(
                        "Persistence id " + persistenceId.substring(0, SHOWN_CHARS) + "… has " + bytes
                                + " bytes in UTF-8, and a DynamoDB key has at most " + MAX_KEY_BYTES
                                + ". Nothing was stored. Choose a shorter persistence id.",
                        null));
    }

    /** Starts again after a failure, without waiting for the back-off. */
    synchronized void retryNow() {
        if (started.isCompletedExceptionally()) {
            started = attempt();
        }
    }

    /** Starts again even if the plugin has started: what it knows of its table is no longer true. */
    synchronized void restart() {
        started = attempt();
    }

    private CompletableFuture<T> attempt() {
        return start.get().toCompletableFuture().whenComplete((store, failure) -> planNextAttempt(failure));
    }

    private synchronized void planNextAttempt(@Nullable Throwable failure) {
        if (failure == null || Stages.unwrap(failure) instanceof StoreException.Unavailable) {
            backoff = Duration.ZERO;
        } else {
            Duration doubled = backoff.isZero() ? FIRST_BACKOFF : backoff.multipliedBy(2);
            backoff = doubled.compareTo(MAX_BACKOFF) > 0 ? MAX_BACKOFF : doubled;
        }
        nextAttemptNanos = nanoTime.getAsLong() + backoff.toNanos();
    }

    private boolean isDue() {
        return started.isCompletedExceptionally()
                && !(failure() instanceof SettingsException)
                && nanoTime.getAsLong() - nextAttemptNanos >= 0;
    }

    private @Nullable Throwable failure() {
        Throwable failure = started.handle((store, failed) -> failed).getNow(null);
        return failure == null ? null : Stages.unwrap(failure);
    }
}
