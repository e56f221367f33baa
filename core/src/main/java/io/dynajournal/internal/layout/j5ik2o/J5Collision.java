package io.dynajournal.internal.layout.j5ik2o;

import io.dynajournal.exception.StoreException;

/** The error for two persistence ids that get the same key from the resolvers. The predecessor overwrites the first row. */
final class J5Collision {

    private J5Collision() {}

    static StoreException.Refused ofStates(String table, String persistenceId, String other) {
        return new StoreException.Refused(
                "The state of " + persistenceId + " has the same key in table " + table + " as the state of " + other
                        + ", which was not changed. In a table without a sort key all persistence ids of a shard share one"
                        + " key; with your own resolver, those for which it returns the same key. Use a table with a sort"
                        + " key, as j5ik2o's plugin has since 1.14, or the layout commits. Nothing was stored.",
                null);
    }

    static StoreException.Refused of(String table, String persistenceId, long seqNr, String other) {
        return new StoreException.Refused(
                "Sequence number " + seqNr + " of " + persistenceId + " has the same key in table " + table
                        + " as that of " + other
                        + ", which was not changed: the configured resolvers return the same key"
                        + " for both. With the default resolvers this happens to persistence ids without the separator"
                        + " (\"-\" unless set) or with several. Use persistence ids of the form type-name with one"
                        + " separator; or a new table with PartitionKeyResolver$SequenceNumberBased or a larger"
                        + " shard-count; or move to the layout commits. Nothing of this row was stored.",
                null);
    }
}
