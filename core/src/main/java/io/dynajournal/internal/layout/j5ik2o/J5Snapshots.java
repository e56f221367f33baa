package io.dynajournal.internal.layout.j5ik2o;

import io.dynajournal.internal.dynamo.Dynamo;
import io.dynajournal.internal.dynamo.TableSpec;
import io.dynajournal.internal.layout.LayoutSettings;
import io.dynajournal.internal.layout.Permissions;
import io.dynajournal.internal.layout.Permissions.Actions;
import io.dynajournal.internal.layout.SnapshotLayout;
import io.dynajournal.internal.store.PersistenceIds;
import io.dynajournal.internal.store.SnapshotTable;
import java.util.List;

/**
 * The snapshot store of j5ik2o's plugin.
 *
 * @param indexName the index by persistence id and sequence number, which the predecessor reads; the legacy format has none
 * @param legacyFormat whether persistence id and sequence number are the key, as up to 1.8
 * @param otherKeys whether the index is searched for later snapshots under keys of other resolvers
 */
public record J5Snapshots(
        String tableName,
        String indexName,
        J5Keys keys,
        J5SnapshotColumns columns,
        boolean legacyFormat,
        boolean otherKeys)
        implements SnapshotLayout {

    /** Reads the predecessor's settings with its defaults, and {@code look-for-other-keys}, which is ours. */
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
        TableSpec.Key seqNr = new TableSpec.Key(columns.sequenceNr(), "N");
        return legacyFormat
                ? new TableSpec(tableName, id, seqNr, List.of(), null)
                : new TableSpec(
                        tableName,
                        new TableSpec.Key(columns.partitionKey(), "S"),
                        new TableSpec.Key(columns.sortKey(), "S"),
                        List.of(new TableSpec.Index(indexName, id, seqNr, TableSpec.Index.EVERYTHING)),
                        null);
    }

    @Override
    public SnapshotTable open(Dynamo dynamo) {
        return SnapshotLayout.inLanes(dynamo, lane -> new J5SnapshotTable(lane, this));
    }

    /** The persistence ids that have snapshots, by a scan of the table. */
    public PersistenceIds ids(Dynamo dynamo) {
        return new J5PersistenceIds(dynamo, tableName, columns.persistenceId());
    }

    /** Whether the index must be searched too, for snapshots under keys of other resolvers. */
    boolean searchesIndexAfter(J5SnapshotQuery query) {
        return otherKeys && !legacyFormat && !query.isIndex();
    }

    J5SnapshotItems items() {
        return new J5SnapshotItems(columns, keys, legacyFormat);
    }

    @Override
    public Permissions permissions() {
        return new Permissions(
                Actions.of("BatchWriteItem", "PutItem", "Query").query(indexName),
                Actions.of("Query").query(indexName),
                Actions.NONE,
                Actions.of("BatchWriteItem", "Query").query(indexName));
    }
}
