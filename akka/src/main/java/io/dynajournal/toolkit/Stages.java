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
        Iterator<A> left = inputs.iterator();
        // Nearly always each step is done at once; then stages between the steps would cost more than the steps.
        while (left.hasNext()) {
            CompletableFuture<B> output = step.apply(left.next()).toCompletableFuture();
            if (!output.isDone() || output.isCompletedExceptionally()) {
                return output.thenCompose(first -> {
                    outputs.add(first);
                    return rest(left, step, outputs);
                });
            }
            outputs.add(output.join());
        }
        return CompletableFuture.completedFuture(outputs);
    }

    private static <A, B> CompletionStage<List<B>> rest(
            Iterator<A> left, Function<? super A, ? extends CompletionStage<B>> step, List<B> outputs) {
        return Pages.<Iterator<A>>drain(
                        left,
                        inputs -> inputs == null || !inputs.hasNext()
                                ? CompletableFuture.completedFuture(null)
                                : step.apply(inputs.next()).thenApply(output -> {
                                    outputs.add(output);
                                    return inputs;
                                }))
                .thenApply(done -> outputs);
    }
}
