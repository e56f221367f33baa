package io.dynajournal.toolkit;

import io.dynajournal.store.Pages;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import scala.concurrent.Future;
import scala.jdk.javaapi.FutureConverters;

/** What {@link CompletionStage} lacks beside a toolkit that speaks Scala's futures. */
public final class Stages {

    private Stages() {}

    /** For the toolkit; a failure arrives there as it was, without the wrapper that stages put around it. */
    public static <T> Future<T> asScala(CompletionStage<T> stage) {
        CompletableFuture<T> plain = new CompletableFuture<>();
        stage.whenComplete((value, failure) -> {
            if (failure == null) {
                plain.complete(value);
            } else {
                plain.completeExceptionally(unwrap(failure));
            }
        });
        return FutureConverters.asScala(plain);
    }

    /** The failure inside the wrappers that dependent stages put around it. */
    public static Throwable unwrap(Throwable failure) {
        Throwable inner = failure;
        while (inner instanceof CompletionException && inner.getCause() != null) {
            inner = inner.getCause();
        }
        return inner;
    }

    /** Applies the step to one input after another; the next one waits for the last one's stage. */
    public static <A, B> CompletionStage<List<B>> inOrder(
            List<A> inputs, Function<? super A, ? extends CompletionStage<B>> step) {
        List<B> outputs = new ArrayList<>(inputs.size());
        return Pages.<Iterator<A>>drain(
                        inputs.iterator(),
                        left -> left == null || !left.hasNext()
                                ? CompletableFuture.completedFuture(null)
                                : step.apply(left.next()).thenApply(output -> {
                                    outputs.add(output);
                                    return left;
                                }))
                .thenApply(done -> outputs);
    }
}
