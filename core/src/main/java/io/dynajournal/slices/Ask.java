package io.dynajournal.slices;

import io.dynajournal.store.PageToken;
import io.dynajournal.store.SlicePartition;
import org.jspecify.annotations.Nullable;

/** What a reader wants to be read for it. */
public sealed interface Ask {

    /**
     * A page of a partition; see {@link io.dynajournal.store.SliceRows#read}.
     *
     * @param again whether it is the second look at this time, for rows that the index showed late
     * @param askedMicros when
     * @param freshMicros how old an answer to the same question may be; others may have asked it
     */
    record OfIndex(
            SlicePartition partition,
            long fromMicros,
            long toMicros,
            @Nullable PageToken start,
            int limit,
            boolean again,
            long askedMicros,
            long freshMicros)
            implements Ask {

        /** The same question as somebody else has asked it, a little earlier. */
        public OfIndex asked(long earlierToMicros, long earlierMicros) {
            return new OfIndex(partition, fromMicros, earlierToMicros, start, limit, again, earlierMicros, freshMicros);
        }
    }

    /** Writes that were missed; see {@link io.dynajournal.store.SliceRows#between}. */
    record OfTable(String persistenceId, long afterSeqNr, long beforeSeqNr, long fromMicros, int limit)
            implements Ask {}
}
