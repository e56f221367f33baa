package io.dynajournal.internal.layout.akka2;

import io.dynajournal.internal.dynamo.Dynamo;
import io.dynajournal.internal.dynamo.TableSpec;
import io.dynajournal.internal.layout.LayoutSettings;
import io.dynajournal.internal.layout.Permissions;
import io.dynajournal.internal.layout.Permissions.Actions;
import io.dynajournal.internal.layout.SnapshotLayout;
import io.dynajournal.internal.layout.TimeToLive;
import io.dynajournal.internal.store.PersistenceIds;
import io.dynajournal.internal.store.SnapshotIndex;
import io.dynajournal.internal.store.SnapshotTable;
import java.util.List;
import java.util.Optional;

/**
 * The snapshots of akka-persistence-dynamodb 2.x: one for each persistence id.
 *
 * @param sliceIndex the name of the slice index; empty if the table has none
 * @param fallbackStore the configured path of the predecessor's store for large snapshots
 * @param journalTable the journal table, from which a save reads the time and the tags of the snapshot's event for queries
 *     that start from snapshots; empty if these are off
 */
public record Akka2Snapshots(
        String tableName, String sliceIndex, TimeToLive timeToLive, String fallbackStore, String journalTable)
        implements SnapshotLayout {

    /** The defaults for a table name. */
    public static Akka2Snapshots of(String tableName) {
        return new Akka2Snapshots(tableName, Akka2Journal.indexOf(tableName), TimeToLive.none(), "", "");
    }

    /**
     * Reads the predecessor's settings, as in the block {@code akka.persistence.dynamodb}. {@code snapshot.slice-index = off},
     * for a table without the index, is ours.
     */
    public static Akka2Snapshots of(LayoutSettings settings) {
        String table = settings.text("snapshot.table", "snapshot");
        String index = settings.text("snapshot.by-slice-idx", "");
        boolean indexed = settings.flag("snapshot.slice-index", true);
        boolean startFromSnapshot = settings.flag("query.start-from-snapshot.enabled", false);
        String journal = settings.text("journal.table", "event_journal");
        return new Akka2Snapshots(
                table,
                !indexed ? "" : index.isEmpty() ? Akka2Journal.indexOf(table) : index,
                Akka2Journal.timeToLive(settings),
                settings.text("snapshot.fallback-store.plugin", ""),
                startFromSnapshot ? journal : "");
    }

    public Akka2Snapshots with(TimeToLive rules) {
        return new Akka2Snapshots(tableName, sliceIndex, rules, fallbackStore, journalTable);
    }

    @Override
    public boolean usesTimeToLive() {
        return timeToLive.isUsed();
    }

    @Override
    public TableSpec table() {
        return new TableSpec(
                tableName,
                new TableSpec.Key(Akka2Items.PID, "S"),
                null,
                sliceIndex.isEmpty()
                        ? List.of()
                        : List.of(new TableSpec.Index(
                                sliceIndex,
                                new TableSpec.Key(Akka2Items.ENTITY_TYPE_SLICE, "S"),
                                new TableSpec.Key(Akka2SnapshotItems.EVENT_TIMESTAMP, "N"),
                                TableSpec.Index.EVERYTHING)),
                Akka2Items.EXPIRY);
    }

    /** Without the index, which only queries by slice need. */
    @Override
    public TableSpec required() {
        return table().withoutIndexes();
    }

    @Override
    public boolean keepsNewestOnly() {
        return true;
    }

    @Override
    public SnapshotTable open(Dynamo dynamo) {
        return SnapshotLayout.inLanes(dynamo, lane -> new Akka2SnapshotTable(lane, this));
    }

    @Override
    public Optional<SnapshotIndex> slices(Dynamo dynamo) {
        return sliceIndex.isEmpty() ? Optional.empty() : Optional.of(new Akka2SnapshotIndex(dynamo, this));
    }

    /** The persistence ids that have a snapshot, by a scan. */
    public PersistenceIds ids(Dynamo dynamo) {
        return new Akka2PersistenceIds(dynamo, this);
    }

    @Override
    public Permissions permissions() {
        Actions indexed =
                sliceIndex.isEmpty() ? Actions.NONE : Actions.of("BatchGetItem").query(sliceIndex);
        return new Permissions(
                Actions.of("DeleteItem", "PutItem", "Query"),
                Actions.of("Query").and(indexed),
                indexed,
                Actions.of("DeleteItem", "Query"));
    }
}
