package io.dynajournal.internal.layout.sclasen;

import io.dynajournal.internal.dynamo.Item;
import io.dynajournal.internal.layout.ItemDamage;
import io.dynajournal.internal.layout.ItemFuzz.Subject;
import io.dynajournal.internal.model.Event;
import io.dynajournal.internal.model.Payload;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Damaged items of the layout are decoded, or reported with table, key and attribute: there is no checksum. */
final class SclasenDamageTest {

    static final String TABLE = "journal_7";
    static final String SECRET = "added item";

    private static Object decode(Item item) {
        SclasenItems.Entry entry = new SclasenItems("journal", 10).entry(item);
        return Arrays.asList(
                entry.seqNr(),
                entry.isTaken(),
                entry.writeEnd(),
                entry.writer(),
                entry.timestampMicros(),
                entry.event("p"));
    }

    private static Item item() {
        Payload payload = new Payload(7, "m", SECRET.getBytes(StandardCharsets.UTF_8));
        Event event = new Event(payload, "adapter", Set.of(), new Payload(8, "n", new byte[2]));
        return new SclasenItems("journal", 10)
                .event("p", 12, "w", 1_000, event)
                .number("idx", 1)
                .number("cnt", 3);
    }

    @Test
    void eventsSurviveDamage() {
        Item item = item();
        ItemDamage.decoded(TABLE, item, SECRET, SclasenDamageTest::decode);
        ItemDamage.decoded(TABLE, item, ItemDamage.fuzzed(item), SECRET, SclasenDamageTest::decode);
    }

    /** What a fuzzer damages, and how it is decoded. */
    static List<Subject> subjects() {
        return List.of(new Subject(item(), SclasenDamageTest::decode));
    }
}
