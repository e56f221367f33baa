package io.dynajournal.internal.layout;

import io.dynajournal.internal.dynamo.Dynamo;
import io.dynajournal.internal.dynamo.TableSpec;
import io.dynajournal.internal.store.PartsCheck;
import io.dynajournal.internal.store.SnapshotIndex;
import io.dynajournal.internal.store.SnapshotTable;
import java.util.Optional;
import java.util.function.Function;

/** A table format for snapshots, with its settings. */
public interface SnapshotLayout {

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

    /** Whether a persistence id has one snapshot at most, and each save replaces an older one. */
    default boolean keepsNewestOnly() {
        return false;
    }

    /** Whether the metadata of replicated entities is stored. Otherwise a snapshot with metadata is rejected. */
    default boolean keepsMetadata() {
        return true;
    }

    /** Opens the table without sending a request. */
    SnapshotTable open(Dynamo dynamo);

    /**
     * A table whose saves, loads and deletes are each in their own lane, and whose saves are read back before they fail.
     *
     * @param open opens the table for the requests of one lane
     */
    static SnapshotTable inLanes(Dynamo dynamo, Function<Dynamo, SnapshotTable> open) {
        return new SnapshotLanes(dynamo, open);
    }

    /** The index for queries that start from snapshots; empty if the table has none. Sends no request. */
    default Optional<SnapshotIndex> slices(Dynamo dynamo) {
        return Optional.empty();
    }

    /** The check of parts of large items; empty if the format has none. Sends no request. */
    default Optional<PartsCheck> partsCheck(Dynamo dynamo) {
        return Optional.empty();
    }

    /** The IAM actions on {@link #table} that its requests need. */
    Permissions permissions();
}
