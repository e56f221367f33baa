package io.dynajournal.internal.layout.j5ik2o;

import io.dynajournal.internal.dynamo.Dynamo;
import io.dynajournal.internal.dynamo.TableSpec;
import io.dynajournal.internal.layout.EventFormat;
import io.dynajournal.internal.layout.JournalLayout;
import io.dynajournal.internal.layout.LayoutSettings;
import io.dynajournal.internal.layout.Permissions;
import io.dynajournal.internal.layout.Permissions.Actions;
import io.dynajournal.internal.store.EventLog;
import io.dynajournal.internal.store.LogCheck;
import io.dynajournal.internal.store.PersistenceIds;
import io.dynajournal.internal.store.TaggedEvents;
import java.util.List;
import java.util.Optional;

/**
 * The journal of j5ik2o's plugin.
 *
 * @param indexName the index by persistence id and sequence number, which the predecessor reads
 * @param tagsIndex the index of the rows that have tags; empty if there is none
 * @param tagSeparator separates the tags of a row
 * @param softDelete whether deleted rows are marked instead of removed
 * @param atomicWrites whether several events that are persisted together go into one transaction, at twice the write units.
 *     Otherwise they cost what they cost with the predecessor, may be more than 100, and a failure in between leaves the
 *     first of them stored, as there
 * @param pageItems the maximum number of rows per page of a replay; the other limit is 1 MB
 * @param fatalGaps whether a sequence number that is missing after the first row fails the read; otherwise it is logged
 * @param otherKeys whether the index is searched for rows under keys of other resolvers
 */
public record J5Journal(
        String tableName,
        String indexName,
        J5Keys keys,
        J5Columns columns,
        String tagsIndex,
        String tagSeparator,
        boolean softDelete,
        boolean atomicWrites,
        int pageItems,
        boolean fatalGaps,
        boolean otherKeys)
        implements JournalLayout {

    /** A setting of the journal and of the snapshot store. */
    static final String OTHER_KEYS = "look-for-other-keys";

    public J5Journal {
        if (pageItems < 1) {
            throw new IllegalArgumentException("query-batch-size must be 1 or more, not " + pageItems);
        }
        if (tagSeparator.isEmpty()) {
            throw new IllegalArgumentException("tag-separator must not be empty");
        }
    }

    /**
     * Reads the predecessor's settings with its defaults, and {@code atomic-writes}, {@code fatal-gaps} and {@code
     * look-for-other-keys}, which are ours.
     */
    public static J5Journal of(LayoutSettings settings) {
        return new J5Journal(
                settings.text("table-name", "Journal"),
                settings.text("get-journal-rows-index-name", "GetJournalRowsIndex"),
                J5Keys.of(settings),
                J5Columns.of(settings),
                settings.text("tags-index-name", ""),
                settings.text("tag-separator", ","),
                settings.flag("soft-delete", true),
                settings.flag("atomic-writes", true),
                settings.count("query-batch-size", 512, 1),
                settings.flag("fatal-gaps", false),
                settings.flag(OTHER_KEYS, true));
    }

    @Override
    public J5Journal withFatalGaps() {
        return new J5Journal(
                tableName,
                indexName,
                keys,
                columns,
                tagsIndex,
                tagSeparator,
                softDelete,
                atomicWrites,
                pageItems,
                true,
                otherKeys);
    }

    @Override
    public TableSpec table() {
        TableSpec.Key seqNr = new TableSpec.Key(columns.sequenceNr(), "N");
        TableSpec.Index rows = new TableSpec.Index(
                indexName, new TableSpec.Key(columns.persistenceId(), "S"), seqNr, TableSpec.Index.EVERYTHING);
        return new TableSpec(
                tableName,
                new TableSpec.Key(columns.partitionKey(), "S"),
                columns.sortsBySeqNr() ? seqNr : new TableSpec.Key(columns.sortKey(), "S"),
                List.of(rows),
                null);
    }

    @Override
    public boolean storesOutOfOrder() {
        return true;
    }

    @Override
    public EventFormat format() {
        return EventFormat.COMPLETE.withTimes(EventFormat.MILLIS);
    }

    @Override
    public EventLog open(Dynamo dynamo) {
        return new J5EventLog(dynamo, this);
    }

    @Override
    public Optional<TaggedEvents> tagged(Dynamo dynamo) {
        return Optional.of(new J5TaggedEvents(dynamo, this));
    }

    /** The persistence ids that have rows, deleted ones included, by a scan of the table. */
    @Override
    public PersistenceIds ids(Dynamo dynamo) {
        return new J5PersistenceIds(dynamo, tableName, columns.persistenceId());
    }

    J5Items items() {
        return new J5Items(columns, keys, tagSeparator);
    }

    /** Whether the rows of a persistence id are in one partition and in order, so that a Query reads them. */
    boolean isInOrder() {
        return keys.isOnePartition() && (columns.sortsBySeqNr() || keys.sortsBySeqNr());
    }

    @Override
    public List<LogCheck> checks(Dynamo dynamo) {
        return List.of(new J5KeyCheck(dynamo, this));
    }

    @Override
    public Permissions permissions() {
        return new Permissions(
                Actions.of("BatchWriteItem", "PutItem", "Query").query(indexName),
                Actions.of("Query", "Scan").query(indexName),
                Actions.NONE,
                Actions.of("BatchWriteItem", "Query", "Scan").query(indexName));
    }
}
