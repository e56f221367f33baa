package io.dynajournal.internal.store;

import io.dynajournal.internal.model.SliceRange;
import io.dynajournal.internal.model.Slices;

/**
 * A partition of a slice index. Its rows are in the order of time.
 *
 * @param name its key in the index
 * @param slices the slices of the entity type that it holds
 */
public record SlicePartition(String name, String entityType, SliceRange slices) {

    /** Whether it may hold rows of this persistence id. */
    public boolean mayHold(String persistenceId) {
        return slices.contains(persistenceId) && entityType.equals(Slices.entityType(persistenceId));
    }
}
