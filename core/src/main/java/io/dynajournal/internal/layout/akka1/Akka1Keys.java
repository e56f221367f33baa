package io.dynajournal.internal.layout.akka1;

import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The hash keys of a journal table. They contain the persistence id unchanged; digits are ASCII in every locale. Journals that
 * share a table are told apart by their name, so no name may be a prefix of another journal's keys.
 *
 * @param journalName the prefix of all keys of this journal
 * @param shards the number of keys that each kind of mark of a persistence id is spread over
 */
record Akka1Keys(String journalName, int shards) {

    /** The number of sequence numbers per hash key; part of the format. */
    static final int PARTITION = 100;

    static final long LAST_PARTITION = Long.MAX_VALUE / PARTITION;

    static long partition(long seqNr) {
        return seqNr / PARTITION;
    }

    static long start(long partition) {
        return partition * PARTITION;
    }

    /** The sort key of a sequence number. */
    static long num(long seqNr) {
        return seqNr % PARTITION;
    }

    String events(String persistenceId, long partition) {
        return eventPrefix() + persistenceId + "-" + partition;
    }

    /** The key of the high mark for a sequence number. */
    String high(String persistenceId, long seqNr) {
        return highPrefix() + persistenceId + "-" + partition(seqNr) % shards;
    }

    /** The key of the low mark for a sequence number. */
    String low(String persistenceId, long seqNr) {
        return lowPrefix() + persistenceId + "-" + partition(seqNr) % shards;
    }

    boolean isHigh(String par) {
        return par.startsWith(highPrefix());
    }

    /** All keys at which marks of a persistence id can be. */
    List<String> marks(String persistenceId) {
        return Stream.concat(
                        IntStream.range(0, shards).mapToObj(shard -> highPrefix() + persistenceId + "-" + shard),
                        IntStream.range(0, shards).mapToObj(shard -> lowPrefix() + persistenceId + "-" + shard))
                .toList();
    }

    /**
     * The persistence id of a key; empty for a key of another journal.
     *
     * @param stored the persistence id that the item holds; null for marks and old events, which hold none
     */
    Optional<String> persistenceId(String par, @Nullable String stored) {
        int end = par.lastIndexOf('-');
        return Stream.of(eventPrefix(), highPrefix(), lowPrefix())
                .filter(prefix -> par.startsWith(prefix) && prefix.length() <= end)
                .map(prefix -> par.substring(prefix.length(), end))
                .filter(id -> stored == null || stored.equals(id))
                .findFirst();
    }

    /** How the keys of all events begin. */
    String eventPrefix() {
        return journalName + "-P-";
    }

    private String highPrefix() {
        return journalName + "-SH-";
    }

    private String lowPrefix() {
        return journalName + "-SL-";
    }
}
