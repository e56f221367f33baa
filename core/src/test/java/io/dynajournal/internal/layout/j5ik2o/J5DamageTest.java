package io.dynajournal.internal.layout.j5ik2o;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynajournal.internal.dynamo.Item;
import io.dynajournal.internal.layout.GoldenItems;
import io.dynajournal.internal.layout.ItemDamage;
import io.dynajournal.internal.layout.ItemFuzz.Subject;
import io.dynajournal.internal.layout.LayoutSettings;
import io.dynajournal.internal.model.Payload;
import io.dynajournal.internal.model.StateChange;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** Damaged rows of the layout are decoded, or reported with table, key and attribute: there is no checksum. */
final class J5DamageTest {

    static final String TABLE = "Journal_7";
    static final String SECRET = "added item";
    private static final LayoutSettings SETTINGS = new LayoutSettings(Map.of());

    private final J5Items items = new J5Items(J5Columns.of(SETTINGS), J5Keys.of(SETTINGS), ",");
    private final J5SnapshotItems snapshots =
            new J5SnapshotItems(J5SnapshotColumns.of(SETTINGS), J5Keys.of(SETTINGS), false);
    private final J5StateItems states = new J5StateItems(J5States.of(SETTINGS));

    private static void survivesDamage(Item item, Function<Item, ?> decoder) {
        ItemDamage.decoded(TABLE, item, SECRET, decoder);
        ItemDamage.decoded(TABLE, item, ItemDamage.fuzzed(item), SECRET, decoder);
    }

    private Object decode(Item row) {
        J5Items.Entry entry = items.entry(row);
        return List.of(
                entry.seqNr(),
                entry.deleted(),
                entry.batchEnd(),
                entry.skipTo(),
                items.key(row).attributes(),
                items.stored(entry));
    }

    @Test
    void eventsOfThePredecessorSurviveDamage() {
        List<Item> golden = GoldenItems.ofEachShape("j5ik2o-1.16.492", "Journal");
        assertThat(golden).isNotEmpty();
        golden.forEach(row -> {
            survivesDamage(row, this::decode);
            survivesDamage(inBatch(row), this::decode);
        });
    }

    private static Item inBatch(Item row) {
        return Item.of(row.attributes()).copy().text(J5Items.BATCH, "3/4").number(J5Items.SKIP, 9);
    }

    @Test
    void snapshotsSurviveDamage() {
        List<Item> golden = GoldenItems.ofEachShape("j5ik2o-1.16.492", "Snapshot");
        assertThat(golden).isNotEmpty();
        golden.forEach(row -> survivesDamage(row, snapshots::snapshot));
    }

    @Test
    void statesSurviveDamage() {
        survivesDamage(state(), states::state);
    }

    private Item state() {
        Payload payload = new Payload(7, "m", SECRET.getBytes(StandardCharsets.UTF_8));
        StateChange change = new StateChange("cart|1", 3, payload, "red", Map.of("iban", SECRET));
        return states.row(change, "red", 1_000, "w");
    }

    @Test
    void everyGoldenItemSurvivesACutAtEachByte() {
        cut("Journal", this::decode);
        cut("Snapshot", snapshots::snapshot);
    }

    private static void cut(String table, Function<Item, ?> decoder) {
        List<Item> items = GoldenItems.all("j5ik2o-1.16.492", table);
        assertThat(items).isNotEmpty();
        items.forEach(item -> ItemDamage.decoded(TABLE, item, ItemDamage.cut(item), SECRET, decoder));
    }

    /** What a fuzzer damages: each shape of the golden items, and how it is decoded. */
    static List<Subject> subjects() {
        J5DamageTest test = new J5DamageTest();
        List<Subject> subjects = new ArrayList<>();
        GoldenItems.ofEachShape("j5ik2o-1.16.492", "Journal").forEach(row -> {
            subjects.add(new Subject(row, test::decode));
            subjects.add(new Subject(inBatch(row), test::decode));
        });
        GoldenItems.ofEachShape("j5ik2o-1.16.492", "Snapshot")
                .forEach(row -> subjects.add(new Subject(row, test.snapshots::snapshot)));
        subjects.add(new Subject(test.state(), test.states::state));
        return subjects;
    }
}
