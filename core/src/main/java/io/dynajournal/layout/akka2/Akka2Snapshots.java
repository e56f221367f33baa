package io.dynajournal.layout.akka2;

import io.dynajournal.dynamo.Dynamo;
import io.dynajournal.dynamo.TableSpec;
import io.dynajournal.layout.LayoutSettings;
import io.dynajournal.layout.SnapshotLayout;
import io.dynajournal.store.PersistenceIds;
import io.dynajournal.store.SnapshotIndex;
import io.dynajournal.store.SnapshotTable;
import java.util.List;
import java.util.Optional;

/**
 * The snapshots of akka-persistence-dynamodb 2.x: one for each id.
 *
 * @param sliceIndex the name of the index by slice; empty if the table has none
 * @param fallbackStore the configured path of the store that kept large snapshots
 * @param journalTable where a snapshot's event is looked up for its time and tags, which queries that start from snapshots
 *     need; empty if they are off
 */
public record Akka2Snapshots(
        String tableName, String sliceIndex, Akka2TimeToLive timeToLive, String fallbackStore, String journalTable)
        implements SnapshotLayout {

    /** The defaults for a table name. */
    public static Akka2Snapshots of(String tableName) {
        return new Akka2Snapshots(tableName, Akka2Journal.indexOf(tableName), Akka2TimeToLive.none(), "", "");
    }

    /**
     * Reads the settings of the predecessor, by their names in the block {@code akka.persistence.dynamodb}; {@code
     * snapshot.slice-index = off} is ours, for a table without the index.
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
                Akka2TimeToLive.of(settings),
                settings.text("snapshot.fallback-store.plugin", ""),
                startFromSnapshot ? journal : "");
    }

    public Akka2Snapshots with(Akka2TimeToLive rules) {
        return new Akka2Snapshots(tableName, sliceIndex, rules, fallbackStore, journalTable);
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
                                Akka2SnapshotItems.INDEXED)),
                Akka2Items.EXPIRY);
    }

    /** The index is for queries by slice, and many tables have none. */
    @Override
    public TableSpec required() {
        return table().withoutIndexes();
    }

    @Override
    public SnapshotTable open(Dynamo dynamo) {
        return new Akka2SnapshotTable(dynamo, this);
    }

    @Override
    public Optional<SnapshotIndex> slices(Dynamo dynamo) {
        return sliceIndex.isEmpty() ? Optional.empty() : Optional.of(new Akka2SnapshotIndex(dynamo, this));
    }

    /** The ids that have a snapshot, found by a scan. */
    public PersistenceIds ids(Dynamo dynamo) {
        return new Akka2PersistenceIds(dynamo, this);
    }
}
