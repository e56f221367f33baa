package io.dynajournal.internal.layout.j5ik2o;

import io.dynajournal.internal.dynamo.Dynamo;
import io.dynajournal.internal.dynamo.TableSpec;
import io.dynajournal.internal.layout.LayoutSettings;
import io.dynajournal.internal.layout.Permissions;
import io.dynajournal.internal.layout.Permissions.Actions;
import io.dynajournal.internal.layout.StateLayout;
import io.dynajournal.internal.store.StateIndex;
import io.dynajournal.internal.store.StateTable;
import java.util.List;
import java.util.Optional;

/**
 * The durable state store of j5ik2o's plugin.
 *
 * @param sorted whether the table has a sort key; before 1.14 it had none, and all persistence ids of a shard shared one key
 */
public record J5States(J5TableNames tables, J5Keys keys, J5StateColumns columns, boolean sorted)
        implements StateLayout {

    /** Reads the predecessor's settings with its defaults. */
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

    /** Empty: the format has no index. */
    @Override
    public Optional<StateIndex> changes(Dynamo dynamo) {
        return Optional.empty();
    }

    @Override
    public Permissions permissions() {
        return new Permissions(
                Actions.of("BatchGetItem", "PutItem"),
                Actions.of("BatchGetItem", "Scan"),
                Actions.NONE,
                Actions.of("BatchGetItem", "DeleteItem", "PutItem", "Scan"));
    }
}
