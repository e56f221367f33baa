package io.dynajournal.layout.j5ik2o;

/**
 * Makes the partition key or the sort key of a row. A user's own class is named in {@code
 * partition-key-resolver-class-name} or {@code sort-key-resolver-class-name} and has a public constructor without
 * arguments, or one that takes the plugin's {@code com.typesafe.config.Config}. Thread-safe.
 *
 * <p>The answer must always be the same for the same id and number, and no two events may share both keys: rows that meet
 * are refused when they are written. A partition key has at most 2,048 bytes in UTF-8, a sort key 1,024.
 */
@FunctionalInterface
public interface KeyResolver {

    /** The key of the event or snapshot with this number; the number is 0 for a state. */
    String key(String persistenceId, long seqNr);
}
