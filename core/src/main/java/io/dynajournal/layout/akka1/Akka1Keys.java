package io.dynajournal.layout.akka1;

import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The hash keys of a journal table. The id stands in them as it is, digits are ASCII in every locale. Journals that share a
 * table differ by their name in front, which must therefore not be the beginning of another's keys.
 *
 * @param journalName what all keys of this journal begin with
 * @param shards over how many keys each kind of mark of an id is spread
 */
record Akka1Keys(String journalName, int shards) {

    /** How many numbers share a hash key; part of the format. */
    static final int PARTITION = 100;

    static final long LAST_PARTITION = Long.MAX_VALUE / PARTITION;

    static long partition(long seqNr) {
        return seqNr / PARTITION;
    }

    static long start(long partition) {
        return partition * PARTITION;
    }

    /** The sort key of a number. */
    static long num(long seqNr) {
        return seqNr % PARTITION;
    }

    String events(String persistenceId, long partition) {
        return eventPrefix() + persistenceId + "-" + partition;
    }

    /** The key of the high mark that a number belongs to. */
    String high(String persistenceId, long seqNr) {
        return highPrefix() + persistenceId + "-" + partition(seqNr) % shards;
    }

    /** The key of the low mark that a number belongs to. */
    String low(String persistenceId, long seqNr) {
        return lowPrefix() + persistenceId + "-" + partition(seqNr) % shards;
    }

    boolean isHigh(String par) {
        return par.startsWith(highPrefix());
    }

    /** Where marks of an id can be. */
    List<String> marks(String persistenceId) {
        return Stream.concat(
                        IntStream.range(0, shards).mapToObj(shard -> highPrefix() + persistenceId + "-" + shard),
                        IntStream.range(0, shards).mapToObj(shard -> lowPrefix() + persistenceId + "-" + shard))
                .toList();
    }

    /**
     * Whose key this is; empty for keys of another journal.
     *
     * @param stored the id that the item holds, null if it holds none, like marks and old events
     */
    Optional<String> persistenceId(String par, @Nullable String stored) {
        int end = par.lastIndexOf('-');
        return Stream.of(eventPrefix(), highPrefix(), lowPrefix())
                .filter(prefix -> par.startsWith(prefix) && prefix.length() <= end)
                .map(prefix -> par.substring(prefix.length(), end))
                .filter(id -> stored == null || stored.equals(id))
                .findFirst();
    }

    private String eventPrefix() {
        return journalName + "-P-";
    }

    private String highPrefix() {
        return journalName + "-SH-";
    }

    private String lowPrefix() {
        return journalName + "-SL-";
    }
}
