package io.dynajournal.internal.plugin;

import io.dynajournal.internal.store.LruMap;

/**
 * The sequence numbers that entities have used up for rejected events since their last stored one. Nothing is stored there, so
 * another writer can still use them: a snapshot with such a sequence number would hide the other writer's event from every
 * later recovery. The journals note them, the snapshot stores ask. Bounded; thread-safe.
 */
public final class RejectedWrites {

    private static final int MAX_ENTITIES = 100_000;

    private record Entity(String persistenceId, Object entity) {}

    private record Range(long from, long to) {}

    private final LruMap<Entity, Range> rejected = new LruMap<>(MAX_ENTITIES);

    /**
     * Notes that sequence numbers were used up for rejected events.
     *
     * @param entity who wrote, as in {@link #covers}
     */
    public void rejected(String persistenceId, Object entity, long from, long to) {
        Entity key = new Entity(persistenceId, entity);
        Range before = rejected.get(key);
        rejected.put(key, new Range(before == null ? from : before.from(), to));
    }

    /** The event after the rejected ones is stored, and no other writer can use their sequence numbers any more. */
    public void stored(String persistenceId, Object entity, long seqNr) {
        Entity key = new Entity(persistenceId, entity);
        Range range = rejected.get(key);
        // An earlier event may still be in flight when a later one is rejected.
        if (range != null && seqNr > range.to()) {
            rejected.remove(key);
        }
    }

    /** Whether an entity has used up this sequence number for a rejected event, and stored none after it. */
    public boolean covers(String persistenceId, Object entity, long seqNr) {
        Range range = rejected.get(new Entity(persistenceId, entity));
        return range != null && seqNr >= range.from() && seqNr <= range.to();
    }
}
