package io.dynajournal.internal.layout;

import io.dynajournal.internal.dynamo.Dynamo;
import io.dynajournal.internal.dynamo.TableSpec;
import io.dynajournal.internal.store.PartsCheck;
import io.dynajournal.internal.store.StateIndex;
import io.dynajournal.internal.store.StateTable;
import java.util.List;
import java.util.Optional;

/** A table format for durable states, with its settings. */
public interface StateLayout {

    /** The table to create, with all its indexes. */
    TableSpec table();

    /** These settings with each key schema that an existing table may have. The table's own key schema selects one. */
    default List<StateLayout> variants() {
        return List.of(this);
    }

    /** Whether {@link #table} is the only table. Otherwise persistence ids select further tables, and it need not exist. */
    default boolean isOneTable() {
        return true;
    }

    /**
     * Opens the table without sending a request.
     *
     * @param writer identifies this writer; the errors of other writers show it
     */
    StateTable open(Dynamo dynamo, String writer);

    /** The index for queries of changes; empty if the table has none. Sends no request. */
    Optional<StateIndex> changes(Dynamo dynamo);

    /** The check of parts of large items; empty if the format has none. Sends no request. */
    default Optional<PartsCheck> partsCheck(Dynamo dynamo) {
        return Optional.empty();
    }

    /** The IAM actions on {@link #table} that its requests need. */
    Permissions permissions();
}
