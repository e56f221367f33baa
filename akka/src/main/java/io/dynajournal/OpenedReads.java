package io.dynajournal;

import io.dynajournal.store.EventLog;
import io.dynajournal.store.PersistenceIds;
import io.dynajournal.store.SliceIndex;
import java.util.Optional;

/**
 * What queries read of a journal whose table is there.
 *
 * @param slices empty if the table has no index by slice
 */
public record OpenedReads(EventLog log, Optional<SliceIndex> slices, PersistenceIds ids, String table) {}
