package io.dynajournal.internal.layout.akka1;

import io.dynajournal.internal.dynamo.Dynamo;
import io.dynajournal.internal.dynamo.ItemSize;
import io.dynajournal.internal.dynamo.TableSpec;
import io.dynajournal.internal.layout.EventFormat;
import io.dynajournal.internal.layout.JournalLayout;
import io.dynajournal.internal.layout.LayoutSettings;
import io.dynajournal.internal.layout.Permissions;
import io.dynajournal.internal.layout.Permissions.Actions;
import io.dynajournal.internal.store.EventLog;
import io.dynajournal.internal.store.LogCheck;
import io.dynajournal.internal.store.PersistenceIds;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The journal of akka-persistence-dynamodb 1.x and of Pekko's 1.0 and 1.1, whose tables differ in their default name only.
 *
 * @param journalName the prefix of all keys; several journals may share a table
 * @param shards {@code sequence-shards}: the number of keys that the marks of a persistence id are spread over. May grow, must
 *     not shrink
 * @param maxItemSize the largest item in bytes; a larger event is rejected
 * @param idsIndex the index that the predecessor's read journal uses, null without one. Not read here
 * @param fatalGaps whether a sequence number that is missing without a delete fails the read; otherwise it is logged
 * @param replayParallelism the number of partitions that a replay reads concurrently
 * @param eventFormat the form of new events; null to choose it by what the table holds
 */
public record Akka1Journal(
        String tableName,
        String journalName,
        int shards,
        int maxItemSize,
        TableSpec.@Nullable Index idsIndex,
        boolean fatalGaps,
        int replayParallelism,
        @Nullable Akka1EventFormat eventFormat)
        implements JournalLayout {

    public static final String DEFAULT_NAME = "journal";

    static final int MAX_ITEM_SIZE = 400_000;
    private static final int PARALLELISM = 10;

    /** About 13 read units, once in the life of a process, for events of 1 KB. */
    private static final int SAMPLE_ITEMS = 100;

    private static final TableSpec.Key PAR = new TableSpec.Key(Akka1Items.PAR, "S");
    private static final TableSpec.Key NUM = new TableSpec.Key(Akka1Items.NUM, "N");

    public Akka1Journal {
        if (shards < 1) {
            throw new IllegalArgumentException("sequence-shards must be 1 or more, not " + shards);
        }
        checkItemSize(maxItemSize);
    }

    /** A journal without an index. */
    public Akka1Journal(String tableName, String journalName, int shards, int maxItemSize) {
        this(tableName, journalName, shards, maxItemSize, null, false, PARALLELISM, null);
    }

    static void checkItemSize(int maxItemSize) {
        if (maxItemSize < 1 || maxItemSize > ItemSize.LIMIT) {
            throw new IllegalArgumentException(
                    "aws-api-limits.max-item-size must be from 1 to " + ItemSize.LIMIT + " bytes, not " + maxItemSize);
        }
    }

    /**
     * Reads the predecessor's settings with its defaults, and {@code fatal-gaps}, which is ours. {@code fixes.high-distrust}
     * is accepted and has no effect: marks are always verified.
     */
    public static Akka1Journal of(LayoutSettings settings) {
        settings.flag("fixes.high-distrust", false);
        return new Akka1Journal(
                settings.text("journal-table", "akka-persistence"),
                settings.text("journal-name", DEFAULT_NAME),
                settings.count("sequence-shards", 10, 1),
                settings.count("aws-api-limits.max-item-size", MAX_ITEM_SIZE, 1),
                null,
                settings.flag("fatal-gaps", false),
                settings.count("replay-parallelism", PARALLELISM, 1),
                Akka1EventFormat.of(settings.text(Akka1EventFormat.SETTING, "")));
    }

    /** The predecessor's defaults for a table name. */
    public static Akka1Journal of(String tableName) {
        return new Akka1Journal(tableName, DEFAULT_NAME, 10, MAX_ITEM_SIZE);
    }

    /** With the index of the predecessor's read journal, without a sort key. */
    public Akka1Journal withIdsIndex(String name) {
        return with(new TableSpec.Index(name, NUM, null, List.of()));
    }

    /** With the index of the predecessor's read journal, with a sort key. */
    public Akka1Journal withSortedIdsIndex(String name) {
        return with(new TableSpec.Index(name, NUM, PAR, List.of()));
    }

    private Akka1Journal with(TableSpec.Index index) {
        return new Akka1Journal(
                tableName, journalName, shards, maxItemSize, index, fatalGaps, replayParallelism, eventFormat);
    }

    @Override
    public Akka1Journal withFatalGaps() {
        return new Akka1Journal(
                tableName, journalName, shards, maxItemSize, idsIndex, true, replayParallelism, eventFormat);
    }

    public Akka1Journal withEventFormat(Akka1EventFormat format) {
        return new Akka1Journal(
                tableName, journalName, shards, maxItemSize, idsIndex, fatalGaps, replayParallelism, format);
    }

    Akka1Journal withName(String name) {
        return new Akka1Journal(
                tableName, name, shards, maxItemSize, idsIndex, fatalGaps, replayParallelism, eventFormat);
    }

    Akka1FormatChoice format(Dynamo dynamo) {
        return new Akka1FormatChoice(
                dynamo,
                eventFormat,
                new Akka1FormatChoice.Sample(tableName, keys().eventPrefix(), Akka1Items.SERIALIZER, SAMPLE_ITEMS));
    }

    Akka1Keys keys() {
        return new Akka1Keys(journalName, shards);
    }

    @Override
    public TableSpec table() {
        return new TableSpec(tableName, PAR, NUM, idsIndex == null ? List.of() : List.of(idsIndex), null);
    }

    @Override
    public EventFormat format() {
        return EventFormat.COMPLETE.withTimes(0).withoutTags().withoutMetadata();
    }

    /** As the predecessor stores them, if the toolkit's class for them has a serializer: Java's, or one of the application. */
    @Override
    public boolean tagsInPayloads() {
        return true;
    }

    @Override
    public EventLog open(Dynamo dynamo) {
        return new Akka1EventLog(dynamo, this);
    }

    /** The persistence ids of this journal, by a scan of the table. */
    @Override
    public PersistenceIds ids(Dynamo dynamo) {
        return new Akka1PersistenceIds(dynamo, this);
    }

    @Override
    public List<LogCheck> checks(Dynamo dynamo) {
        Akka1Marks marks = new Akka1Marks(dynamo, this);
        Akka1Reader reader = new Akka1Reader(dynamo, this, new Akka1LostMarks());
        return List.of(new Akka1MarkCheck(reader, marks), new Akka1WriteCheck(reader));
    }

    @Override
    public Permissions permissions() {
        Actions writes = Actions.of("BatchGetItem", "BatchWriteItem", "PutItem", "Query");
        return new Permissions(
                eventFormat == null ? writes.and("Scan") : writes,
                Actions.of("BatchGetItem", "Query", "Scan"),
                Actions.NONE,
                Actions.of("BatchGetItem", "BatchWriteItem", "PutItem", "Query", "Scan"));
    }
}
