package io.dynajournal.listener;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Receives the status of the projections that run in this actor system, for metrics and alarms; pass one to {@code
 * DynajournalSetup.withProjectionListener}. It is called on the threads of the streams and of the scheduler, for one
 * projection and range of slices never concurrently, so it must be fast. If it throws, the projection continues and the first
 * failure is logged.
 */
public interface ProjectionListener {

    /** Does nothing. */
    ProjectionListener NONE = new ProjectionListener() {};

    /** What a projection does. */
    enum State {
        /** It reads its offsets. */
        STARTING,

        /** It handles events, or reads those that were written while it did not run. */
        RUNNING,

        /** All events that the query has shown are handled. */
        IDLE,

        /** It was paused, and handles nothing until it is resumed. */
        PAUSED,

        /**
         * It makes no progress: an event is not handled, or the query reads nothing, for longer than {@code stuck-after}; or the
         * query cannot read, and retries.
         */
        STUCK,

        /** The stream has failed. The toolkit starts it again after its restart back-off, unless that has ended. */
        FAILED,

        /** It was stopped, or its source has ended. */
        STOPPED
    }

    /**
     * The status of one instance of a projection.
     *
     * @param projection the projection's name
     * @param key the key of its projection id, which the toolkit's examples use for the range of slices
     * @param minSlice first slice
     * @param maxSlice last slice, inclusive
     * @param lastEvent the time of the newest event whose offset is stored; null if there is none
     * @param projectedTo all events before this time were projected, as far as the index has shown them; null if unknown
     * @param lag the time since {@code projectedTo}; null if that is unknown
     * @param waiting number of events that the query has delivered and whose offsets are not stored yet. The query reads only a
     *     few events ahead, so this is a lower bound of the lag in events
     * @param lastProgress when an event was last handled since the projection was started here; null if none was
     * @param failures how often the stream has failed since an event was last handled
     * @param cause of the last failure, until an event is handled; or why the query is stuck; otherwise null
     */
    record Status(
            String projection,
            String key,
            int minSlice,
            int maxSlice,
            State state,
            @Nullable Instant lastEvent,
            @Nullable Instant projectedTo,
            @Nullable Duration lag,
            long waiting,
            @Nullable Instant lastProgress,
            int failures,
            @Nullable Throwable cause) {}

    /**
     * What an audit has found: a sample of the entities of a projection's slices, compared with the journal.
     *
     * @param projection the projection's name
     * @param key the key of its projection id
     * @param minSlice first slice
     * @param maxSlice last slice, inclusive
     * @param sampled number of entities that were compared
     * @param projected number of those whose events were all projected
     * @param waiting number of those with an event that the projection has not come to yet
     * @param forgotten number of those of which nothing is stored, because the layout {@code packed} remembers only its window
     * @param missed persistence ids of those with an event that was not projected, although the projection is past its time
     */
    record Audit(
            String projection,
            String key,
            int minSlice,
            int maxSlice,
            long sampled,
            long projected,
            long waiting,
            long forgotten,
            List<String> missed) {
        public Audit {
            missed = List.copyOf(missed);
        }
    }

    /** Called after each audit, if {@code audit-interval} is set. */
    default void audited(Audit audit) {}

    /** Called every second, and when a projection starts, pauses, fails, stops, or cannot read its journal. */
    default void reported(Status status) {}
}
