package io.dynajournal.internal.layout.commits;

import io.dynajournal.internal.dynamo.Dynamo;
import io.dynajournal.internal.dynamo.Item;
import io.dynajournal.internal.model.StoredState;
import io.dynajournal.internal.store.SliceRow;
import io.dynajournal.internal.store.StateIndex;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** The slice index of the table of durable states: one small row per persistence id, which moves with every write. */
final class CommitsStateIndex extends CommitsSliceRows implements StateIndex {

    /** The state itself is always read from the table. */
    private static final SliceRow.Content NO_CONTENT = new SliceRow.Content() {};

    private final StateReader reader;

    CommitsStateIndex(Dynamo dynamo, CommitsStates settings) {
        super(dynamo, settings.tableName(), settings.indexPartitions());
        this.reader = new StateReader(
                dynamo, settings.tableName(), new Parts(dynamo, settings.tableName(), settings.itemSize()));
    }

    @Override
    SliceRow row(Item item) {
        long timestampMicros = item.number(StateItems.TIMESTAMP);
        String tag = StateItems.tag(item);
        return new SliceRow(
                item.text(ItemKey.PID),
                1,
                timestampMicros,
                timestampMicros,
                0,
                tag.isEmpty() ? Set.of() : Set.of(tag),
                NO_CONTENT);
    }

    /** Nothing: a state replaces those before it. */
    @Override
    public CompletionStage<List<SliceRow>> between(
            String persistenceId, long afterSeqNr, long beforeSeqNr, long fromMicros, int limit) {
        return CompletableFuture.completedFuture(List.of());
    }

    @Override
    public CompletionStage<List<Optional<StoredState>>> states(List<SliceRow> rows) {
        return reader.getAll(rows.stream().map(SliceRow::persistenceId).toList());
    }
}
