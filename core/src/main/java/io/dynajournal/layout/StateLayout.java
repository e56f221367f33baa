package io.dynajournal.layout;

import io.dynajournal.dynamo.Dynamo;
import io.dynajournal.dynamo.TableSpec;
import io.dynajournal.store.StateIndex;
import io.dynajournal.store.StateTable;
import java.util.List;
import java.util.Optional;

/** A way to keep durable states in a table, with its settings. */
public interface StateLayout {

    /** The table it is made for, with all its indexes. */
    TableSpec table();

    /** The same settings for each key that such a table may have; whose key the table has, decides. */
    default List<StateLayout> variants() {
        return List.of(this);
    }

    /** Whether {@link #table} is the only one; else it need not be there, and others are named by ids. */
    default boolean isOneTable() {
        return true;
    }

    /**
     * Opens the table; no request is made.
     *
     * @param writer who writes, for the errors of others
     */
    StateTable open(Dynamo dynamo, String writer);

    /** For queries of changes; empty if the table has no index for them. No request is made. */
    Optional<StateIndex> changes(Dynamo dynamo);
}
