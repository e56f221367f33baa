package io.dynajournal.layout.commits;

import io.dynajournal.dynamo.Dynamo;
import io.dynajournal.dynamo.TableSpec;
import io.dynajournal.layout.LayoutSettings;
import io.dynajournal.layout.SnapshotLayout;
import io.dynajournal.store.SnapshotTable;
import java.util.List;

/**
 * The native layout for snapshots.
 *
 * @param compression whether a snapshot is compressed where that saves write units
 * @param itemSize the largest item in bytes; what does not fit goes into parts
 */
public record CommitsSnapshots(String tableName, boolean compression, int itemSize) implements SnapshotLayout {

    public CommitsSnapshots {
        CommitsJournal.checkItemSize(itemSize);
    }

    public static CommitsSnapshots of(String tableName) {
        return new CommitsSnapshots(tableName, true, 399_360);
    }

    /** By names of settings. */
    public static CommitsSnapshots of(LayoutSettings settings) {
        CommitsSnapshots defaults = of(settings.text("table", "dynajournal_snapshots"));
        return new CommitsSnapshots(defaults.tableName, settings.flag("compression", true), defaults.itemSize);
    }

    @Override
    public TableSpec table() {
        return new TableSpec(
                tableName,
                new TableSpec.Key(SnapshotItems.PID, "S"),
                new TableSpec.Key(SnapshotItems.SEQ, "N"),
                List.of(),
                SnapshotItems.EXP);
    }

    @Override
    public SnapshotTable open(Dynamo dynamo) {
        return new CommitsSnapshotTable(dynamo, this);
    }
}
