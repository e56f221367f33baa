package io.dynajournal.layout.commits;

import io.dynajournal.store.StoreException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** Items of our own stand in the users' tables under hash keys that no entity may have. */
final class ReservedIds {

    static final String PREFIX = "#dynajournal/";

    private ReservedIds() {}

    /** Makes a call for an entity; nothing is thrown at a caller who expects a stage. */
    static <T> CompletionStage<T> guarded(String persistenceId, Supplier<CompletionStage<T>> call) {
        if (persistenceId.startsWith(PREFIX)) {
            return CompletableFuture.failedFuture(new StoreException.Refused(
                    "The id " + persistenceId + " begins with " + PREFIX + ", which is reserved", null));
        }
        try {
            return call.get();
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }
}
