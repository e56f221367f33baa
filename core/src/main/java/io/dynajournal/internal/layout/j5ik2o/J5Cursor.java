package io.dynajournal.internal.layout.j5ik2o;

import io.dynajournal.internal.dynamo.Item;
import io.dynajournal.internal.store.PageToken;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The position of a replay.
 *
 * @param rows rows that were read and not processed yet
 * @param next the position of the next rows; null at the end
 * @param mixed whether some of the next rows are under keys of other resolvers
 * @param state what is known from the rows so far
 */
record J5Cursor(List<Item> rows, J5Rows.@Nullable Position next, boolean mixed, J5Walk.State state)
        implements PageToken {

    /** The same position, after these rows were processed. */
    J5Cursor after(J5Walk.State newState) {
        return new J5Cursor(List.of(), next, mixed, newState);
    }

    boolean isAtEnd() {
        return rows.isEmpty() && next == null;
    }

    @Override
    public long heldBytes() {
        return rows.stream().mapToLong(Item::size).sum();
    }
}
