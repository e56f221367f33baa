package io.dynajournal.layout;

import io.dynajournal.dynamo.Dynamo;
import io.dynajournal.dynamo.TableSpec;
import io.dynajournal.store.EventLog;
import io.dynajournal.store.PersistenceIds;
import io.dynajournal.store.SliceIndex;
import io.dynajournal.store.TaggedEvents;
import java.util.Optional;

/** A way to keep events in a table, with its settings. */
public interface JournalLayout {

    /** The table it is made for, with all its indexes. */
    TableSpec table();

    /** What the table must have for the log to work; less than {@link #table} where an index serves others only. */
    default TableSpec required() {
        return table();
    }

    /** Opens the log; no request is made. */
    EventLog open(Dynamo dynamo);

    /** What queries by slice read; empty if the table has no such index. No request is made. */
    default Optional<SliceIndex> slices(Dynamo dynamo) {
        return Optional.empty();
    }

    /** What queries by tag read where there is no index by slice; empty if they cannot. No request is made. */
    default Optional<TaggedEvents> tagged(Dynamo dynamo) {
        return Optional.empty();
    }

    /** The ids that have a log there; no request is made. */
    PersistenceIds ids(Dynamo dynamo);
}
