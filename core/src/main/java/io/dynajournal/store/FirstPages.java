package io.dynajournal.store;

import io.dynajournal.model.SeqRange;
import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The pages that came with a highest number, until the recovery asks for them. A page belongs to the question that fetched
 * it (id, first number, highest number), is used once, and is dropped with any write or delete of its id, when it is too
 * old, or when there are too many.
 */
final class FirstPages {

    private record Kept(long from, long highest, PageToken page, long bytes, long untilNanos) {}

    /** Counted for every page, so that many small ones do not pass for nothing. */
    private static final long OVERHEAD = 512;

    private final long capacity;
    private final long lifeNanos;
    private final Map<String, Kept> pages = new LinkedHashMap<>();
    private long bytes;

    FirstPages(long capacity, Duration life) {
        this.capacity = capacity;
        this.lifeNanos = life.toNanos();
    }

    synchronized void keep(String persistenceId, long from, LogHead head) {
        forget(persistenceId);
        long size = OVERHEAD + head.firstPage().heldBytes();
        if (head.end().seqNr() < from || size > capacity) {
            return;
        }
        makeRoom(size);
        pages.put(
                persistenceId,
                new Kept(from, head.end().seqNr(), head.firstPage(), size, System.nanoTime() + lifeNanos));
        bytes += size;
    }

    synchronized @Nullable PageToken take(String persistenceId, SeqRange range) {
        Kept kept = forget(persistenceId);
        if (kept == null || kept.from() != range.from() || kept.highest() < range.to()) {
            return null;
        }
        return kept.untilNanos() - System.nanoTime() > 0 ? kept.page() : null;
    }

    synchronized @Nullable Kept forget(String persistenceId) {
        Kept kept = pages.remove(persistenceId);
        if (kept != null) {
            bytes -= kept.bytes();
        }
        return kept;
    }

    private void makeRoom(long size) {
        Iterator<Kept> oldest = pages.values().iterator();
        while (oldest.hasNext()) {
            Kept kept = oldest.next();
            if (bytes + size <= capacity && kept.untilNanos() - System.nanoTime() > 0) {
                return;
            }
            oldest.remove();
            bytes -= kept.bytes();
        }
    }
}
