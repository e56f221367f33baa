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
 * @param otherKeys whether the index is asked for snapshots under the keys of other resolvers where ours find none
 */
public record J5Snapshots(
        String tableName,
        String indexName,
        J5Keys keys,
        J5SnapshotColumns columns,
        boolean legacyFormat,
        boolean otherKeys)
        implements SnapshotLayout {

    /** Reads the predecessor's own settings, with its defaults, and {@code look-for-other-keys}, which is ours. */
    public static J5Snapshots of(LayoutSettings settings) {
        return new J5Snapshots(
                settings.text("table-name", "Snapshot"),
                settings.text("get-snapshot-rows-index-name", "GetSnapshotRowsIndex"),
                J5Keys.of(settings),
                J5SnapshotColumns.of(settings),
                settings.flag("legacy-table-format", false),
                settings.flag(J5Journal.OTHER_KEYS, true));
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

    /** Whether snapshots may lie where the index alone finds them, besides the places that our resolvers tell. */
    boolean hasOtherPlaces(J5SnapshotQuery place) {
        return otherKeys && !legacyFormat && !place.isIndex();
    }

    J5SnapshotItems items() {
        return new J5SnapshotItems(columns, keys, legacyFormat);
    }
}
