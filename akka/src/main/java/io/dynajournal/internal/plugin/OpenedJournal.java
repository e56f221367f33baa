package io.dynajournal.internal.plugin;

import io.dynajournal.internal.store.EventJournal;
import java.util.concurrent.Executor;

/**
 * A journal whose table was checked.
 *
 * @param replays where replayed events are deserialized
 * @param reads what queries read
 */
public record OpenedJournal(EventJournal events, Executor replays, OpenedReads reads) {}
