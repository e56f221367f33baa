package io.dynajournal.internal.layout.j5ik2o;

import io.dynajournal.internal.dynamo.Item;
import io.dynajournal.internal.store.Pages;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Reads the rows of a persistence id under the keys of the configured resolvers, consistently and by sequence number. */
interface J5Rows {

    /**
     * A position in the rows.
     *
     * @param from the next sequence number
     * @param window how many sequence numbers to read with one request, where rows are read by key
     * @param key the start key of a Query, or null
     */
    record Position(long from, int window, @Nullable Map<String, AttributeValue> key) {

        /** Small, because the first read only shows how large the rows are. */
        static final int FIRST_WINDOW = 10;

        static Position at(long from) {
            return new Position(from, FIRST_WINDOW, null);
        }
    }

    /**
     * A page of rows.
     *
     * @param next the position of the next page; null at the end. An empty page may have a next one
     */
    record Page(List<Item> rows, @Nullable Position next) {}

    /**
     * The first read of a recovery.
     *
     * @param page the first rows from a sequence number on; empty only if there are none
     * @param last the row with the highest sequence number
     */
    record Opening(Page page, Optional<Item> last) {}

    /** The first rows and the last one. */
    CompletionStage<Opening> open(String persistenceId, long from);

    /** The first page that is not empty, or an empty one at the end. */
    default CompletionStage<Page> first(String persistenceId, long from, long to) {
        AtomicReference<Page> found = new AtomicReference<>(new Page(List.of(), null));
        return Pages.drain(
                        Position.at(from),
                        position -> page(persistenceId, to, position).thenApply(page -> {
                            found.set(page);
                            return page.rows().isEmpty() ? page.next() : null;
                        }))
                .thenApply(done -> found.get());
    }

    /** The page at a position, up to a sequence number. */
    CompletionStage<Page> page(String persistenceId, long to, Position position);

    /** The row with the highest sequence number. */
    CompletionStage<Optional<Item>> last(String persistenceId);
}
