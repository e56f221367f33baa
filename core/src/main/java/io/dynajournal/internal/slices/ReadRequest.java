package io.dynajournal.internal.slices;

import io.dynajournal.internal.store.PageToken;
import io.dynajournal.internal.store.SlicePartition;
import org.jspecify.annotations.Nullable;

/** A read that a {@link SliceReader} needs; its driver sends it and hands the result back. */
public sealed interface ReadRequest {

    /**
     * One page of an index partition; see {@link io.dynajournal.internal.store.SliceRows#read}.
     *
     * @param backtracking whether the range was read before, and is read again for rows that the index showed late
     * @param sentMicros when the reader asked for it
     * @param maxAgeMicros a page that another query read at most this long before {@code sentMicros} is fresh enough
     */
    record IndexRead(
            SlicePartition partition,
            long fromMicros,
            long toMicros,
            @Nullable PageToken start,
            int pageSize,
            boolean backtracking,
            long sentMicros,
            long maxAgeMicros)
            implements ReadRequest {

        /** This read as another query sent it a little earlier; its range may end earlier too. */
        public IndexRead sentEarlier(long earlierToMicros, long earlierSentMicros) {
            return new IndexRead(
                    partition,
                    fromMicros,
                    earlierToMicros,
                    start,
                    pageSize,
                    backtracking,
                    earlierSentMicros,
                    maxAgeMicros);
        }
    }

    /** Commits that the index has not shown; see {@link io.dynajournal.internal.store.SliceRows#between}. */
    record MissedCommitsRead(String persistenceId, long afterSeqNr, long beforeSeqNr, long fromMicros, int limit)
            implements ReadRequest {}
}
