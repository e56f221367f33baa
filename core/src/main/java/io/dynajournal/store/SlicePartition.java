package io.dynajournal.store;

import io.dynajournal.model.SliceRange;
import io.dynajournal.model.Slices;

/**
 * A part of a slice index that is read by itself, in the order of time.
 *
 * @param name its key in the index
 * @param slices what it holds of the entity type
 */
public record SlicePartition(String name, String entityType, SliceRange slices) {

    /** Whether events of this id may be in it. */
    public boolean mayHold(String persistenceId) {
        return slices.contains(persistenceId) && entityType.equals(Slices.entityType(persistenceId));
    }
}
