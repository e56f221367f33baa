package io.dynajournal.internal.dynamo;

import io.dynajournal.internal.store.Stages;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;

/** Turns a failed condition into a value. */
final class Conditions {

    private Conditions() {}

    /** Empty if the write was carried out; otherwise the item that is there, without attributes if there is none. */
    static <R> CompletionStage<Optional<Item>> conditional(String table, CompletionStage<R> call) {
        return call.handle((response, failure) -> {
                    if (failure == null) {
                        return CompletableFuture.completedFuture(Optional.<Item>empty());
                    }
                    return Stages.unwrap(failure) instanceof ConditionalCheckFailedException failed
                            ? CompletableFuture.completedFuture(
                                    Optional.of(Item.of(table, failed.hasItem() ? failed.item() : Map.of())))
                            : CompletableFuture.<Optional<Item>>failedFuture(failure);
                })
                .thenCompose(Function.identity());
    }
}
