package io.dynajournal.layout;

import io.dynajournal.dynamo.Dynamo;
import io.dynajournal.dynamo.TableSpec;
import io.dynajournal.store.StateIndex;
import io.dynajournal.store.StateTable;
import java.util.Optional;

/** A way to keep durable states in a table, with its settings. */
public interface StateLayout {

    /** The table it is made for, with all its indexes. */
    TableSpec table();

    /**
     * Opens the table; no request is made.
     *
     * @param writer who writes, for the errors of others
     */
    StateTable open(Dynamo dynamo, String writer);

    /** For queries of changes; empty if the table has no index for them. No request is made. */
    Optional<StateIndex> changes(Dynamo dynamo);
}
