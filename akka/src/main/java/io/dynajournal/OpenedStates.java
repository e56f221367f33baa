package io.dynajournal;

import io.dynajournal.settings.ReadConfig;
import io.dynajournal.store.StateIndex;
import io.dynajournal.store.StateTable;
import java.util.Optional;
import java.util.concurrent.Executor;

/**
 * A table of durable states that is there.
 *
 * @param changes empty if the table has no index for queries of changes
 * @param executor where states are deserialized
 */
public record OpenedStates(
        String tableName,
        StateTable table,
        Optional<StateIndex> changes,
        ReadConfig reads,
        StateColumns columns,
        Executor executor) {}
