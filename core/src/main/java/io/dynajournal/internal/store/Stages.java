package io.dynajournal.internal.store;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;
import java.util.function.Supplier;

/** What {@link CompletionStage} lacks. */
public final class Stages {

    private Stages() {}

    /** Makes a call that returns a stage. What the call throws fails the stage instead of reaching the caller. */
    public static <T> CompletionStage<T> guarded(Supplier<? extends CompletionStage<T>> call) {
        try {
            return call.get();
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /** The failure itself, without the wrappers that dependent stages put around it. */
    public static Throwable unwrap(Throwable failure) {
        Throwable inner = failure;
        while ((inner instanceof CompletionException || inner instanceof ExecutionException)
                && inner.getCause() != null) {
            inner = inner.getCause();
        }
        return inner;
    }

    /** The error for a layout whose items have no expiry. The package of a layout has the layout's name. */
    static UnsupportedOperationException noExpiry(Object table, String what) {
        String layout = table.getClass().getPackageName();
        return new UnsupportedOperationException("The layout " + layout.substring(layout.lastIndexOf('.') + 1)
                + " cannot let " + what
                + " expire, because its format has no attribute for it; commits can, and akka2 for"
                + " events and snapshots. Nothing was changed. Delete them instead.");
    }

    /** Applies the step to one input after another; each step starts after the stage of the previous one has completed. */
    public static <A, B> CompletionStage<List<B>> inOrder(
            List<A> inputs, Function<? super A, ? extends CompletionStage<B>> step) {
        List<B> outputs = new ArrayList<>(inputs.size());
        Iterator<A> left = inputs.iterator();
        // Most steps are complete when they return, and then further stages would cost more than the steps.
        while (left.hasNext()) {
            CompletableFuture<B> output = step.apply(left.next()).toCompletableFuture();
            if (!output.isDone() || output.isCompletedExceptionally()) {
                return output.thenCompose(first -> {
                    outputs.add(first);
                    return rest(left, step, outputs);
                });
            }
            output.thenAccept(outputs::add);
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
