package io.dynajournal.cli;

import io.dynajournal.cli.store.Stores;
import io.dynajournal.internal.dynamo.Dynamo;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** An estimate of the work that a table means, for the remaining time of a long run. */
final class ItemCount {

    private ItemCount() {}

    /** Empty if DynamoDB has not counted yet, or may not be asked: the run goes on, and shows no remaining time. */
    static OptionalLong of(Dynamo dynamo, String table, @Nullable String index) {
        OptionalLong count =
                Stores.await(dynamo.tables().itemCount(table, index).exceptionally(unknown -> OptionalLong.empty()));
        return count.isPresent() && count.getAsLong() > 0 ? count : OptionalLong.empty();
    }
}
