package io.dynajournal.layout.commits;

import io.dynajournal.dynamo.Dynamo;
import io.dynajournal.dynamo.TableSpec;
import io.dynajournal.layout.LayoutSettings;
import io.dynajournal.layout.StateLayout;
import io.dynajournal.store.StateIndex;
import io.dynajournal.store.StateTable;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The native layout for durable states.
 *
 * @param sliceIndex whether the table has the index for changes by slice; what it holds is written all the same
 * @param indexPartitions over how many partitions it spreads the states of one entity type
 * @param compression whether a state is compressed where that saves write units
 * @param itemSize the largest item in bytes; what does not fit goes into parts
 * @param deletedLife how long the revision of a deleted state is kept; null for ever
 */
public record CommitsStates(
        String tableName,
        boolean sliceIndex,
        int indexPartitions,
        boolean compression,
        int itemSize,
        @Nullable Duration deletedLife)
        implements StateLayout {

    public static final String SLICE_INDEX = "slices";

    public CommitsStates {
        CommitsJournal.checkPartitions(indexPartitions);
        CommitsJournal.checkItemSize(itemSize);
        if (deletedLife != null && deletedLife.compareTo(Duration.ofDays(1)) < 0) {
            throw new IllegalArgumentException("deleted-states-live must be a day or more, not " + deletedLife);
        }
    }

    /** The defaults for a table name, with the index. */
    public static CommitsStates of(String tableName) {
        return new CommitsStates(tableName, true, 16, true, 399_360, null);
    }

    /** By names of settings; sizes have their defaults. */
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
        return new CommitsStates(tableName, false, indexPartitions, compression, itemSize, deletedLife);
    }

    @Override
    public TableSpec table() {
        return new TableSpec(
                tableName,
                new TableSpec.Key(StateItems.PID, "S"),
                new TableSpec.Key(StateItems.SEQ, "N"),
                sliceIndex
                        ? List.of(new TableSpec.Index(
                                SLICE_INDEX,
                                new TableSpec.Key(StateItems.IX, "S"),
                                new TableSpec.Key(StateItems.TS, "N"),
                                StateItems.PROJECTED))
                        : List.of(),
                StateItems.EXP);
    }

    @Override
    public StateTable open(Dynamo dynamo, String writer) {
        return new CommitsStateTable(dynamo, this, WriterId.of(writer));
    }

    @Override
    public Optional<StateIndex> changes(Dynamo dynamo) {
        return sliceIndex ? Optional.of(new CommitsStateIndex(dynamo, this)) : Optional.empty();
    }
}
