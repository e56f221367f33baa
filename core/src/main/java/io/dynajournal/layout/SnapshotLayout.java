package io.dynajournal.layout;

import io.dynajournal.dynamo.Dynamo;
import io.dynajournal.dynamo.TableSpec;
import io.dynajournal.store.SnapshotIndex;
import io.dynajournal.store.SnapshotTable;
import java.util.Optional;

/** A way to keep snapshots in a table, with its settings. */
public interface SnapshotLayout {

    /** The table it is made for, with all its indexes. */
    TableSpec table();

    /** What the table must have; less than {@link #table} where an index serves others only. */
    default TableSpec required() {
        return table();
    }

    /** Opens the table; no request is made. */
    SnapshotTable open(Dynamo dynamo);

    /** What queries that start from snapshots read; empty if the table has no such index. No request is made. */
    default Optional<SnapshotIndex> slices(Dynamo dynamo) {
        return Optional.empty();
    }
}
