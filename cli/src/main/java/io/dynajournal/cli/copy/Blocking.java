package io.dynajournal.cli.copy;

import io.dynajournal.internal.store.Stages;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;

/** Waits for requests: each persistence id under way has a thread of its own. */
final class Blocking {

    private Blocking() {}

    /** The result of a stage, or its failure without wrappers. */
    static <T> T result(CompletionStage<T> stage) {
        try {
            return stage.toCompletableFuture().join();
        } catch (CompletionException e) {
            throw Stages.unwrap(e) instanceof RuntimeException failure ? failure : e;
        }
    }
}
