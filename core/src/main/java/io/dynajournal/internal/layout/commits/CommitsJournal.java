package io.dynajournal.internal.layout.commits;

import io.dynajournal.internal.dynamo.Dynamo;
import io.dynajournal.internal.dynamo.TableSpec;
import io.dynajournal.internal.layout.EventFormat;
import io.dynajournal.internal.layout.JournalLayout;
import io.dynajournal.internal.layout.LayoutSettings;
import io.dynajournal.internal.layout.Permissions;
import io.dynajournal.internal.layout.Permissions.Actions;
import io.dynajournal.internal.layout.TimeToLive;
import io.dynajournal.internal.model.Slices;
import io.dynajournal.internal.store.EventLog;
import io.dynajournal.internal.store.LogCheck;
import io.dynajournal.internal.store.PartsCheck;
import io.dynajournal.internal.store.PersistenceIds;
import io.dynajournal.internal.store.SliceIndex;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The native layout for events.
 *
 * @param sliceIndex whether the table has the index that queries by slice and by tag read
 * @param idIndex whether the table has the index of persistence ids
 * @param indexPartitions into how many partitions the slice index divides the 1,024 slices of an entity type: a power of two
 * @param compression whether commits are compressed if that saves write units
 * @param itemSize the maximum size of an item in bytes; a larger commit is stored in parts
 * @param pageItems the maximum number of commits per page of a replay; DynamoDB's limit of 1 MB applies as well
 * @param replayParallelism how many segments of a long log a recovery reads concurrently
 * @param tombstoneRetention how long the tombstone of a deleted commit stops a stale writer, at least a day
 * @param timeToLive when events expire, by entity type
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
        Duration tombstoneRetention,
        TimeToLive timeToLive)
        implements JournalLayout {

    public static final String ID_INDEX = "ids";

    /** In bytes: leaves room for keys and small attributes beside the payload, whatever the persistence id. */
    static final int MIN_ITEM_SIZE = 4096;

    private static final Duration MAX_EXPIRY_MARGIN = Duration.ofMinutes(1);

    public CommitsJournal {
        checkPartitions(indexPartitions);
        checkItemSize(itemSize);
        if (pageItems < 1) {
            throw new IllegalArgumentException("page-size must be 1 or more, not " + pageItems);
        }
        if (replayParallelism < 1) {
            throw new IllegalArgumentException("replay-parallelism must be 1 or more, not " + replayParallelism);
        }
        if (tombstoneRetention.compareTo(Duration.ofDays(1)) < 0) {
            throw new IllegalArgumentException("tombstone-retention must be a day or more, not " + tombstoneRetention);
        }
    }

    /** Events do not expire. */
    public CommitsJournal(
            String tableName,
            boolean sliceIndex,
            boolean idIndex,
            int indexPartitions,
            boolean compression,
            int itemSize,
            int pageItems,
            int replayParallelism,
            Duration tombstoneRetention) {
        this(
                tableName,
                sliceIndex,
                idIndex,
                indexPartitions,
                compression,
                itemSize,
                pageItems,
                replayParallelism,
                tombstoneRetention,
                TimeToLive.none());
    }

    public CommitsJournal with(TimeToLive rules) {
        return new CommitsJournal(
                tableName,
                sliceIndex,
                idIndex,
                indexPartitions,
                compression,
                itemSize,
                pageItems,
                replayParallelism,
                tombstoneRetention,
                rules);
    }

    /** The time by which items of a persistence id have expired, in epoch seconds; 0 if expiry is not checked. */
    long expiryTime(String persistenceId, long nowMicros) {
        return timeToLive.of(persistenceId).checkExpiry() ? nowMicros / 1_000_000 : 0;
    }

    /**
     * How long before its expiry a commit counts as the end of a log for the last time: longer than a write may take that follows on
     * it.
     */
    static Duration expiryMargin(Duration life) {
        Duration share = life.dividedBy(10);
        return share.compareTo(MAX_EXPIRY_MARGIN) < 0 ? share : MAX_EXPIRY_MARGIN;
    }

    /** For how long a writer's view is used without a read: half as long as everything that would stop it is kept. */
    Duration viewLifetime(String persistenceId) {
        Duration shortest = timeToLive.of(persistenceId).shortest();
        return (shortest == null || shortest.compareTo(tombstoneRetention) > 0 ? tombstoneRetention : shortest)
                .dividedBy(2);
    }

    @Override
    public boolean usesTimeToLive() {
        return timeToLive.isUsed();
    }

    static void checkPartitions(int indexPartitions) {
        if (indexPartitions < 1 || indexPartitions > Slices.COUNT || Integer.bitCount(indexPartitions) != 1) {
            throw new IllegalArgumentException(
                    "index.partitions must be a power of two from 1 to 1024, not " + indexPartitions);
        }
    }

    static void checkItemSize(int itemSize) {
        if (itemSize < MIN_ITEM_SIZE || itemSize > JournalLayout.MAX_UPDATABLE_BYTES) {
            throw new IllegalArgumentException("item-size must be from " + MIN_ITEM_SIZE + " to "
                    + JournalLayout.MAX_UPDATABLE_BYTES + " bytes, not " + itemSize);
        }
    }

    /** The default settings, with both indexes. */
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
                tombstoneRetention,
                timeToLive);
    }

    @Override
    public TableSpec table() {
        List<TableSpec.Index> indexes = new ArrayList<>();
        if (sliceIndex) {
            indexes.add(CommitsSliceRows.index(CommitItems.TIMESTAMP, CommitItems.PROJECTED));
        }
        if (idIndex) {
            // Sorted by time, not by pid: a sort key is limited to 1,024 bytes, a persistence id to 2,048.
            indexes.add(new TableSpec.Index(
                    ID_INDEX,
                    new TableSpec.Key(CommitItems.ID_PARTITION, "S"),
                    new TableSpec.Key(CommitItems.TIMESTAMP, "N"),
                    List.of()));
        }
        return ItemKey.table(tableName, indexes, CommitItems.EXPIRY);
    }

    /** From settings by name; sizes and retention have their defaults. */
    public static CommitsJournal of(LayoutSettings settings) {
        CommitsJournal defaults = of(settings.text("table", "dynajournal_events"));
        return new CommitsJournal(
                defaults.tableName,
                settings.flag("index.slices", true),
                settings.flag("index.ids", true),
                settings.count("index.partitions", defaults.indexPartitions, 1),
                settings.flag("compression", true),
                defaults.itemSize,
                settings.count("page-size", defaults.pageItems, 1),
                settings.count("replay-parallelism", defaults.replayParallelism, 1),
                defaults.tombstoneRetention);
    }

    @Override
    public EventFormat format() {
        return EventFormat.COMPLETE.withWriters(name -> WriterId.of(name).toString());
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
    public Optional<String> indexOfIds() {
        return idIndex ? Optional.of(ID_INDEX) : Optional.empty();
    }

    @Override
    public PersistenceIds ids(Dynamo dynamo) {
        return new CommitsPersistenceIds(dynamo, this);
    }

    @Override
    public PersistenceIds idsOfTable(Dynamo dynamo) {
        return new CommitsScannedIds(dynamo, tableName);
    }

    @Override
    public List<LogCheck> checks(Dynamo dynamo) {
        return List.of(new CommitsCheck(dynamo, this));
    }

    @Override
    public Optional<PartsCheck> partsCheck(Dynamo dynamo) {
        return Optional.of(new OrphanedParts(dynamo, tableName, true));
    }

    @Override
    public Permissions permissions() {
        return new Permissions(
                Actions.of("BatchGetItem", "BatchWriteItem", "PartiQLInsert", "PutItem", "Query", "UpdateItem"),
                Actions.of("BatchGetItem", "Query").query(CommitsSliceRows.INDEX, ID_INDEX),
                Actions.of("BatchGetItem", "Query").query(CommitsSliceRows.INDEX),
                Actions.of("BatchWriteItem", "PutItem", "Query", "UpdateItem").query(ID_INDEX));
    }
}
