package io.dynajournal.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynajournal.internal.store.Stages;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Waits for stages, with a timeout. */
public final class Await {

    /** A slow machine does not exceed it. */
    private static final Duration TIMEOUT = Duration.ofSeconds(90);

    private Await() {}

    /** The result of the stage; its failure is thrown without wrappers. */
    public static <T extends @Nullable Object> T result(CompletionStage<T> stage) {
        try {
            return stage.toCompletableFuture().get(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            Throwable cause = Stages.unwrap(e);
            if (cause instanceof RuntimeException unchecked) {
                throw unchecked;
            }
            throw new AssertionError("the stage failed", cause);
        } catch (TimeoutException e) {
            throw new AssertionError("the stage did not complete within " + TIMEOUT.toSeconds() + " seconds", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
    }

    /** The failure of a stage, which must be of this type. */
    public static <E extends Throwable> E failure(CompletionStage<?> stage, Class<E> type) {
        Throwable failure;
        try {
            Object result = result(stage);
            throw new AssertionError("expected " + type.getSimpleName() + " but got " + result);
        } catch (RuntimeException e) {
            failure = e;
        }
        assertThat(failure).isInstanceOf(type);
        return type.cast(failure);
    }
}
