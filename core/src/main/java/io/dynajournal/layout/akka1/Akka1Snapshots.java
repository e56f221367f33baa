package io.dynajournal.layout.akka1;

import io.dynajournal.dynamo.Dynamo;
import io.dynajournal.dynamo.TableSpec;
import io.dynajournal.layout.LayoutSettings;
import io.dynajournal.layout.SnapshotLayout;
import io.dynajournal.store.SnapshotTable;
import java.util.List;

/**
 * The snapshot store of akka-persistence-dynamodb 1.x and of Pekko's 1.0 and 1.1.
 *
 * @param journalName what all keys begin with, by default that of the journal
 * @param maxItemSize the largest item in bytes; a larger snapshot is refused
 */
public record Akka1Snapshots(String tableName, String journalName, int maxItemSize) implements SnapshotLayout {

    /** By this index the predecessor finds the youngest snapshot; we look for the highest number and do not read it. */
    static final String TIME_INDEX = "ts-idx";

    public Akka1Snapshots {
        Akka1Journal.checkItemSize(maxItemSize);
    }

    /** By the predecessor's names and defaults. */
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
    public SnapshotTable open(Dynamo dynamo) {
        return new Akka1SnapshotTable(dynamo, this);
    }
}
