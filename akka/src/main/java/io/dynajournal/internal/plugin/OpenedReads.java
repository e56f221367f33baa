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
 * @param tagsInPayloads whether the tags of an event are part of its payload
 */
public record OpenedReads(
        EventLog log,
        Optional<SliceIndex> slices,
        Optional<TaggedEvents> tagged,
        boolean tagsInPayloads,
        PersistenceIds ids,
        String table) {}
