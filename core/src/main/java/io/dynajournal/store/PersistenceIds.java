package io.dynajournal.store;

import java.util.List;
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
}
