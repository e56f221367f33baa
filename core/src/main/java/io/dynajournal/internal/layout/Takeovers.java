package io.dynajournal.internal.layout;

import org.jspecify.annotations.Nullable;

/**
 * Finds the events with which a writer took over from another, event by event in order. A stale writer continues after the
 * last event that it knew, which is where its successor took over. A delete that leaves an item there stops every stale
 * writer, however many events it removes. Not thread-safe.
 */
public final class Takeovers {

    private @Nullable String writer;

    /** @param before the writer before the first event; null if it is not known, and then the first event counts */
    public Takeovers(@Nullable String before) {
        this.writer = before;
    }

    /** Whether the next event has another writer than the one before it. */
    public boolean isNext(String next) {
        boolean takeover = !next.equals(writer);
        writer = next;
        return takeover;
    }
}
