package io.dynajournal.layout.j5ik2o;

import io.dynajournal.dynamo.ItemSize;
import io.dynajournal.layout.LayoutSettings;
import io.dynajournal.layout.j5ik2o.J5Resolvers.PersistenceIdBased;
import io.dynajournal.layout.j5ik2o.J5Resolvers.PersistenceIdWithSeqNr;
import io.dynajournal.layout.j5ik2o.J5Resolvers.SequenceNumberBased;
import io.dynajournal.store.StoreException;

/** The two resolvers of a table: what its rows are found by. */
public record J5Keys(KeyResolver partition, KeyResolver sort) {

    private static final int PARTITION_KEY_BYTES = 2048;
    private static final int SORT_KEY_BYTES = 1024;

    /** What resolvers get in the place of a number for a state, which has none. */
    static final long OF_STATE = 0;

    /**
     * Reads {@code shard-count}, {@code persistence-id-separator}, {@code partition-key-resolver-class-name} and {@code
     * sort-key-resolver-class-name}; with none set, the defaults of 1.12 and later hold.
     */
    public static J5Keys of(LayoutSettings settings) {
        int shards = settings.count("shard-count", 64, 2);
        String separator = settings.text("persistence-id-separator", "-");
        return new J5Keys(J5Resolvers.partition(settings, shards, separator), J5Resolvers.sort(settings, separator));
    }

    /** The same for states; by default their sort key is the id itself. */
    static J5Keys ofStates(LayoutSettings settings) {
        int shards = settings.count("shard-count", 64, 1);
        String separator = settings.text("persistence-id-separator", "-");
        return new J5Keys(J5Resolvers.statePartition(settings, shards, separator), J5Resolvers.stateSort(settings));
    }

    String partitionKey(String persistenceId, long seqNr) {
        return checked("partition", partition.key(persistenceId, seqNr), PARTITION_KEY_BYTES, persistenceId, seqNr);
    }

    String sortKey(String persistenceId, long seqNr) {
        return checked("sort", sort.key(persistenceId, seqNr), SORT_KEY_BYTES, persistenceId, seqNr);
    }

    /** Whether all rows of an id are in one partition. */
    boolean isOnePartition() {
        return partition instanceof PersistenceIdBased;
    }

    /** Whether rows of an id in one partition sort by number. */
    boolean sortsByNumber() {
        return sort instanceof PersistenceIdWithSeqNr;
    }

    /** How many partitions hold the rows of an id and no others; 0 if that is not known. */
    int ownPartitions() {
        return partition instanceof SequenceNumberBased based ? based.shards() : 0;
    }

    String ownPartition(String persistenceId, int shard) {
        return ((SequenceNumberBased) partition).shard(persistenceId, shard);
    }

    private static String checked(String which, String key, int limit, String persistenceId, long seqNr) {
        if (key.isEmpty() || ItemSize.utf8(key) > limit) {
            throw new StoreException.Refused(
                    "The " + which + " key of number " + seqNr + " of " + persistenceId + " has " + ItemSize.utf8(key)
                            + " bytes; DynamoDB takes 1 to " + limit,
                    null);
        }
        return key;
    }

    /** What made the keys of a row that these resolvers have not made, as far as that shows. */
    static String origin(String partitionKey, String sortKey, String persistenceId, long seqNr) {
        return partitionOrigin(partitionKey, persistenceId) + " and " + sortOrigin(sortKey, seqNr);
    }

    private static String partitionOrigin(String key, String persistenceId) {
        int tail = key.length() - 1;
        while (tail >= 0 && Character.isDigit(key.charAt(tail))) {
            tail--;
        }
        String digits = key.substring(tail + 1);
        if (key.startsWith(persistenceId + "-") && persistenceId.length() == tail) {
            return "PartitionKeyResolver$" + J5Resolvers.SEQUENCE_NUMBER_BASED + " (shard-count above " + digits + ")";
        }
        return digits.length() == 40
                ? "PartitionKeyResolver$" + J5Resolvers.PERSISTENCE_ID_BASED + locale(digits)
                        + " with another shard-count or persistence-id-separator"
                : "a partition key resolver that is none of j5ik2o's";
    }

    private static String sortOrigin(String key, long seqNr) {
        if (key.equals(Long.toString(seqNr))) {
            return "SortKeyResolver$" + J5Resolvers.SEQ_NR;
        }
        int digits = key.length() - 19;
        return digits >= 0 && key.chars().skip(digits).allMatch(Character::isDigit)
                ? "SortKeyResolver$" + J5Resolvers.PERSISTENCE_ID_WITH_SEQ_NR + locale(key.substring(digits))
                : "a sort key resolver that is none of j5ik2o's";
    }

    private static String locale(String digits) {
        return digits.chars().allMatch(c -> c < 0x80) ? "" : " (under a locale with other digits than 0 to 9)";
    }
}
