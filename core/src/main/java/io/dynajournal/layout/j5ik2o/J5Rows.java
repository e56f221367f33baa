package io.dynajournal.layout.j5ik2o;

import io.dynajournal.dynamo.Item;
import io.dynajournal.store.Pages;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** The rows of an id under the keys that our resolvers make, read consistently and in order of their numbers. */
interface J5Rows {

    /**
     * Where a walk over the rows goes on.
     *
     * @param from the next number to look for
     * @param window how many numbers to look for at once, where rows are read one by one
     * @param key where a Query goes on, or null
     */
    record Position(long from, int window, @Nullable Map<String, AttributeValue> key) {

        /** Small, because the first look only finds out how large rows are. */
        static final int FIRST_WINDOW = 10;

        static Position at(long from) {
            return new Position(from, FIRST_WINDOW, null);
        }
    }

    /**
     * Rows, and how to go on.
     *
     * @param next null at the end; a page may be empty although there is a next one
     */
    record Page(List<Item> rows, @Nullable Position next) {}

    /**
     * What a recovery begins with.
     *
     * @param page the first rows from a number on; empty only if there are none
     * @param last the row with the highest number of all
     */
    record Opening(Page page, Optional<Item> last) {}

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

    CompletionStage<Page> page(String persistenceId, long to, Position position);

    /** The row with the highest number. */
    CompletionStage<Optional<Item>> last(String persistenceId);
}
