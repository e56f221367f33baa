package io.dynajournal.internal.layout.akka1;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynajournal.internal.dynamo.Item;
import io.dynajournal.internal.envelope.PersistentMessage;
import io.dynajournal.internal.layout.GoldenItems;
import io.dynajournal.internal.layout.ItemDamage;
import io.dynajournal.internal.layout.ItemFuzz.Subject;
import io.dynajournal.internal.model.Payload;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Damaged items of the layout are decoded, or reported with table, key and attribute: there is no checksum. */
final class Akka1DamageTest {

    static final String TABLE = "akka-persistence_7";
    static final String SECRET = "added item";

    private static void survivesDamage(Item item, Function<Item, ?> decoder) {
        ItemDamage.decoded(TABLE, item, SECRET, decoder);
        ItemDamage.decoded(TABLE, item, ItemDamage.fuzzed(item), SECRET, decoder);
    }

    private static String toolkit(String set) {
        return set.substring(0, set.indexOf('-'));
    }

    private static Object decode(Item item) {
        Akka1Items.Entry entry = Akka1Items.entry(item, 3);
        Object event = entry.isTombstone() ? "tombstone" : entry.event("p");
        return List.of(entry.seqNr(), entry.first(), entry.last(), entry.writer(), event);
    }

    @ParameterizedTest
    @ValueSource(strings = {"akka-1.3.0", "pekko-1.1.0", "akka-1.3.0-java-serialization"})
    void eventsOfThePredecessorSurviveDamage(String set) {
        List<Item> items = GoldenItems.ofEachShape(set, toolkit(set) + "-persistence");
        assertThat(items).hasSizeGreaterThan(2);
        items.forEach(item -> survivesDamage(item, Akka1DamageTest::decode));
    }

    @Test
    void eventsInTheOldFormSurviveDamage() {
        survivesDamage(oldForm(), Akka1DamageTest::decode);
    }

    private static Item oldForm() {
        byte[] message = new PersistentMessage(
                        new Payload(7, "m", SECRET.getBytes(StandardCharsets.UTF_8)),
                        5,
                        "p",
                        false,
                        "adapter",
                        "w",
                        1_000,
                        new Payload(8, "n", new byte[2]))
                .encode();
        return Item.create()
                .text("par", "journal-P-p-0")
                .number("num", 5)
                .number("idx", 1)
                .number("cnt", 2)
                .bytes("pay", message);
    }

    @ParameterizedTest
    @ValueSource(strings = {"akka-1.3.0", "pekko-1.1.0"})
    void snapshotsSurviveDamage(String set) {
        List<Item> items = GoldenItems.ofEachShape(set, toolkit(set) + "-persistence-snapshot");
        assertThat(items).isNotEmpty();
        items.forEach(item -> survivesDamage(item, stored -> Akka1SnapshotItems.snapshot(stored, "p")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"akka-1.3.0", "pekko-1.1.0", "akka-1.3.0-java-serialization"})
    void everyGoldenItemSurvivesACutAtEachByte(String set) {
        cut(set, toolkit(set) + "-persistence", Akka1DamageTest::decode);
        cut(set, toolkit(set) + "-persistence-snapshot", item -> Akka1SnapshotItems.snapshot(item, "p"));
    }

    private static void cut(String set, String table, Function<Item, ?> decoder) {
        List<Item> items = GoldenItems.all(set, table);
        assertThat(items).isNotEmpty();
        items.forEach(item -> ItemDamage.decoded(TABLE, item, ItemDamage.cut(item), SECRET, decoder));
    }

    /** What a fuzzer damages: each shape of the golden items, and how it is decoded. */
    static List<Subject> subjects() {
        List<Subject> subjects = new ArrayList<>();
        for (String set : List.of("akka-1.3.0", "pekko-1.1.0", "akka-1.3.0-java-serialization")) {
            GoldenItems.ofEachShape(set, toolkit(set) + "-persistence")
                    .forEach(item -> subjects.add(new Subject(item, Akka1DamageTest::decode)));
        }
        GoldenItems.ofEachShape("akka-1.3.0", "akka-persistence-snapshot")
                .forEach(item -> subjects.add(new Subject(item, stored -> Akka1SnapshotItems.snapshot(stored, "p"))));
        subjects.add(new Subject(oldForm(), Akka1DamageTest::decode));
        return subjects;
    }
}
