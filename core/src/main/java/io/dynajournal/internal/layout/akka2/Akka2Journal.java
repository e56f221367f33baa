package io.dynajournal.internal.layout.akka2;

import io.dynajournal.internal.dynamo.Dynamo;
import io.dynajournal.internal.dynamo.TableSpec;
import io.dynajournal.internal.layout.EventFormat;
import io.dynajournal.internal.layout.JournalLayout;
import io.dynajournal.internal.layout.LayoutSettings;
import io.dynajournal.internal.layout.Permissions;
import io.dynajournal.internal.layout.Permissions.Actions;
import io.dynajournal.internal.layout.TimeToLive;
import io.dynajournal.internal.layout.TimeToLive.Rules;
import io.dynajournal.internal.store.EventLog;
import io.dynajournal.internal.store.LogCheck;
import io.dynajournal.internal.store.PersistenceIds;
import io.dynajournal.internal.store.SliceIndex;
import java.util.List;
import java.util.Optional;

/**
 * The journal of akka-persistence-dynamodb 2.x.
 *
 * @param sliceIndex the name of the index that queries by slice read; empty if the table has none
 * @param fallbackStore the configured path of the predecessor's store for large events. Not read; the error for such an event
 *     names it
 * @param fatalGaps whether a sequence number that is missing without a delete or an expiry fails the read; otherwise it is
 *     logged. Not for tables with a time to live, because DynamoDB removes expired items in any order
 */
public record Akka2Journal(
        String tableName, String sliceIndex, TimeToLive timeToLive, String fallbackStore, boolean fatalGaps)
        implements JournalLayout {

    /** The defaults for a table name. */
    public static Akka2Journal of(String tableName) {
        return new Akka2Journal(tableName, indexOf(tableName), TimeToLive.none(), "", false);
    }

    /**
     * Reads the predecessor's settings, as in the block {@code akka.persistence.dynamodb}. {@code journal.slice-index = off},
     * for a table without the index, and {@code journal.fatal-gaps} are ours.
     */
    public static Akka2Journal of(LayoutSettings settings) {
        String table = settings.text("journal.table", "event_journal");
        String index = settings.text("journal.by-slice-idx", "");
        boolean indexed = settings.flag("journal.slice-index", true);
        return new Akka2Journal(
                table,
                !indexed ? "" : index.isEmpty() ? indexOf(table) : index,
                timeToLive(settings),
                settings.text("journal.fallback-store.plugin", ""),
                settings.flag("journal.fatal-gaps", false));
    }

    /**
     * The block {@code time-to-live}, nested by entity type as since 2.0.1, or flat as before. In the flat form expired items are
     * shown until DynamoDB removes them, unless {@code check-expiry} is on.
     */
    static TimeToLive timeToLive(LayoutSettings settings) {
        return TimeToLive.of(
                settings,
                "time-to-live.event-sourced-defaults.",
                "time-to-live.event-sourced-entities.",
                Rules.flat(settings, "time-to-live."));
    }

    static String indexOf(String table) {
        return table + "_slice_idx";
    }

    /** For a table without the slice index. */
    public Akka2Journal withoutIndex() {
        return new Akka2Journal(tableName, "", timeToLive, fallbackStore, fatalGaps);
    }

    public Akka2Journal with(TimeToLive rules) {
        return new Akka2Journal(tableName, sliceIndex, rules, fallbackStore, fatalGaps);
    }

    @Override
    public Akka2Journal withFatalGaps() {
        return new Akka2Journal(tableName, sliceIndex, timeToLive, fallbackStore, true);
    }

    @Override
    public boolean usesTimeToLive() {
        return timeToLive.isUsed();
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
                                TableSpec.Index.EVERYTHING)),
                Akka2Items.EXPIRY);
    }

    /** Without the index, which only queries by slice need. */
    @Override
    public TableSpec required() {
        return table().withoutIndexes();
    }

    @Override
    public EventFormat format() {
        return EventFormat.COMPLETE.withoutAdapterManifests();
    }

    @Override
    public EventLog open(Dynamo dynamo) {
        return new Akka2EventLog(dynamo, this);
    }

    @Override
    public Optional<SliceIndex> slices(Dynamo dynamo) {
        return sliceIndex.isEmpty() ? Optional.empty() : Optional.of(new Akka2SliceIndex(dynamo, this));
    }

    /** The persistence ids of the table, by a scan. */
    @Override
    public PersistenceIds ids(Dynamo dynamo) {
        return new Akka2PersistenceIds(dynamo, this);
    }

    @Override
    public List<LogCheck> checks(Dynamo dynamo) {
        return List.of(new Akka2Check(dynamo, this));
    }

    @Override
    public Permissions permissions() {
        return new Permissions(
                Actions.of("DeleteItem", "PutItem", "Query", "UpdateItem"),
                Actions.of("Query", "Scan").query(sliceIndex),
                Actions.of("Query").query(sliceIndex),
                Actions.of("BatchWriteItem", "DeleteItem", "Query", "Scan", "UpdateItem"));
    }
}
