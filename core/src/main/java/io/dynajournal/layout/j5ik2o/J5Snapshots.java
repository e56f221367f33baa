package io.dynajournal.layout.j5ik2o;

import io.dynajournal.dynamo.Dynamo;
import io.dynajournal.dynamo.TableSpec;
import io.dynajournal.layout.LayoutSettings;
import io.dynajournal.layout.SnapshotLayout;
import io.dynajournal.store.PersistenceIds;
import io.dynajournal.store.SnapshotTable;
import java.util.List;

/**
 * j5ik2o's layout for snapshots.
 *
 * @param indexName the index by id and number, through which the predecessor reads; the legacy format has none
 * @param legacyFormat whether id and number are the key, as up to 1.8
 */
public record J5Snapshots(
        String tableName, String indexName, J5Keys keys, J5SnapshotColumns columns, boolean legacyFormat)
        implements SnapshotLayout {

    /** Reads the predecessor's own settings, with its defaults. */
    public static J5Snapshots of(LayoutSettings settings) {
        return new J5Snapshots(
                settings.text("table-name", "Snapshot"),
                settings.text("get-snapshot-rows-index-name", "GetSnapshotRowsIndex"),
                J5Keys.of(settings),
                J5SnapshotColumns.of(settings),
                settings.flag("legacy-table-format", false));
    }

    @Override
    public TableSpec table() {
        TableSpec.Key id = new TableSpec.Key(columns.persistenceId(), "S");
        TableSpec.Key number = new TableSpec.Key(columns.sequenceNr(), "N");
        return legacyFormat
                ? new TableSpec(tableName, id, number, List.of(), null)
                : new TableSpec(
                        tableName,
                        new TableSpec.Key(columns.partitionKey(), "S"),
                        new TableSpec.Key(columns.sortKey(), "S"),
                        List.of(new TableSpec.Index(indexName, id, number, TableSpec.Index.EVERYTHING)),
                        null);
    }

    @Override
    public SnapshotTable open(Dynamo dynamo) {
        return new J5SnapshotTable(dynamo, this);
    }

    /** The ids that have snapshots, by a scan of the table. */
    public PersistenceIds ids(Dynamo dynamo) {
        return new J5PersistenceIds(dynamo, tableName, columns.persistenceId());
    }

    J5SnapshotItems items() {
        return new J5SnapshotItems(columns, keys, legacyFormat);
    }
}
