package io.dynajournal.internal.layout.commits;

import io.dynajournal.internal.dynamo.Dynamo;
import io.dynajournal.internal.dynamo.TableSpec;
import io.dynajournal.internal.layout.LayoutSettings;
import io.dynajournal.internal.layout.Permissions;
import io.dynajournal.internal.layout.Permissions.Actions;
import io.dynajournal.internal.layout.StateLayout;
import io.dynajournal.internal.store.PartsCheck;
import io.dynajournal.internal.store.StateIndex;
import io.dynajournal.internal.store.StateTable;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The native layout for durable states.
 *
 * @param sliceIndex whether the table has the index for changes by slice; its attributes are written in any case
 * @param indexPartitions into how many partitions the slice index divides the 1,024 slices of an entity type: a power of two
 * @param compression whether states are compressed if that saves write units
 * @param itemSize the maximum size of an item in bytes; a larger state is stored in parts
 * @param tombstoneRetention how long the revision of a deleted state is kept; null for ever
 */
public record CommitsStates(
        String tableName,
        boolean sliceIndex,
        int indexPartitions,
        boolean compression,
        int itemSize,
        @Nullable Duration tombstoneRetention)
        implements StateLayout {

    public CommitsStates {
        CommitsJournal.checkPartitions(indexPartitions);
        CommitsJournal.checkItemSize(itemSize);
        if (tombstoneRetention != null && tombstoneRetention.compareTo(Duration.ofDays(1)) < 0) {
            throw new IllegalArgumentException("tombstone-retention must be a day or more, not " + tombstoneRetention);
        }
    }

    /** The default settings, with the index. */
    public static CommitsStates of(String tableName) {
        return new CommitsStates(tableName, true, 16, true, 399_360, null);
    }

    /** From settings by name; sizes and retention have their defaults. */
    public static CommitsStates of(LayoutSettings settings) {
        CommitsStates defaults = of(settings.text("table", "dynajournal_states"));
        return new CommitsStates(
                defaults.tableName,
                settings.flag("index.slices", true),
                settings.count("index.partitions", defaults.indexPartitions, 1),
                settings.flag("compression", true),
                defaults.itemSize,
                null);
    }

    public CommitsStates withoutIndex() {
        return new CommitsStates(tableName, false, indexPartitions, compression, itemSize, tombstoneRetention);
    }

    @Override
    public TableSpec table() {
        List<TableSpec.Index> indexes =
                sliceIndex ? List.of(CommitsSliceRows.index(StateItems.TIMESTAMP, StateItems.PROJECTED)) : List.of();
        return ItemKey.table(tableName, indexes, StateItems.EXPIRY);
    }

    @Override
    public StateTable open(Dynamo dynamo, String writer) {
        return new CommitsStateTable(dynamo, this, WriterId.of(writer));
    }

    @Override
    public Optional<StateIndex> changes(Dynamo dynamo) {
        return sliceIndex ? Optional.of(new CommitsStateIndex(dynamo, this)) : Optional.empty();
    }

    @Override
    public Optional<PartsCheck> partsCheck(Dynamo dynamo) {
        return Optional.of(new OrphanedParts(dynamo, tableName, false));
    }

    @Override
    public Permissions permissions() {
        return new Permissions(
                Actions.of("BatchGetItem", "BatchWriteItem", "PutItem", "Query", "UpdateItem"),
                Actions.of("BatchGetItem", "Query", "Scan").query(CommitsSliceRows.INDEX),
                Actions.of("BatchGetItem", "Query").query(CommitsSliceRows.INDEX),
                Actions.of("BatchGetItem", "BatchWriteItem", "DeleteItem", "PutItem", "Query", "Scan"));
    }
}
