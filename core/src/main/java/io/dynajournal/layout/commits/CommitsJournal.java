package io.dynajournal.layout.commits;

import io.dynajournal.dynamo.Dynamo;
import io.dynajournal.dynamo.ItemSize;
import io.dynajournal.dynamo.TableSpec;
import io.dynajournal.layout.JournalLayout;
import io.dynajournal.layout.LayoutSettings;
import io.dynajournal.model.Slices;
import io.dynajournal.store.EventLog;
import io.dynajournal.store.PersistenceIds;
import io.dynajournal.store.SliceIndex;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The native layout for events.
 *
 * @param sliceIndex whether the table has the index that queries by slice read
 * @param idIndex whether the table has the index that lists ids
 * @param indexPartitions how many partitions of the slice index stand for the 1,024 slices: a power of two
 * @param compression whether a commit is compressed where that saves write units
 * @param itemSize the largest item in bytes; what does not fit goes into parts
 * @param pageItems how many commits a page of a replay has at most; 1 MB is the other bound
 * @param replayParallelism how many stretches of a long log a recovery asks for at once
 * @param stubLife how long a deleted commit still stops a stale writer, at least a day
 */
public record CommitsJournal(
        String tableName,
        boolean sliceIndex,
        boolean idIndex,
        int indexPartitions,
        boolean compression,
        int itemSize,
        int pageItems,
        int replayParallelism,
        Duration stubLife)
        implements JournalLayout {

    public static final String SLICE_INDEX = "slices";
    public static final String ID_INDEX = "ids";

    /** Room for keys and small attributes beside the payload, whatever the id. */
    static final int MIN_ITEM_SIZE = 4096;

    public CommitsJournal {
        checkPartitions(indexPartitions);
        checkItemSize(itemSize);
        if (pageItems < 1) {
            throw new IllegalArgumentException("page-items must be 1 or more, not " + pageItems);
        }
        if (replayParallelism < 1) {
            throw new IllegalArgumentException("replay-parallelism must be 1 or more, not " + replayParallelism);
        }
        if (stubLife.compareTo(Duration.ofDays(1)) < 0) {
            throw new IllegalArgumentException("deleted-commits-live must be a day or more, not " + stubLife);
        }
    }

    static void checkPartitions(int indexPartitions) {
        if (indexPartitions < 1 || indexPartitions > Slices.COUNT || Integer.bitCount(indexPartitions) != 1) {
            throw new IllegalArgumentException(
                    "index.partitions must be a power of two from 1 to 1024, not " + indexPartitions);
        }
    }

    static void checkItemSize(int itemSize) {
        if (itemSize < MIN_ITEM_SIZE || itemSize > ItemSize.LIMIT) {
            throw new IllegalArgumentException(
                    "item-size must be from " + MIN_ITEM_SIZE + " to " + ItemSize.LIMIT + " bytes, not " + itemSize);
        }
    }

    /** The defaults for a table name, with both indexes. */
    public static CommitsJournal of(String tableName) {
        return new CommitsJournal(tableName, true, true, 16, true, 399_360, 4_000, 4, Duration.ofDays(30));
    }

    public CommitsJournal withoutIndexes() {
        return new CommitsJournal(
                tableName,
                false,
                false,
                indexPartitions,
                compression,
                itemSize,
                pageItems,
                replayParallelism,
                stubLife);
    }

    @Override
    public TableSpec table() {
        TableSpec.Key hash = new TableSpec.Key(CommitItems.PID, "S");
        List<TableSpec.Index> indexes = new ArrayList<>();
        if (sliceIndex) {
            indexes.add(new TableSpec.Index(
                    SLICE_INDEX,
                    new TableSpec.Key(CommitItems.IX, "S"),
                    new TableSpec.Key(CommitItems.TS, "N"),
                    CommitItems.PROJECTED));
        }
        if (idIndex) {
            // By time and not by pid, which is in every index anyway: a sort key may have 1,024 bytes, an id 2,048.
            indexes.add(new TableSpec.Index(
                    ID_INDEX,
                    new TableSpec.Key(CommitItems.ID, "S"),
                    new TableSpec.Key(CommitItems.TS, "N"),
                    List.of()));
        }
        return new TableSpec(tableName, hash, new TableSpec.Key(CommitItems.SEQ, "N"), indexes, CommitItems.EXP);
    }

    /** By names of settings; those of the indexes and of sizes have their defaults. */
    public static CommitsJournal of(LayoutSettings settings) {
        CommitsJournal defaults = of(settings.text("table", "dynajournal_events"));
        return new CommitsJournal(
                defaults.tableName,
                settings.flag("index.slices", true),
                settings.flag("index.ids", true),
                settings.count("index.partitions", defaults.indexPartitions, 1),
                settings.flag("compression", true),
                defaults.itemSize,
                settings.count("page-items", defaults.pageItems, 1),
                settings.count("replay-parallelism", defaults.replayParallelism, 1),
                defaults.stubLife);
    }

    @Override
    public EventLog open(Dynamo dynamo) {
        return new CommitsEventLog(dynamo, this);
    }

    @Override
    public Optional<SliceIndex> slices(Dynamo dynamo) {
        return sliceIndex ? Optional.of(new CommitsSliceIndex(dynamo, this)) : Optional.empty();
    }

    @Override
    public PersistenceIds ids(Dynamo dynamo) {
        return new CommitsPersistenceIds(dynamo, tableName);
    }
}
