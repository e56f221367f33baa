package io.dynajournal;

import java.util.Map;

/**
 * Makes attributes of the user's own out of a durable state, which stand beside it in its item, so that DynamoDB itself can
 * index and query them. They are written with every state and go with it. A class is named in {@code columns-class} and has a
 * public constructor without arguments. Thread-safe.
 */
@FunctionalInterface
public interface StateColumns {

    /** No columns. */
    StateColumns NONE = (persistenceId, state) -> Map.of();

    /**
     * The columns of a state: texts, numbers, booleans, bytes, and sets of texts. None may have a name that the table uses
     * itself; {@code docs/durable-state.md} lists them.
     */
    Map<String, Object> columns(String persistenceId, Object state);
}
