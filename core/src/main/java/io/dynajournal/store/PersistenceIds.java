package io.dynajournal.store;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** The ids that have a log in a table. Thread-safe. */
public interface PersistenceIds {

    /**
     * Ids in no order, and how to go on.
     *
     * @param next null at the end; a page may be empty although there is a next one
     */
    record IdPage(List<String> ids, @Nullable PageToken next) {}

    /**
     * One page; each id comes once over all pages.
     *
     * @param start null for the first page, else {@link IdPage#next()} of the one before
     */
    CompletionStage<IdPage> read(@Nullable PageToken start);

    /**
     * One page of the ids whose first write was made between two times, both inclusive; like {@link #read}. Not every
     * layout can tell.
     */
    default CompletionStage<IdPage> readBetween(long fromMicros, long toMicros, @Nullable PageToken start) {
        return CompletableFuture.failedFuture(
                new UnsupportedOperationException("This layout cannot tell when an id was first written; commits can"));
    }

    /**
     * Where reading goes on behind an id; null if it is the last one. Fails for an id that is not there. Not every layout
     * can tell.
     */
    default CompletionStage<@Nullable PageToken> behind(String persistenceId) {
        return CompletableFuture.failedFuture(
                new UnsupportedOperationException("This layout cannot list ids from one on; commits can"));
    }
}
