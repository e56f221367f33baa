package io.dynajournal.dynamo;

import io.dynajournal.store.StoreException;

/**
 * Sees every request, for metrics. Called on the client's threads: an implementation must be thread-safe, quick, and must
 * not throw.
 */
public interface RequestListener {

    RequestListener NONE = new RequestListener() {};

    /** Whether to ask DynamoDB for the consumed capacity, which lengthens each answer by some 100 bytes. */
    default boolean wantsCapacity() {
        return false;
    }

    /** A request was answered, after {@code attempts} attempts. */
    default void succeeded(Operation operation, String table, int attempts, long nanos, Capacity capacity) {}

    /** A condition was not met; DynamoDB bills that like the write itself. */
    default void refused(Operation operation, String table, int attempts, long nanos) {}

    /** A request failed for good. */
    default void failed(Operation operation, String table, int attempts, long nanos, StoreException failure) {}

    /** An attempt failed and will be repeated after a wait. */
    default void retrying(Operation operation, String table, int attempt, long waitMillis, Throwable cause) {}
}
