package io.dynajournal.internal.plugin;

import io.dynajournal.internal.store.EventLog;
import io.dynajournal.internal.store.PersistenceIds;
import io.dynajournal.internal.store.SliceIndex;
import io.dynajournal.internal.store.TaggedEvents;
import java.util.Optional;

/**
 * What queries read of a journal.
 *
 * @param slices empty if the table has no index by slice
 * @param tagged empty if events have no tags, or the index by slice contains them
 */
public record OpenedReads(
        EventLog log, Optional<SliceIndex> slices, Optional<TaggedEvents> tagged, PersistenceIds ids, String table) {}
