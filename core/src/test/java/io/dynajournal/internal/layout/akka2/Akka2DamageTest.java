package io.dynajournal.internal.layout.akka2;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynajournal.exception.StoreException;
import io.dynajournal.internal.dynamo.Item;
import io.dynajournal.internal.layout.GoldenItems;
import io.dynajournal.internal.layout.ItemDamage;
import io.dynajournal.internal.layout.ItemFuzz.Subject;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** Damaged items of the layout are decoded, or reported with table, key and attribute: there is no checksum. */
final class Akka2DamageTest {

    static final String TABLE = "events_7";
    static final String SECRET = "added item";

    private static void survivesDamage(Item item, Function<Item, ?> decoder) {
        ItemDamage.decoded(TABLE, item, SECRET, decoder);
        ItemDamage.decoded(TABLE, item, ItemDamage.fuzzed(item), SECRET, decoder);
    }

    private static Object decode(Item item) {
        Akka2Items.Row row = Akka2Items.row(item);
        Akka2Items.Visibility visibility = row.visibility(0, true);
        if (!row.hasEvent()) {
            return List.of(row.seqNr(), row.covered(), visibility);
        }
        try {
            return List.of(visibility, row.first(), row.last(), row.isOpen(), row.event(""));
        } catch (StoreException.Refused inFallbackStore) {
            return "in the fallback store";
        }
    }

    private static Object snapshot(Item item) {
        try {
            return Akka2SnapshotItems.isSnapshot(item) ? Akka2SnapshotItems.snapshot(item, "") : "none";
        } catch (StoreException.Refused inFallbackStore) {
            return "in the fallback store";
        }
    }

    @Test
    void eventsOfThePredecessorSurviveDamage() {
        List<Item> items = GoldenItems.ofEachShape("akka-2.0.12", "event_journal");
        assertThat(items).hasSizeGreaterThan(2);
        items.forEach(item -> survivesDamage(item, Akka2DamageTest::decode));
    }

    @Test
    void snapshotsSurviveDamage() {
        List<Item> items = GoldenItems.ofEachShape("akka-2.0.12", "snapshot");
        assertThat(items).isNotEmpty();
        items.forEach(item -> survivesDamage(item, Akka2DamageTest::snapshot));
    }

    @Test
    void everyGoldenItemSurvivesACutAtEachByte() {
        cut("event_journal", Akka2DamageTest::decode);
        cut("snapshot", Akka2DamageTest::snapshot);
    }

    private static void cut(String table, Function<Item, ?> decoder) {
        List<Item> items = GoldenItems.all("akka-2.0.12", table);
        assertThat(items).isNotEmpty();
        items.forEach(item -> ItemDamage.decoded(TABLE, item, ItemDamage.cut(item), SECRET, decoder));
    }

    /** What a fuzzer damages: each shape of the golden items, and how it is decoded. */
    static List<Subject> subjects() {
        List<Subject> subjects = new ArrayList<>();
        GoldenItems.ofEachShape("akka-2.0.12", "event_journal")
                .forEach(item -> subjects.add(new Subject(item, Akka2DamageTest::decode)));
        GoldenItems.ofEachShape("akka-2.0.12", "snapshot")
                .forEach(item -> subjects.add(new Subject(item, Akka2DamageTest::snapshot)));
        return subjects;
    }
}
