package io.dynajournal.layout.commits;

import io.dynajournal.dynamo.Dynamo;
import io.dynajournal.dynamo.TableSpec;
import io.dynajournal.layout.LayoutSettings;
import io.dynajournal.layout.SnapshotLayout;
import io.dynajournal.store.SnapshotIndex;
import io.dynajournal.store.SnapshotTable;
import java.util.List;
import java.util.Optional;

/**
 * The native layout for snapshots.
 *
 * @param sliceIndex whether the table has the index for queries that start from snapshots; what it holds is written all the
 *     same
 * @param compression whether a snapshot is compressed where that saves write units
 * @param itemSize the largest item in bytes; what does not fit goes into parts
 */
public record CommitsSnapshots(String tableName, boolean sliceIndex, boolean compression, int itemSize)
        implements SnapshotLayout {

    public static final String SLICE_INDEX = "slices";

    public CommitsSnapshots {
        CommitsJournal.checkItemSize(itemSize);
    }

    /** The defaults for a table name, without the index. */
    public static CommitsSnapshots of(String tableName) {
        return new CommitsSnapshots(tableName, false, true, 399_360);
    }

    public CommitsSnapshots withIndex() {
        return new CommitsSnapshots(tableName, true, compression, itemSize);
    }

    /** By names of settings. */
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
        return new TableSpec(
                tableName,
                new TableSpec.Key(SnapshotItems.PID, "S"),
                new TableSpec.Key(SnapshotItems.SEQ, "N"),
                sliceIndex
                        ? List.of(new TableSpec.Index(
                                SLICE_INDEX,
                                new TableSpec.Key(SnapshotItems.IX, "S"),
                                new TableSpec.Key(SnapshotItems.SAVED, "N"),
                                List.of()))
                        : List.of(),
                SnapshotItems.EXP);
    }

    @Override
    public SnapshotTable open(Dynamo dynamo) {
        return new CommitsSnapshotTable(dynamo, this);
    }

    @Override
    public Optional<SnapshotIndex> slices(Dynamo dynamo) {
        return sliceIndex ? Optional.of(new CommitsSnapshotIndex(dynamo, this)) : Optional.empty();
    }
}
