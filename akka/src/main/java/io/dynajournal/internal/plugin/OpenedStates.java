package io.dynajournal.internal.plugin;

import io.dynajournal.internal.settings.ReadConfig;
import io.dynajournal.internal.store.PerIdQueue;
import io.dynajournal.internal.store.StateIndex;
import io.dynajournal.internal.store.StateTable;
import java.util.Optional;
import java.util.concurrent.Executor;

/**
 * A durable state store whose table was checked.
 *
 * @param changes empty if the table has no index for queries of changes
 * @param writes the queue of each persistence id's writes
 * @param executor where states are serialized and deserialized
 */
public record OpenedStates(
        String tableName,
        StateTable table,
        Optional<StateIndex> changes,
        ReadConfig reads,
        ColumnsByEntityType columns,
        PerIdQueue<String> writes,
        Executor executor) {}
