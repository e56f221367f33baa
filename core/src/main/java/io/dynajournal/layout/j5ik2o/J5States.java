package io.dynajournal.layout.j5ik2o;

import io.dynajournal.dynamo.Dynamo;
import io.dynajournal.dynamo.TableSpec;
import io.dynajournal.layout.LayoutSettings;
import io.dynajournal.layout.StateLayout;
import io.dynajournal.store.StateIndex;
import io.dynajournal.store.StateTable;
import java.util.List;
import java.util.Optional;

/**
 * j5ik2o's layout for durable states.
 *
 * @param sorted whether the table has a sort key; before 1.14 it had none, and ids of one shard met under one key
 */
public record J5States(J5TableNames tables, J5Keys keys, J5StateColumns columns, boolean sorted)
        implements StateLayout {

    /** Reads the predecessor's own settings, with its defaults. */
    public static J5States of(LayoutSettings settings) {
        return new J5States(J5TableNames.of(settings), J5Keys.ofStates(settings), J5StateColumns.of(settings), true);
    }

    @Override
    public List<StateLayout> variants() {
        return List.of(new J5States(tables, keys, columns, true), new J5States(tables, keys, columns, false));
    }

    @Override
    public TableSpec table() {
        return new TableSpec(
                tables.configured(),
                new TableSpec.Key(columns.partitionKey(), "S"),
                sorted ? new TableSpec.Key(columns.sortKey(), "S") : null,
                List.of(),
                null);
    }

    @Override
    public boolean isOneTable() {
        return !tables.byPrefix();
    }

    @Override
    public StateTable open(Dynamo dynamo, String writer) {
        return new J5StateTable(dynamo, this, writer);
    }

    /** It has no index. */
    @Override
    public Optional<StateIndex> changes(Dynamo dynamo) {
        return Optional.empty();
    }
}
