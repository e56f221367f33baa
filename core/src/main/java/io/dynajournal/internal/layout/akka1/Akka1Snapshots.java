package io.dynajournal.internal.layout.akka1;

import io.dynajournal.internal.dynamo.Dynamo;
import io.dynajournal.internal.dynamo.TableSpec;
import io.dynajournal.internal.layout.LayoutSettings;
import io.dynajournal.internal.layout.SnapshotLayout;
import io.dynajournal.internal.store.SnapshotTable;
import java.util.List;

/**
 * The snapshot store of akka-persistence-dynamodb 1.x and of Pekko's 1.0 and 1.1.
 *
 * @param journalName the prefix of all keys, by default that of the journal
 * @param maxItemSize the largest item in bytes; a larger snapshot is rejected
 */
public record Akka1Snapshots(String tableName, String journalName, int maxItemSize) implements SnapshotLayout {

    /** The index by time that the predecessor reads. Not read here: the highest sequence number is the latest snapshot. */
    static final String TIME_INDEX = "ts-idx";

    public Akka1Snapshots {
        Akka1Journal.checkItemSize(maxItemSize);
    }

    /** Reads the predecessor's settings with its defaults. */
    public static Akka1Snapshots of(LayoutSettings settings) {
        return new Akka1Snapshots(
                settings.text("snapshot-table", "akka-persistence-snapshot"),
                settings.text("journal-name", "journal"),
                settings.count("aws-api-limits.max-item-size", Akka1Journal.MAX_ITEM_SIZE, 1));
    }

    /** The predecessor's defaults for a table name. */
    public static Akka1Snapshots of(String tableName) {
        return new Akka1Snapshots(tableName, "journal", Akka1Journal.MAX_ITEM_SIZE);
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
        return SnapshotTable.readingBack(new Akka1SnapshotTable(dynamo, this));
    }
}
