package io.dynajournal.layout.j5ik2o;

import io.dynajournal.dynamo.Item;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
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
        private static final int FIRST_WINDOW = 10;

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

    CompletionStage<Page> page(String persistenceId, long to, Position position);

    /** The row with the highest number. */
    CompletionStage<Optional<Item>> last(String persistenceId);
}
