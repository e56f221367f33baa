package io.dynajournal.internal.layout.commits;

import io.dynajournal.exception.StoreException;
import io.dynajournal.internal.store.Stages;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** Persistence ids that no entity may have, because the layout keeps items of its own under these hash keys. */
final class ReservedIds {

    static final String PREFIX = "#dynajournal/";

    private ReservedIds() {}

    /** Makes a call for an entity. A reserved id, or an exception of the call, becomes a failed stage. */
    static <T> CompletionStage<T> guarded(String persistenceId, Supplier<CompletionStage<T>> call) {
        if (persistenceId.startsWith(PREFIX)) {
            return CompletableFuture.failedFuture(new StoreException.Refused(
                    "The persistence id " + persistenceId + " starts with " + PREFIX
                            + ", which is reserved for items of Dynajournal. Nothing was sent. Use another id.",
                    null));
        }
        return Stages.guarded(call);
    }
}
