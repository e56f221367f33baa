package io.dynajournal;

import io.dynajournal.store.StateTable;
import java.util.concurrent.Executor;

/**
 * A table of durable states that is there.
 *
 * @param executor where states are deserialized
 */
public record OpenedStates(StateTable table, StateColumns columns, Executor executor) {}
