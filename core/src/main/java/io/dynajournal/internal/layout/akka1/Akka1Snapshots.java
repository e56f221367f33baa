package io.dynajournal.internal.layout.akka1;

import io.dynajournal.internal.dynamo.Dynamo;
import io.dynajournal.internal.dynamo.TableSpec;
import io.dynajournal.internal.layout.LayoutSettings;
import io.dynajournal.internal.layout.Permissions;
import io.dynajournal.internal.layout.Permissions.Actions;
import io.dynajournal.internal.layout.SnapshotLayout;
import io.dynajournal.internal.store.SnapshotTable;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The snapshot store of akka-persistence-dynamodb 1.x and of Pekko's 1.0 and 1.1.
 *
 * @param journalName the prefix of all keys, by default that of the journal
 * @param maxItemSize the largest item in bytes; a larger snapshot is rejected
 * @param eventFormat the form of new snapshots, by default that of events; null to choose it by what the table holds
 * @param defaultJournal the journal with the default name, under which snapshots of this one may be: see {@link
 *     Akka1DefaultName}; null where there are none
 */
public record Akka1Snapshots(
        String tableName,
        String journalName,
        int maxItemSize,
        @Nullable Akka1EventFormat eventFormat,
        @Nullable Akka1Journal defaultJournal)
        implements SnapshotLayout {

    /** The index by time that the predecessor reads. Not read here: the highest sequence number is the latest snapshot. */
    static final String TIME_INDEX = "ts-idx";

    /** Snapshots are large: a page of a scan ends after 1 MB, 128 read units. */
    private static final int SAMPLE_ITEMS = 10;

    public Akka1Snapshots {
        Akka1Journal.checkItemSize(maxItemSize);
    }

    /** Reads the predecessor's settings with its defaults. */
    public static Akka1Snapshots of(LayoutSettings settings) {
        return new Akka1Snapshots(
                settings.text("snapshot-table", "akka-persistence-snapshot"),
                settings.text("journal-name", Akka1Journal.DEFAULT_NAME),
                settings.count("aws-api-limits.max-item-size", Akka1Journal.MAX_ITEM_SIZE, 1),
                Akka1EventFormat.of(settings.text(Akka1EventFormat.SETTING, "")),
                null);
    }

    /** The predecessor's defaults for a table name. */
    public static Akka1Snapshots of(String tableName) {
        return new Akka1Snapshots(tableName, Akka1Journal.DEFAULT_NAME, Akka1Journal.MAX_ITEM_SIZE, null, null);
    }

    public Akka1Snapshots withEventFormat(Akka1EventFormat format) {
        return new Akka1Snapshots(tableName, journalName, maxItemSize, format, defaultJournal);
    }

    /**
     * Looks for snapshots under the default name too.
     *
     * @param journal the tables of the journal; its name is replaced by the default one
     */
    public Akka1Snapshots alsoUnderDefaultName(Akka1Journal journal) {
        return new Akka1Snapshots(
                tableName, journalName, maxItemSize, eventFormat, journal.withName(Akka1Journal.DEFAULT_NAME));
    }

    Akka1Snapshots underDefaultName() {
        return new Akka1Snapshots(tableName, Akka1Journal.DEFAULT_NAME, maxItemSize, eventFormat, null);
    }

    Akka1FormatChoice format(Dynamo dynamo) {
        return new Akka1FormatChoice(
                dynamo,
                eventFormat,
                new Akka1FormatChoice.Sample(
                        tableName,
                        Akka1SnapshotItems.par(journalName, ""),
                        Akka1SnapshotItems.SERIALIZER,
                        SAMPLE_ITEMS));
    }

    @Override
    public TableSpec table() {
        return new TableSpec(
                tableName,
                new TableSpec.Key(Akka1SnapshotItems.PAR, "S"),
                new TableSpec.Key(Akka1SnapshotItems.SEQ, "N"),
                List.of(),
                null,
                List.of(new TableSpec.LocalIndex(TIME_INDEX, new TableSpec.Key(Akka1SnapshotItems.TS, "N"))));
    }

    @Override
    public boolean keepsMetadata() {
        return false;
    }

    @Override
    public SnapshotTable open(Dynamo dynamo) {
        return defaultJournal == null ? inLanes(dynamo) : new Akka1DefaultName(dynamo, this, defaultJournal);
    }

    /** The snapshots under this journal's name. */
    SnapshotTable inLanes(Dynamo dynamo) {
        return SnapshotLayout.inLanes(dynamo, lane -> new Akka1SnapshotTable(lane, this));
    }

    @Override
    public Permissions permissions() {
        Actions writes = Actions.of("BatchWriteItem", "PutItem", "Query");
        return new Permissions(
                eventFormat == null ? writes.and("Scan") : writes,
                Actions.of("Query"),
                Actions.NONE,
                Actions.of("BatchWriteItem", "Query"));
    }
}
