package io.dynajournal.layout.j5ik2o;

import io.dynajournal.store.StoreException;

/** Two ids for which the resolvers make the same key: the predecessor let the second overwrite the first. */
final class J5Collision {

    private J5Collision() {}

    static StoreException.Refused ofStates(String table, String persistenceId, String other) {
        return new StoreException.Refused(
                "The state of " + persistenceId + " has the same key in table " + table + " as that of " + other
                        + ", which stays as it is. In a table without sort key all ids of one shard meet, and with a"
                        + " resolver of your own those that it tells not apart. Use a table with a sort key, as j5ik2o's"
                        + " plugin has it since 1.14, or the layout commits.",
                null);
    }

    static StoreException.Refused of(String table, String persistenceId, long seqNr, String other) {
        return new StoreException.Refused(
                "Number " + seqNr + " of " + persistenceId + " has the same key in table " + table + " as that of "
                        + other + ", which stays as it is: the resolvers set here tell these two ids not apart. Ids"
                        + " without the separator (\"-\" unless set), or with several, meet under the default resolvers."
                        + " Use ids of the form type-name with one separator; or a new table with"
                        + " PartitionKeyResolver$SequenceNumberBased or a larger shard-count; or move to the layout"
                        + " commits.",
                null);
    }
}
