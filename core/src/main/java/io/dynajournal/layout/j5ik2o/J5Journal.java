package io.dynajournal.layout.j5ik2o;

import io.dynajournal.dynamo.Dynamo;
import io.dynajournal.dynamo.TableSpec;
import io.dynajournal.layout.JournalLayout;
import io.dynajournal.layout.LayoutSettings;
import io.dynajournal.store.EventLog;
import io.dynajournal.store.PersistenceIds;
import io.dynajournal.store.TaggedEvents;
import java.util.List;
import java.util.Optional;

/**
 * j5ik2o's layout for events.
 *
 * @param indexName the index by id and number, through which the predecessor reads
 * @param tagsIndex the index that holds the rows with tags only; empty if there is none
 * @param tagSeparator what stands between tags
 * @param softDelete whether deleted rows are marked instead of removed
 * @param atomicWrites whether several events that are persisted together go into one transaction, at twice the write
 *     units; off, they cost what the predecessor's do, may be more than 100, and a failure in between leaves the first of
 *     them stored, as there
 * @param pageItems how many rows a page of a replay has at most; 1 MB is the other bound
 * @param fatalHoles whether a number that is missing behind the first row fails a reading; otherwise it is reported
 * @param otherKeys whether the index is asked for rows under the keys of other resolvers where ours find nothing
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
        boolean fatalHoles,
        boolean otherKeys)
        implements JournalLayout {

    /** The setting of journal and snapshot store. */
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
     * Reads the predecessor's own settings, with its defaults, and {@code atomic-writes}, {@code fatal-holes} and {@code
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
                settings.flag("fatal-holes", false),
                settings.flag(OTHER_KEYS, true));
    }

    public J5Journal withFatalHoles() {
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
        TableSpec.Key number = new TableSpec.Key(columns.sequenceNr(), "N");
        TableSpec.Index rows = new TableSpec.Index(
                indexName, new TableSpec.Key(columns.persistenceId(), "S"), number, TableSpec.Index.EVERYTHING);
        return new TableSpec(
                tableName,
                new TableSpec.Key(columns.partitionKey(), "S"),
                columns.sortsByNumber() ? number : new TableSpec.Key(columns.sortKey(), "S"),
                List.of(rows),
                null);
    }

    @Override
    public EventLog open(Dynamo dynamo) {
        return new J5EventLog(dynamo, this);
    }

    @Override
    public Optional<TaggedEvents> tagged(Dynamo dynamo) {
        return Optional.of(new J5TaggedEvents(dynamo, this));
    }

    /** The ids that have rows, deleted ones included, by a scan of the table. */
    @Override
    public PersistenceIds ids(Dynamo dynamo) {
        return new J5PersistenceIds(dynamo, tableName, columns.persistenceId());
    }

    J5Items items() {
        return new J5Items(columns, keys, tagSeparator);
    }

    /** Whether the rows of an id are together and in order, so that a Query by key reads them. */
    boolean isInOrder() {
        return keys.isOnePartition() && (columns.sortsByNumber() || keys.sortsByNumber());
    }
}
