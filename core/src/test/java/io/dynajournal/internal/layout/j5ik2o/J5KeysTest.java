package io.dynajournal.internal.layout.j5ik2o;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dynajournal.exception.StoreException;
import io.dynajournal.internal.layout.LayoutSettings;
import io.dynajournal.j5ik2o.KeyResolver;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Keys of the predecessor's resolvers, and their names as its documentation spells them. */
class J5KeysTest {

    private static final String ROOT = "com.github.j5ik2o.akka.persistence.dynamodb.";

    private static J5Keys keys(Map<String, String> settings) {
        return J5Keys.of(new LayoutSettings(settings));
    }

    private static J5Keys named(String partition, String sort) {
        return keys(Map.of("partition-key-resolver-class-name", partition, "sort-key-resolver-class-name", sort));
    }

    private static String shard(int number) {
        return "0".repeat(40 - Integer.toString(number).length()) + number;
    }

    @ParameterizedTest
    @CsvSource({
        "counter-875e6ce0425e4d2b8203f3b44b9b531a, 42, 64, counter-, 53,"
                + " 875e6ce0425e4d2b8203f3b44b9b531a-0000000000000000042",
        "counter-875e6ce0425e4d2b8203f3b44b9b531a, 1, 1024, counter-, 501,"
                + " 875e6ce0425e4d2b8203f3b44b9b531a-0000000000000000001",
        "counter-a8d46579bc2f4caf8c3b8dc2db984227, 1, 1024, counter-, 803,"
                + " a8d46579bc2f4caf8c3b8dc2db984227-0000000000000000001",
        "nohyphen, 1, 64, '', 55, 0000000000000000001",
        "nohyphen, 1, 1024, '', 439, 0000000000000000001",
        "a-b-c, 1, 64, a-, 53, b-0000000000000000001",
        "a-b-c, 1, 1024, a-, 629, b-0000000000000000001",
        "counter-875e6ce0-425e-4d2b-8203-f3b44b9b531a, 1, 64, counter-, 32, 875e6ce0-0000000000000000001",
        "counter-875e6ce0-425e-4d2b-8203-f3b44b9b531a, 1, 1024, counter-, 288, 875e6ce0-0000000000000000001",
        "-x, 1, 64, -, 11, x-0000000000000000001",
        "-x, 1, 1024, -, 523, x-0000000000000000001",
        "x-😀1, 1, 64, x-, 46, 😀1-0000000000000000001",
        "x-😀1, 1, 1024, x-, 814, 😀1-0000000000000000001",
        "日本-語, 1, 64, 日本-, 49, 語-0000000000000000001",
        "日本-語, 1, 1024, 日本-, 369, 語-0000000000000000001",
        "Counter|875e6ce0-425e-4d2b-8203-f3b44b9b531a, 1, 64, Counter|875e6ce0-, 62, 425e-0000000000000000001",
        "Counter|1, 1, 64, '', 63, 0000000000000000001",
        "counter-1, 1, 64, counter-, 52, 1-0000000000000000001"
    })
    void keysAreThePredecessors(String id, long seqNr, int shards, String prefix, int shard, String sort) {
        J5Keys keys = keys(Map.of("shard-count", Integer.toString(shards)));
        assertThat(keys.partition().key(id, seqNr)).isEqualTo(prefix + shard(shard));
        assertThat(keys.sort().key(id, seqNr)).isEqualTo(sort);
    }

    @Test
    void theSeparatorIsARegularExpression() {
        J5Keys hash = keys(Map.of("persistence-id-separator", "#"));
        assertThat(hash.partition().key("Counter#abc#d", 1)).isEqualTo("Counter-" + shard(57));
        assertThat(hash.sort().key("Counter#abc#d", 1)).isEqualTo("abc-0000000000000000001");
        J5Keys bar = keys(Map.of("persistence-id-separator", "|"));
        assertThat(bar.partition().key("Counter|abc", 1)).startsWith("C-000");
        assertThat(bar.sort().key("Counter|abc", 1)).isEqualTo("o-0000000000000000001");
        J5Keys escaped = keys(Map.of("persistence-id-separator", "\\|"));
        assertThat(escaped.sort().key("Counter|abc", 1)).isEqualTo("0000000000000000001");
    }

    @ParameterizedTest
    @CsvSource({"1, a-b-c-1", "64, a-b-c-0", "65, a-b-c-1", "100, a-b-c-36"})
    void sequenceNumbersAreSpreadOverShards(long seqNr, String partition) {
        J5Keys keys = named(
                ROOT + "journal.PartitionKeyResolver$SequenceNumberBased", ROOT + "journal.SortKeyResolver$SeqNr");
        assertThat(keys.partition().key("a-b-c", seqNr)).isEqualTo(partition);
        assertThat(keys.sort().key("a-b-c", seqNr)).isEqualTo(Long.toString(seqNr));
    }

    @ParameterizedTest
    @ValueSource(strings = {"journal.%s$", "journal.%s.", "snapshot.%s$", "snapshot.%s.", "state.%s$", "state.%s."})
    void allSpellingsOfResolverNamesAreAccepted(String form) {
        for (String root : new String[] {ROOT, ROOT.replace("akka", "pekko")}) {
            String partition = root + form.replace("%s", "PartitionKeyResolver");
            String sort = root + form.replace("%s", "SortKeyResolver");
            J5Keys spread = named(partition + "SequenceNumberBased", sort + "SeqNr");
            assertThat(spread.partition().key("a-b", 7)).isEqualTo("a-b-7");
            assertThat(spread.sort().key("a-b", 7)).isEqualTo("7");
            J5Keys together = named(partition + "PersistenceIdBased", sort + "PersistenceIdWithSeqNr");
            assertThat(together).isEqualTo(keys(Map.of()));
            J5Keys old = named(partition + "Default", sort + "Default");
            assertThat(old.sort()).isEqualTo(together.sort());
            assertThat(old.partition()).isEqualTo(form.startsWith("state") ? together.partition() : spread.partition());
        }
    }

    /** A user's own resolver. */
    public static final class Upside implements KeyResolver {
        @Override
        public String key(String persistenceId, long seqNr) {
            return seqNr + "/" + persistenceId;
        }
    }

    @Test
    void aUsersOwnResolverIsLoaded() {
        assertThat(named(Upside.class.getName(), Upside.class.getName())
                        .partition()
                        .key("a", 3))
                .isEqualTo("3/a");
    }

    /** The shapes of j5ik2o's types, whose jar is not on this class path. */
    public record PersistenceId(String asString) {}

    public record SequenceNumber(long value) {}

    public record SortKey(String asString) {}

    public interface SortKeyResolver {
        SortKey resolve(PersistenceId persistenceId, SequenceNumber sequenceNumber);
    }

    public static final class WrittenForTheirTrait implements SortKeyResolver {
        @Override
        public SortKey resolve(PersistenceId persistenceId, SequenceNumber sequenceNumber) {
            return new SortKey(persistenceId.asString().substring(1) + "@" + sequenceNumber.value());
        }
    }

    @Test
    void aResolverWrittenForTheirTraitIsUsed() {
        J5Keys keys = keys(Map.of("sort-key-resolver-class-name", WrittenForTheirTrait.class.getName()));
        assertThat(keys.sort().key("cart", 7)).isEqualTo("art@7");
        assertThatThrownBy(() -> keys.sort().key("", 7))
                .isInstanceOf(StoreException.Refused.class)
                .hasMessageContaining(WrittenForTheirTrait.class.getName())
                .hasMessageContaining("sequence number 7");
    }

    /** Their types are gone with their jar: the JVM throws an error, not an exception. */
    @Test
    void aResolverWhoseTypesAreMissingFailsWithBothWaysOut() {
        ClassLoader before = Thread.currentThread().getContextClassLoader();
        Thread.currentThread().setContextClassLoader(new ClassLoader(before) {
            @Override
            protected Class<?> loadClass(String name, boolean resolve) {
                throw new NoClassDefFoundError("com/github/j5ik2o/PartitionKeyResolver");
            }
        });
        try {
            assertThatThrownBy(() -> keys(Map.of("partition-key-resolver-class-name", "com.example.Old")))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("com/github/j5ik2o/PartitionKeyResolver")
                    .hasMessageContaining(KeyResolver.class.getName())
                    .hasMessageContaining("akka-persistence-dynamodb-journal-base");
        } finally {
            Thread.currentThread().setContextClassLoader(before);
        }
    }

    @Test
    void aClassOfAnotherTypeFailsWithTheNameOfTheInterface() {
        assertThatThrownBy(() -> keys(Map.of("partition-key-resolver-class-name", "java.lang.String")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("java.lang.String")
                .hasMessageContaining(KeyResolver.class.getName());
        assertThatThrownBy(() -> keys(Map.of("sort-key-resolver-class-name", "no.such.Class")))
                .hasMessageContaining("no.such.Class")
                .hasMessageContaining("sort-key-resolver-class-name");
        assertThatThrownBy(() -> keys(Map.of("sort-key-resolver-provider-class-name", "my.Provider")))
                .hasMessageContaining("my.Provider")
                .hasMessageContaining(KeyResolver.class.getName());
        assertThatThrownBy(() ->
                        keys(Map.of("sort-key-resolver-class-name", ROOT + "state.SortKeyResolver$PersistenceIdBased")))
                .hasMessageContaining("PersistenceIdWithSeqNr");
        assertThatThrownBy(() -> keys(Map.of("shard-count", "1"))).hasMessageContaining("shard-count");
        assertThat(keys(Map.of(
                        "partition-key-resolver-provider-class-name",
                        ROOT + "journal.PartitionKeyResolverProvider$Default")))
                .isEqualTo(keys(Map.of()));
    }

    @Test
    void aPersistenceIdWithoutABodyIsRejected() {
        J5Keys keys = keys(Map.of());
        assertThatThrownBy(() -> keys.sort().key("abc-", 1))
                .isInstanceOf(StoreException.Refused.class)
                .hasMessageContaining("abc-");
    }

    @Test
    void digitsAreAsciiInEveryLocale() {
        Locale before = Locale.getDefault();
        Locale.setDefault(Locale.forLanguageTag("ar-EG-u-nu-arab"));
        try {
            J5Keys keys = keys(Map.of());
            assertThat(keys.partition().key("counter-1", 1)).isEqualTo("counter-" + shard(52));
            assertThat(keys.sort().key("counter-1", 1)).isEqualTo("1-0000000000000000001");
        } finally {
            Locale.setDefault(before);
        }
    }

    @Test
    void thePredecessorsSettingsAreRead() {
        LayoutSettings defaults = new LayoutSettings(Map.of());
        J5Journal journal = J5Journal.of(defaults);
        assertThat(journal.tableName()).isEqualTo("Journal");
        assertThat(journal.indexName()).isEqualTo("GetJournalRowsIndex");
        assertThat(journal.softDelete()).isTrue();
        assertThat(J5Snapshots.of(new LayoutSettings(Map.of())).tableName()).isEqualTo("Snapshot");
        Map<String, String> all = new HashMap<>();
        all.put("table-name", "J");
        all.put("get-journal-rows-index-name", "I");
        all.put("tag-separator", ";");
        all.put("soft-delete", "false");
        all.put("query-batch-size", "7");
        all.put("shard-count", "1024");
        all.put("persistence-id-separator", "#");
        for (String column : new String[] {
            "partition-key", "sort-key", "persistence-id", "sequence-nr", "deleted", "message", "ordering", "tags"
        }) {
            all.put("columns-def." + column + "-column-name", "c-" + column);
        }
        LayoutSettings settings = new LayoutSettings(all);
        J5Journal custom = J5Journal.of(settings);
        assertThat(settings.unread()).isEmpty();
        assertThat(custom.columns().message()).isEqualTo("c-message");
        assertThat(custom.pageItems()).isEqualTo(7);
        assertThat(custom.table().range()).hasToString("Key[name=c-sort-key, type=S]");
    }
}
