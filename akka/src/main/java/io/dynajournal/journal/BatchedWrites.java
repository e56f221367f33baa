package io.dynajournal.journal;

import io.dynajournal.model.EventBatch;
import io.dynajournal.store.StoreException.ItemTooLarge;
import io.dynajournal.toolkit.Stages;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/** Stores writes, batch by batch. What is too large for the table is rejected, and the rest of its batch stored without it. */
final class BatchedWrites {

    private final Function<EventBatch, CompletionStage<Void>> append;

    BatchedWrites(Function<EventBatch, CompletionStage<Void>> append) {
        this.append = append;
    }

    /** Gives the same writes, with the rejections that came up. */
    CompletionStage<List<SerializedWrite>> store(List<SerializedWrite> writes) {
        return rejected(Batches.of(writes))
                .thenApply(tooLarge -> tooLarge.isEmpty()
                        ? writes
                        : writes.stream()
                                .map(write -> write.rejectedBy(tooLarge))
                                .toList());
    }

    private CompletionStage<List<ItemTooLarge>> rejected(List<EventBatch> batches) {
        if (batches.size() == 1) {
            return rejected(batches.get(0));
        }
        return Stages.inOrder(batches, this::rejected)
                .thenApply(each -> each.stream().flatMap(List::stream).toList());
    }

    private CompletionStage<List<ItemTooLarge>> rejected(EventBatch batch) {
        return append.apply(batch)
                .handle((stored, failure) -> {
                    if (failure == null) {
                        return CompletableFuture.completedFuture(List.<ItemTooLarge>of());
                    }
                    return Stages.unwrap(failure) instanceof ItemTooLarge tooLarge
                            ? without(batch, tooLarge)
                            : CompletableFuture.<List<ItemTooLarge>>failedFuture(failure);
                })
                .thenCompose(Function.identity());
    }

    /** Nothing of the batch was sent, so its other writes still have to be. */
    private CompletionStage<List<ItemTooLarge>> without(EventBatch batch, ItemTooLarge tooLarge) {
        return rejected(Batches.without(batch, tooLarge.seqNr())).thenApply(others -> {
            List<ItemTooLarge> all = new ArrayList<>(others);
            all.add(tooLarge);
            return all;
        });
    }
}
