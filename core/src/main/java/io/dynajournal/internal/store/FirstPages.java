package io.dynajournal.internal.store;

import io.dynajournal.internal.model.SeqRange;
import java.time.Duration;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The first pages that were read together with a highest sequence number, until the recovery asks for them. A page belongs to
 * the request that read it (persistence id, first and highest sequence number) and is used once. It is dropped by any write or
 * delete of its persistence id since the request was sent, when it is too old, and when the pages take too many bytes.
 * Thread-safe.
 */
final class FirstPages {

    private record Kept(long from, long highest, PageToken page, long bytes, long expiresAtNanos) {}

    /** Counted for every page, so that the number of small ones is bounded too. */
    private static final long OVERHEAD_BYTES = 512;

    private final long capacityBytes;
    private final long timeToLiveNanos;
    private final Map<String, Kept> pages = new LinkedHashMap<>();

    /** The last request of each persistence id whose page is not there yet. A write or a delete removes it. */
    private final Map<String, Object> requests = new HashMap<>();

    private long bytes;

    FirstPages(long capacityBytes, Duration timeToLive) {
        this.capacityBytes = capacityBytes;
        this.timeToLiveNanos = timeToLive.toNanos();
    }

    /** Notes that a page is requested. Of two concurrent requests the later one's page is kept. */
    synchronized void expect(String persistenceId, Object request) {
        requests.put(persistenceId, request);
    }

    /** Notes that the page has arrived, or could not be read. */
    synchronized void over(String persistenceId, Object request) {
        requests.remove(persistenceId, request);
    }

    synchronized void keep(String persistenceId, Object request, long from, LogHead head) {
        if (!requests.remove(persistenceId, request)) {
            return;
        }
        remove(persistenceId);
        long size = OVERHEAD_BYTES + head.firstPage().heldBytes();
        if (head.end().seqNr() < from || size > capacityBytes) {
            return;
        }
        evict(size);
        pages.put(
                persistenceId,
                new Kept(from, head.end().seqNr(), head.firstPage(), size, System.nanoTime() + timeToLiveNanos));
        bytes += size;
    }

    synchronized @Nullable PageToken take(String persistenceId, SeqRange range) {
        Kept kept = remove(persistenceId);
        if (kept == null || kept.from() != range.from() || kept.highest() < range.to()) {
            return null;
        }
        return kept.expiresAtNanos() - System.nanoTime() > 0 ? kept.page() : null;
    }

    /** Drops the page of a persistence id whose log changes. */
    synchronized void forget(String persistenceId) {
        requests.remove(persistenceId);
        remove(persistenceId);
    }

    private @Nullable Kept remove(String persistenceId) {
        Kept kept = pages.remove(persistenceId);
        if (kept != null) {
            bytes -= kept.bytes();
        }
        return kept;
    }

    private void evict(long size) {
        Iterator<Kept> oldest = pages.values().iterator();
        while (oldest.hasNext()) {
            Kept kept = oldest.next();
            if (bytes + size <= capacityBytes && kept.expiresAtNanos() - System.nanoTime() > 0) {
                return;
            }
            oldest.remove();
            bytes -= kept.bytes();
        }
    }
}
