package io.dynajournal.slices;

import io.dynajournal.store.SliceRow;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Up to which number each id was delivered. Ids are forgotten in the order of their last write's time, and then {@link
 * #floor} rises: an id that is not known has had no write at the floor or later.
 */
final class KnownIds {

    /**
     * @param micros the latest time of a write that was delivered
     * @param whole whether {@code end} is the end of a write; a consumer may have stopped inside one
     */
    record Last(long end, long micros, boolean whole) {}

    private final int capacity;
    private final Map<String, Last> ids = new LinkedHashMap<>();
    private long floor;

    KnownIds(Start start, int capacity) {
        this.capacity = capacity;
        this.floor = start.fromMicros();
        start.seen().forEach((id, number) -> ids.put(id, new Last(number, start.seenMicros(), false)));
    }

    @Nullable
    Last of(String persistenceId) {
        return ids.get(persistenceId);
    }

    /** Writes of unknown ids at this time or later have not been delivered. */
    long floor() {
        return floor;
    }

    void delivered(SliceRow row) {
        Last before = ids.remove(row.persistenceId());
        // The clock of a new writer may be behind that of the one before.
        long latest = before == null ? row.timestampMicros() : Math.max(before.micros(), row.timestampMicros());
        ids.put(row.persistenceId(), new Last(row.endSeqNr(), latest, true));
    }

    /** As if it had never been seen. */
    void forget(String persistenceId) {
        ids.remove(persistenceId);
    }

    /** @param settledMicros nothing of this time or earlier will be seen again */
    void forgetOld(long settledMicros) {
        Iterator<Last> oldest = ids.values().iterator();
        while (ids.size() > capacity && oldest.hasNext()) {
            Last last = oldest.next();
            if (last.micros() > settledMicros) {
                return;
            }
            oldest.remove();
            floor = Math.max(floor, last.micros() + 1);
        }
    }

    int size() {
        return ids.size();
    }
}
