package io.dynajournal.internal.projections;

import io.dynajournal.internal.model.SeqRange;
import io.dynajournal.internal.model.SliceRange;
import io.dynajournal.internal.model.Slices;
import io.dynajournal.internal.model.StoredEvent;
import io.dynajournal.internal.store.EventLog;
import io.dynajournal.internal.store.Stages;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Compares what a projection has stored with the journal's own events, entity by entity. An event is missed if the projection
 * is past its time and has not projected it; later events are only waiting. Thread-safe.
 */
public final class ProjectionAudit {

    private final OffsetTable offsets;
    private final EventLog log;
    private final long windowMicros;

    /**
     * An audit of one projection.
     *
     * @param window how far the query goes back: an event that is less than this older than the projection's progress may
     *     still come
     */
    public ProjectionAudit(OffsetTable offsets, EventLog log, Duration window) {
        this.offsets = offsets;
        this.log = log;
        this.windowMicros = window.toNanos() / 1000;
    }

    /** What became of an entity's last events. */
    public enum State {
        /** All were projected. */
        PROJECTED,

        /** The projection has not come to the next one yet. */
        WAITING,

        /** The projection is past the time of the next one, and has not projected it. */
        MISSED,

        /** Nothing is stored of the entity, and its event is older than what the layout packed remembers. */
        FORGOTTEN
    }

    /**
     * An entity.
     *
     * @param projected the last sequence number that was projected; 0 if none is known
     * @param next the first sequence number that exists and was not projected; 0 if there is none
     */
    public record Entity(String persistenceId, State state, long projected, long next) {}

    /**
     * Compares some entities. 11 requests, 22 with the layout packed, one per 100 entities, and one or two reads of the journal
     * for each.
     */
    public CompletionStage<List<Entity>> of(List<String> persistenceIds) {
        return of(SliceRange.ALL, persistenceIds);
    }

    /**
     * Compares some entities of the slices of an instance. A request per 100 slices, two with the layout packed, one per 100
     * entities, and as above.
     */
    public CompletionStage<List<Entity>> of(SliceRange range, List<String> persistenceIds) {
        // What was projected is read last: an event that is projected meanwhile must not look missed.
        return offsets.read(range)
                .thenCompose(progress -> lastEvents(persistenceIds)
                        .thenCompose(last -> rows(progress, persistenceIds)
                                .thenCompose(rows -> remembered(progress)
                                        .thenCompose(after -> Stages.inOrder(
                                                persistenceIds,
                                                id -> entity(
                                                        progress,
                                                        after,
                                                        id,
                                                        last.getOrDefault(id, 0L),
                                                        rows.get(id)))))));
    }

    /** What the layout packed has forgotten by now: batches may be deleted while an audit reads them. */
    private CompletionStage<StoredOffsets> remembered(StoredOffsets progress) {
        return ProjectionOffsets.isPacked(progress)
                ? offsets.read(progress.range())
                : CompletableFuture.completedFuture(progress);
    }

    private CompletionStage<Map<String, Long>> lastEvents(List<String> persistenceIds) {
        Map<String, Long> last = new HashMap<>();
        return Stages.inOrder(persistenceIds, id -> log.end(id).thenApply(end -> last.put(id, end.seqNr())))
                .thenApply(read -> last);
    }

    private CompletionStage<Map<String, SeqNrRow>> rows(StoredOffsets progress, List<String> persistenceIds) {
        return ProjectionOffsets.isPacked(progress)
                ? BatchLog.read(offsets, progress, UUID.randomUUID().toString(), SequenceReset.NEVER)
                        .thenApply(batches -> batches.find(persistenceIds))
                : offsets.seqNrs(persistenceIds);
    }

    private CompletionStage<Entity> entity(
            StoredOffsets progress, StoredOffsets after, String persistenceId, long last, @Nullable SeqNrRow row) {
        boolean counts = row != null
                && row.generation() >= progress.row(Slices.of(persistenceId)).generation();
        long projected = row != null && counts ? row.seqNr() : 0;
        return projected >= last
                ? CompletableFuture.completedFuture(new Entity(persistenceId, State.PROJECTED, projected, 0))
                : next(persistenceId, projected, last)
                        .thenApply(event -> event.map(found -> compared(progress, after, projected, found))
                                .orElseGet(() -> new Entity(persistenceId, State.PROJECTED, projected, 0)));
    }

    /** The first event after those that were projected; empty if the rest was deleted. */
    private CompletionStage<Optional<StoredEvent>> next(String persistenceId, long projected, long last) {
        return log.read(persistenceId, SeqRange.singleEvents(projected + 1, last, 1), null)
                .thenApply(page -> page.events().stream().findFirst());
    }

    private Entity compared(StoredOffsets progress, StoredOffsets after, long projected, StoredEvent event) {
        int slice = Slices.of(event.persistenceId());
        long micros = event.timestampMicros();
        State state = state(progress, after, slice, projected, micros);
        return new Entity(event.persistenceId(), state, projected, event.seqNr());
    }

    private State state(StoredOffsets progress, StoredOffsets after, int slice, long projected, long micros) {
        if (projected == 0 && micros < progress.row(slice).baseline()) {
            return State.PROJECTED; // lies before the time that the offset was set to
        }
        if (projected == 0 && micros < after.horizon(slice)) {
            return State.FORGOTTEN;
        }
        return micros < progress.resumeMicros(slice) - windowMicros ? State.MISSED : State.WAITING;
    }

    /** The number of entities in a state. */
    public static long count(List<Entity> entities, State state) {
        return entities.stream().filter(entity -> entity.state() == state).count();
    }
}
