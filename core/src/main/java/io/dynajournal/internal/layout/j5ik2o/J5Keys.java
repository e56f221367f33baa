package io.dynajournal.internal.layout.j5ik2o;

import io.dynajournal.exception.StoreException;
import io.dynajournal.internal.dynamo.ItemSize;
import io.dynajournal.internal.layout.LayoutSettings;
import io.dynajournal.internal.layout.j5ik2o.J5Resolvers.PersistenceIdBased;
import io.dynajournal.internal.layout.j5ik2o.J5Resolvers.PersistenceIdWithSeqNr;
import io.dynajournal.internal.layout.j5ik2o.J5Resolvers.SeqNr;
import io.dynajournal.internal.layout.j5ik2o.J5Resolvers.SequenceNumberBased;
import io.dynajournal.j5ik2o.KeyResolver;
import java.util.ArrayList;
import java.util.List;

/**
 * The two key resolvers of a table.
 *
 * @param shards {@code shard-count}
 * @param separator {@code persistence-id-separator}
 */
record J5Keys(KeyResolver partition, KeyResolver sort, int shards, String separator) {

    private static final int PARTITION_KEY_BYTES = 2048;
    private static final int SORT_KEY_BYTES = 1024;

    /** The sequence number that resolvers get for a durable state, which has none. */
    static final long OF_STATE = 0;

    /**
     * Reads {@code shard-count}, {@code persistence-id-separator}, {@code partition-key-resolver-class-name} and {@code
     * sort-key-resolver-class-name}. The defaults are those of 1.12 and later.
     */
    static J5Keys of(LayoutSettings settings) {
        int shards = settings.count("shard-count", 64, 2);
        String separator = settings.text("persistence-id-separator", "-");
        return new J5Keys(
                J5Resolvers.partition(settings, shards, separator),
                J5Resolvers.sort(settings, separator),
                shards,
                separator);
    }

    /** The same for durable states, whose default sort key is the persistence id. */
    static J5Keys ofStates(LayoutSettings settings) {
        int shards = settings.count("shard-count", 64, 1);
        String separator = settings.text("persistence-id-separator", "-");
        return new J5Keys(
                J5Resolvers.statePartition(settings, shards, separator),
                J5Resolvers.stateSort(settings),
                shards,
                separator);
    }

    /**
     * These resolvers and the predecessor's four pairs: it may have stored rows of one persistence id under the keys of each,
     * because its defaults changed in 1.12 and it reads rows through its index.
     */
    List<J5Keys> withAllOfThePredecessor() {
        List<J5Keys> all = new ArrayList<>(List.of(this));
        for (KeyResolver other : List.of(new PersistenceIdBased(shards, separator), new SequenceNumberBased(shards))) {
            all.add(new J5Keys(other, new PersistenceIdWithSeqNr(separator), shards, separator));
            all.add(new J5Keys(other, new SeqNr(), shards, separator));
        }
        return all;
    }

    /** Whether DynamoDB can store a row under the keys of this sequence number. */
    boolean canStore(String persistenceId, long seqNr) {
        return hasLength(partition.key(persistenceId, seqNr), PARTITION_KEY_BYTES)
                && hasLength(sort.key(persistenceId, seqNr), SORT_KEY_BYTES);
    }

    private static boolean hasLength(String key, int limit) {
        return !key.isEmpty() && ItemSize.utf8(key) <= limit;
    }

    String partitionKey(String persistenceId, long seqNr) {
        return checked("partition", partition.key(persistenceId, seqNr), PARTITION_KEY_BYTES, persistenceId, seqNr);
    }

    String sortKey(String persistenceId, long seqNr) {
        return checked("sort", sort.key(persistenceId, seqNr), SORT_KEY_BYTES, persistenceId, seqNr);
    }

    /** Whether all rows of a persistence id are in one partition. */
    boolean isOnePartition() {
        return partition instanceof PersistenceIdBased;
    }

    /** Whether the rows of a persistence id in one partition are sorted by sequence number. */
    boolean sortsBySeqNr() {
        return sort instanceof PersistenceIdWithSeqNr;
    }

    /** The number of partitions that hold the rows of one persistence id and no others; 0 if unknown. */
    int ownPartitions() {
        return partition instanceof SequenceNumberBased based ? based.shards() : 0;
    }

    String ownPartition(String persistenceId, int shard) {
        return ((SequenceNumberBased) partition).shard(persistenceId, shard);
    }

    private static String checked(String which, String key, int limit, String persistenceId, long seqNr) {
        if (!hasLength(key, limit)) {
            throw new StoreException.Refused(
                    "The " + which + " key of sequence number " + seqNr + " of " + persistenceId + " has "
                            + ItemSize.utf8(key) + " bytes; DynamoDB stores 1 to " + limit
                            + ". Use a shorter persistence id, or another key resolver. Nothing was stored.",
                    null);
        }
        return key;
    }
}
