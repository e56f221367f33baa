package io.dynajournal.internal.toolkit;

import io.dynajournal.internal.store.Stages;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import scala.concurrent.Future;
import scala.jdk.javaapi.FutureConverters;

/** Converts stages to the Scala futures that the toolkits' plugin interfaces return. */
public final class ScalaFutures {

    private ScalaFutures() {}

    /** The same outcome as a future. A failure arrives without the wrappers that dependent stages put around it. */
    public static <T> Future<T> asScala(CompletionStage<T> stage) {
        CompletableFuture<T> plain = new CompletableFuture<>();
        stage.whenComplete((value, failure) -> {
            if (failure == null) {
                plain.complete(value);
            } else {
                plain.completeExceptionally(Stages.unwrap(failure));
            }
        });
        return FutureConverters.asScala(plain);
    }
}
