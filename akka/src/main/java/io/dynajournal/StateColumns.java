package io.dynajournal;

import java.util.Map;

/**
 * Derives columns of your own from a durable state: attributes beside it in its item, which DynamoDB can index and query. They
 * are written with every state and deleted with it.
 *
 * <p>The settings name a class for each entity type, as in {@code dynajournal.state.columns.Order =
 * "com.example.OrderColumns"}; the type {@code "*"} stands for all others. The class has a public constructor without
 * arguments. It is called by several threads at the same time.
 *
 * @param <S> the states of the entity type
 */
@FunctionalInterface
public interface StateColumns<S> {

    /**
     * The columns of a state: strings, numbers, booleans, bytes, and sets of strings. A name that the table uses itself is
     * rejected; {@code docs/durable-state.md} lists them. If this throws, the state is not stored.
     */
    Map<String, Object> columns(String persistenceId, S state);
}
