package io.dynajournal.layout.akka2;

import io.dynajournal.dynamo.Dynamo;
import io.dynajournal.dynamo.TableSpec;
import io.dynajournal.layout.JournalLayout;
import io.dynajournal.layout.LayoutSettings;
import io.dynajournal.store.EventLog;
import io.dynajournal.store.PersistenceIds;
import io.dynajournal.store.SliceIndex;
import java.util.List;
import java.util.Optional;

/**
 * The journal of akka-persistence-dynamodb 2.x.
 *
 * @param sliceIndex the name of the index that queries by slice read; empty if the table has none
 * @param fallbackStore the configured path of the store that kept large events; we have none, but its name helps whoever
 *     meets such an event
 * @param fatalHoles whether a number that is missing without a delete or an expiry fails a reading; otherwise it is reported.
 *     DynamoDB removes expired items in an order of its own, so not with a time to live
 */
public record Akka2Journal(
        String tableName, String sliceIndex, Akka2TimeToLive timeToLive, String fallbackStore, boolean fatalHoles)
        implements JournalLayout {

    /** The defaults for a table name. */
    public static Akka2Journal of(String tableName) {
        return new Akka2Journal(tableName, indexOf(tableName), Akka2TimeToLive.none(), "", false);
    }

    /**
     * Reads the settings of the predecessor, by their names in the block {@code akka.persistence.dynamodb}; {@code
     * journal.slice-index = off}, for a table without the index, and {@code journal.fatal-holes} are ours.
     */
    public static Akka2Journal of(LayoutSettings settings) {
        String table = settings.text("journal.table", "event_journal");
        String index = settings.text("journal.by-slice-idx", "");
        boolean indexed = settings.flag("journal.slice-index", true);
        return new Akka2Journal(
                table,
                !indexed ? "" : index.isEmpty() ? indexOf(table) : index,
                Akka2TimeToLive.of(settings),
                settings.text("journal.fallback-store.plugin", ""),
                settings.flag("journal.fatal-holes", false));
    }

    static String indexOf(String table) {
        return table + "_slice_idx";
    }

    /** For a table without the index that queries by slice read. */
    public Akka2Journal withoutIndex() {
        return new Akka2Journal(tableName, "", timeToLive, fallbackStore, fatalHoles);
    }

    public Akka2Journal with(Akka2TimeToLive rules) {
        return new Akka2Journal(tableName, sliceIndex, rules, fallbackStore, fatalHoles);
    }

    public Akka2Journal withFatalHoles() {
        return new Akka2Journal(tableName, sliceIndex, timeToLive, fallbackStore, true);
    }

    @Override
    public TableSpec table() {
        return new TableSpec(
                tableName,
                new TableSpec.Key(Akka2Items.PID, "S"),
                new TableSpec.Key(Akka2Items.SEQ_NR, "N"),
                sliceIndex.isEmpty()
                        ? List.of()
                        : List.of(new TableSpec.Index(
                                sliceIndex,
                                new TableSpec.Key(Akka2Items.ENTITY_TYPE_SLICE, "S"),
                                new TableSpec.Key(Akka2Items.TS, "N"),
                                Akka2Items.INDEXED)),
                Akka2Items.EXPIRY);
    }

    /** The index is for queries by slice, and many tables have none. */
    @Override
    public TableSpec required() {
        return table().withoutIndexes();
    }

    @Override
    public EventLog open(Dynamo dynamo) {
        return new Akka2EventLog(dynamo, this);
    }

    @Override
    public Optional<SliceIndex> slices(Dynamo dynamo) {
        return sliceIndex.isEmpty() ? Optional.empty() : Optional.of(new Akka2SliceIndex(dynamo, this));
    }

    /** The ids of the table, found by a scan. */
    @Override
    public PersistenceIds ids(Dynamo dynamo) {
        return new Akka2PersistenceIds(dynamo, this);
    }
}
