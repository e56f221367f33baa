package io.dynajournal.internal.layout.commits;

import io.dynajournal.internal.dynamo.Dynamo;
import io.dynajournal.internal.dynamo.TableSpec;
import io.dynajournal.internal.layout.LayoutSettings;
import io.dynajournal.internal.layout.Permissions;
import io.dynajournal.internal.layout.Permissions.Actions;
import io.dynajournal.internal.layout.SnapshotLayout;
import io.dynajournal.internal.layout.TimeToLive;
import io.dynajournal.internal.store.PartsCheck;
import io.dynajournal.internal.store.SnapshotIndex;
import io.dynajournal.internal.store.SnapshotTable;
import java.util.List;
import java.util.Optional;

/**
 * The native layout for snapshots.
 *
 * @param sliceIndex whether the table has the index for queries that start from snapshots; its attributes are written in any
 *     case
 * @param compression whether snapshots are compressed if that saves write units
 * @param itemSize the maximum size of an item in bytes; a larger snapshot is stored in parts
 * @param timeToLive when snapshots expire, by entity type
 */
public record CommitsSnapshots(
        String tableName, boolean sliceIndex, boolean compression, int itemSize, TimeToLive timeToLive)
        implements SnapshotLayout {

    public CommitsSnapshots {
        CommitsJournal.checkItemSize(itemSize);
    }

    /** Snapshots do not expire. */
    public CommitsSnapshots(String tableName, boolean sliceIndex, boolean compression, int itemSize) {
        this(tableName, sliceIndex, compression, itemSize, TimeToLive.none());
    }

    public CommitsSnapshots with(TimeToLive rules) {
        return new CommitsSnapshots(tableName, sliceIndex, compression, itemSize, rules);
    }

    @Override
    public boolean usesTimeToLive() {
        return timeToLive.isUsed();
    }

    /** The default settings, without the index. */
    public static CommitsSnapshots of(String tableName) {
        return new CommitsSnapshots(tableName, false, true, 399_360);
    }

    public CommitsSnapshots withIndex() {
        return new CommitsSnapshots(tableName, true, compression, itemSize, timeToLive);
    }

    /** From settings by name. */
    public static CommitsSnapshots of(LayoutSettings settings) {
        CommitsSnapshots defaults = of(settings.text("table", "dynajournal_snapshots"));
        return new CommitsSnapshots(
                defaults.tableName,
                settings.flag("index.slices", defaults.sliceIndex),
                settings.flag("compression", true),
                defaults.itemSize);
    }

    @Override
    public TableSpec table() {
        List<TableSpec.Index> indexes =
                sliceIndex ? List.of(CommitsSliceRows.index(SnapshotItems.SAVED, List.of())) : List.of();
        return ItemKey.table(tableName, indexes, SnapshotItems.EXPIRY);
    }

    @Override
    public SnapshotTable open(Dynamo dynamo) {
        return SnapshotLayout.inLanes(dynamo, lane -> new CommitsSnapshotTable(lane, this));
    }

    @Override
    public Optional<SnapshotIndex> slices(Dynamo dynamo) {
        return sliceIndex ? Optional.of(new CommitsSnapshotIndex(dynamo, this)) : Optional.empty();
    }

    @Override
    public Optional<PartsCheck> partsCheck(Dynamo dynamo) {
        return Optional.of(new OrphanedParts(dynamo, tableName, false));
    }

    @Override
    public Permissions permissions() {
        Actions indexed = sliceIndex ? Actions.of("BatchGetItem", "Query").query(CommitsSliceRows.INDEX) : Actions.NONE;
        return new Permissions(
                Actions.of("BatchWriteItem", "PutItem", "Query"),
                Actions.of("Query").and(indexed),
                indexed,
                Actions.of("BatchWriteItem", "Query"));
    }
}
