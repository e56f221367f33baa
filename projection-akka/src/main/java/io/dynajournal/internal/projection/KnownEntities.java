package io.dynajournal.internal.projection;

import io.dynajournal.internal.projections.Position;
import io.dynajournal.internal.projections.SeqNrRow;
import io.dynajournal.internal.projections.SequenceReset;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The entities that a run of a projection has in memory: the row that is stored of each, and what was handed on since. Those
 * that were not used for the longest time are evicted first. Not thread-safe.
 */
final class KnownEntities {

    private static final class Entity {
        private @Nullable SeqNrRow row;
        private long handedOn;
        private long handedOnMicros;
        private boolean isSaved = true;

        /** Snapshots that were handed on and are not stored yet, by sequence number. */
        private final Map<Long, Position> snapshots = new HashMap<>(0);

        private Entity(@Nullable SeqNrRow row, long handedOn, long handedOnMicros) {
            this.row = row;
            this.handedOn = handedOn;
            this.handedOnMicros = handedOnMicros;
        }
    }

    private final SequenceReset reset;
    private final LinkedHashMap<String, Entity> entities = new LinkedHashMap<>(16, 0.75f, true);

    KnownEntities(SequenceReset reset) {
        this.reset = reset;
    }

    /** Whether it is known; then it is not evicted before its turn. */
    boolean use(String persistenceId) {
        return entities.get(persistenceId) != null;
    }

    /**
     * Remembers what is stored of an entity.
     *
     * @param row null if nothing is
     * @param generation rows of an earlier one do not count
     */
    void add(String persistenceId, @Nullable SeqNrRow row, long generation) {
        boolean counts = row != null && row.generation() >= generation;
        entities.putIfAbsent(
                persistenceId,
                row != null && counts ? new Entity(row, row.seqNr(), row.micros()) : new Entity(row, 0, 0));
    }

    private Entity entity(String persistenceId) {
        Entity entity = entities.get(persistenceId);
        if (entity == null) {
            throw new IllegalStateException("Persistence id " + persistenceId + " is not loaded");
        }
        return entity;
    }

    /** The last sequence number that was handed on or stored before an event; 0 if there is none, or after a reset. */
    long lastSeqNr(Position next) {
        Entity entity = entity(next.persistenceId());
        return reset.isBetween(entity.handedOn, entity.handedOnMicros, next.seqNr(), next.micros())
                ? 0
                : entity.handedOn;
    }

    /** Whether sequence numbers have started again since an event was written. */
    boolean isBeforeReset(Position position) {
        Entity entity = entity(position.persistenceId());
        return reset.isBetween(position.seqNr(), position.micros(), entity.handedOn, entity.handedOnMicros);
    }

    /** The row that is stored; null if there is none. */
    @Nullable
    SeqNrRow row(String persistenceId) {
        return entity(persistenceId).row;
    }

    void handedOn(Position position) {
        Entity entity = entity(position.persistenceId());
        entity.handedOn = position.seqNr();
        entity.handedOnMicros = position.micros();
        entity.isSaved = false;
    }

    /** What is handed on with this sequence number is a snapshot. */
    void isSnapshot(Position position) {
        entity(position.persistenceId()).snapshots.put(position.seqNr(), position);
    }

    /** The offset of a snapshot's envelope is not its time. */
    Position known(Position position) {
        Entity entity = entities.get(position.persistenceId());
        return entity == null ? position : entity.snapshots.getOrDefault(position.seqNr(), position);
    }

    /** Whether this run knows that it is stored in the generation or a later one. */
    boolean isStored(Position position, long generation) {
        Entity entity = entities.get(position.persistenceId());
        if (entity == null) {
            return true; // only what was stored is evicted
        }
        SeqNrRow row = entity.row;
        return row != null
                && row.generation() >= generation
                && row.seqNr() >= position.seqNr()
                && !reset.isBetween(row.seqNr(), row.micros(), position.seqNr(), position.micros());
    }

    /** The rows are stored. */
    void saved(Map<String, SeqNrRow> rows) {
        rows.forEach((id, row) -> {
            Entity entity = entities.get(id);
            if (entity != null) {
                entity.row = row;
                entity.isSaved = entity.handedOn == row.seqNr();
                entity.snapshots.keySet().removeIf(seqNr -> seqNr <= row.seqNr());
            }
        });
    }

    /** An entity whose events are not stored yet must stay: its row would show an earlier sequence number. */
    void evict(int maxEntities) {
        Iterator<Entity> eldest = entities.values().iterator();
        for (int more = entities.size() - maxEntities; more > 0 && eldest.hasNext(); more--) {
            if (eldest.next().isSaved) {
                eldest.remove();
            }
        }
    }
}
