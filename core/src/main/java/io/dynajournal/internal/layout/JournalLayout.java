package io.dynajournal.internal.layout;

import io.dynajournal.internal.dynamo.Dynamo;
import io.dynajournal.internal.dynamo.ItemSize;
import io.dynajournal.internal.dynamo.TableSpec;
import io.dynajournal.internal.store.EventLog;
import io.dynajournal.internal.store.LogCheck;
import io.dynajournal.internal.store.PartsCheck;
import io.dynajournal.internal.store.PersistenceIds;
import io.dynajournal.internal.store.SliceIndex;
import io.dynajournal.internal.store.TaggedEvents;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** A table format for events, with its settings. */
public interface JournalLayout {

    /**
     * The size limit of items that a later update makes larger: DynamoDB's limit, less room for an attribute that a delete adds,
     * 19 bytes at most. The limit of an update is also a few bytes below that of a put.
     */
    int MAX_UPDATABLE_BYTES = ItemSize.LIMIT - 32;

    /** The table to create, with all its indexes. */
    TableSpec table();

    /** Whether the settings give items an expiry, so that the table's time to live must be enabled for them to be removed. */
    default boolean usesTimeToLive() {
        return false;
    }

    /** What an existing table must have; less than {@link #table} where an index serves queries only. */
    default TableSpec required() {
        return table();
    }

    /**
     * Whether an event may be visible for a while before those that precede it: the predecessor writes the events of a batch
     * independently of each other. A sequence number that is missing before a recent event may then still appear.
     */
    default boolean storesOutOfOrder() {
        return false;
    }

    /** The same, and every gap fails a read, where that is a setting. */
    default JournalLayout withFatalGaps() {
        return this;
    }

    /** What the doctor checks in a log of this layout beyond what a read does. Sends no request. */
    default List<LogCheck> checks(Dynamo dynamo) {
        return List.of();
    }

    /** The check of parts of large events; empty if the format has none. Sends no request. */
    default Optional<PartsCheck> partsCheck(Dynamo dynamo) {
        return Optional.empty();
    }

    /** What the format keeps of an event. */
    EventFormat format();

    /** Opens the log without sending a request. */
    EventLog open(Dynamo dynamo);

    /** The index for queries by slice; empty if the table has none. Sends no request. */
    default Optional<SliceIndex> slices(Dynamo dynamo) {
        return Optional.empty();
    }

    /** Queries by tag for tables without a slice index; empty if the format has none. Sends no request. */
    default Optional<TaggedEvents> tagged(Dynamo dynamo) {
        return Optional.empty();
    }

    /** The index that has one item for each persistence id; empty if the table has none. */
    default Optional<String> indexOfIds() {
        return Optional.empty();
    }

    /**
     * Whether the tags of an event are part of its payload: the toolkit's object for an event with tags is serialized as it is.
     * The format itself then has no tags.
     */
    default boolean tagsInPayloads() {
        return false;
    }

    /**
     * The attribute {@code confirmations} of events, by sequence number. Only sclasen's 0.3 writes it. Entities do not receive it; the
     * command line shows it. Empty where the format has none.
     */
    default CompletionStage<Map<Long, Set<String>>> confirmations(
            Dynamo dynamo, String persistenceId, List<Long> seqNrs) {
        return CompletableFuture.completedFuture(Map.of());
    }

    /** The persistence ids that have a log in the table. Sends no request. */
    PersistenceIds ids(Dynamo dynamo);

    /**
     * The same, read from the table itself with consistent reads: a log that was begun before is not missed. Reads the whole
     * table. Sends no request.
     */
    default PersistenceIds idsOfTable(Dynamo dynamo) {
        return ids(dynamo);
    }

    /** The IAM actions on {@link #table} that its requests need. */
    Permissions permissions();
}
