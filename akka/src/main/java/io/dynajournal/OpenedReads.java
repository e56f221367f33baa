package io.dynajournal;

import io.dynajournal.store.EventLog;
import io.dynajournal.store.PersistenceIds;
import io.dynajournal.store.SliceIndex;
import io.dynajournal.store.TaggedEvents;
import java.util.Optional;

/**
 * What queries read of a journal whose table is there.
 *
 * @param slices empty if the table has no index by slice
 * @param tagged empty if there are no tags, or an index by slice has them
 */
public record OpenedReads(
        EventLog log, Optional<SliceIndex> slices, Optional<TaggedEvents> tagged, PersistenceIds ids, String table) {}
