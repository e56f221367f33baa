package io.dynajournal;

import io.dynajournal.store.EventJournal;
import java.util.concurrent.Executor;

/**
 * A journal whose table is there.
 *
 * @param replays where replayed events are deserialized
 * @param reads for queries
 */
public record OpenedJournal(EventJournal events, Executor replays, OpenedReads reads) {}
