package io.dynajournal.j5ik2o;

/**
 * Computes the partition key or the sort key of a row in a table of j5ik2o's plugin. Name your class in {@code
 * partition-key-resolver-class-name} or {@code sort-key-resolver-class-name}; it needs a public constructor without
 * arguments, or one that takes the plugin's {@code com.typesafe.config.Config}. It must be thread-safe.
 *
 * <p>The same persistence id and sequence number must always give the same key, and no two events may share both keys: a
 * write whose row exists under another persistence id is rejected. A partition key has at most 2,048 bytes in UTF-8, a sort
 * key 1,024.
 */
@FunctionalInterface
public interface KeyResolver {

    /**
     * The key of an event, snapshot or state.
     *
     * @param seqNr the sequence number of the event or snapshot; 0 for a durable state
     */
    String key(String persistenceId, long seqNr);
}
