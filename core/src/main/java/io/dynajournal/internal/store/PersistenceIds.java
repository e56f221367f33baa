package io.dynajournal.internal.store;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** The persistence ids that have a log in a table. Thread-safe. */
public interface PersistenceIds {

    /**
     * Persistence ids in no particular order, and where the next page starts.
     *
     * @param next null at the end; a page may be empty although there is a next one
     */
    record IdPage(List<String> ids, @Nullable PageToken next) {}

    /**
     * One page. Each persistence id occurs once over all pages.
     *
     * @param start null for the first page, else {@link IdPage#next()} of the previous one
     */
    CompletionStage<IdPage> read(@Nullable PageToken start);

    /** The same persistence ids in the order of their first writes; empty if the layout does not keep that time. */
    default Optional<ByTime> byTime() {
        return Optional.empty();
    }

    /** The persistence ids of a table in the order of their first writes. Thread-safe. */
    interface ByTime {

        /** One page of those whose first write was made between two times, both inclusive; see {@link #read}. */
        CompletionStage<IdPage> readBetween(long fromMicros, long toMicros, @Nullable PageToken start);

        /**
         * Where {@link #read} continues after a persistence id; null if it is the last one. Fails for an unknown persistence
         * id.
         */
        CompletionStage<@Nullable PageToken> after(String persistenceId);
    }
}
