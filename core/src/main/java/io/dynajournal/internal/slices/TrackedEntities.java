package io.dynajournal.internal.slices;

import io.dynajournal.internal.store.SliceRow;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The last sequence number delivered of each entity, for a limited number of entities. Entities are forgotten in the order
 * of their last commit's time, once nothing of that time can be seen again; then {@link #floorMicros} rises.
 */
final class TrackedEntities {

    /**
     * @param seqNr the last sequence number that was delivered
     * @param micros the latest time of a commit that was delivered
     * @param commitEnd whether {@code seqNr} ends a commit; a consumer may have stopped inside one
     */
    record Last(String persistenceId, long seqNr, long micros, boolean commitEnd) {}

    private static final Comparator<Last> BY_TIME =
            Comparator.comparingLong(Last::micros).thenComparing(Last::persistenceId);

    private final int capacity;
    private final Map<String, Last> byId = new HashMap<>();
    private final TreeSet<Last> byTime = new TreeSet<>(BY_TIME);
    private long floorMicros;

    TrackedEntities(ResumePoint start, int capacity) {
        this.capacity = capacity;
        this.floorMicros = start.fromMicros();
        start.seen().forEach((id, seqNr) -> put(new Last(id, seqNr, start.seenMicros(), false)));
    }

    private void put(Last last) {
        forget(last.persistenceId());
        byId.put(last.persistenceId(), last);
        byTime.add(last);
    }

    @Nullable
    Last last(String persistenceId) {
        return byId.get(persistenceId);
    }

    /** Commits at this time or later of entities that are not tracked have not been delivered. */
    long floorMicros() {
        return floorMicros;
    }

    void delivered(SliceRow row) {
        Last before = byId.get(row.persistenceId());
        // The clock of a new writer may be behind that of its predecessor.
        long latest = before == null ? row.timestampMicros() : Math.max(before.micros(), row.timestampMicros());
        put(new Last(row.persistenceId(), row.endSeqNr(), latest, true));
    }

    /** As if the entity had never been seen. */
    void forget(String persistenceId) {
        Last last = byId.remove(persistenceId);
        if (last != null) {
            byTime.remove(last);
        }
    }

    boolean isFull() {
        return byId.size() >= capacity;
    }

    /**
     * Whether a row's entity can be tracked. A row that is not later than every tracked entity is always accepted: nothing
     * could be forgotten while it waits. So the capacity is exceeded by entities of the same microsecond only.
     *
     * @param settledMicros nothing of this time or earlier can be seen again
     */
    boolean hasRoomFor(SliceRow row, long settledMicros) {
        while (isFull() && !byTime.isEmpty() && byTime.first().micros() <= settledMicros) {
            Last oldest = byTime.first();
            forget(oldest.persistenceId());
            floorMicros = Math.max(floorMicros, oldest.micros() + 1);
        }
        return !isFull() || row.timestampMicros() <= byTime.first().micros();
    }

    int size() {
        return byId.size();
    }
}
