package io.dynajournal.dynamo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dynajournal.store.StoreException;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class ItemTest {

    @Test
    void sizesFollowThePublishedRules() {
        assertThat(Item.create().text("pid", "abc").size()).isEqualTo(6);
        assertThat(Item.create().text("é", "ü").size()).isEqualTo(4);
        assertThat(Item.create().bytes("b", new byte[100]).size()).isEqualTo(101);
        assertThat(Item.create().number("n", 1).size()).isEqualTo(1 + 2);
        assertThat(Item.create().number("n", 12).size()).isEqualTo(1 + 2);
        assertThat(Item.create().number("n", 123).size()).isEqualTo(1 + 3);
        assertThat(Item.create().number("n", 1_000_000).size()).isEqualTo(1 + 2);
        assertThat(Item.create().texts("t", Set.of("ab", "c")).size()).isEqualTo(1 + 3);
    }

    @Test
    void utf8LengthsAreWhatEncodingGives() {
        for (String text : new String[] {"", "plain", "ärger", "日本", "😀!", "\uD83D", "x\uDE00y"}) {
            assertThat(ItemSize.utf8(text)).as(text).isEqualTo(text.getBytes(StandardCharsets.UTF_8).length);
        }
    }

    @Test
    void writeUnitsStepAt1024() {
        assertThat(ItemSize.writeUnits(1)).isEqualTo(1);
        assertThat(ItemSize.writeUnits(1024)).isEqualTo(1);
        assertThat(ItemSize.writeUnits(1025)).isEqualTo(2);
    }

    @Test
    void whatIsMissingIsNamedWithTheKeys() {
        Item item = Item.create()
                .text("pid", "cart|1")
                .number("seq", 7)
                .bytes("body", "secret".getBytes(StandardCharsets.UTF_8));
        assertThatThrownBy(() -> item.number("ts"))
                .isInstanceOf(StoreException.CorruptItem.class)
                .hasMessageContaining("ts is missing")
                .hasMessageContaining("pid=cart|1")
                .hasMessageContaining("seq=7")
                .hasMessageNotContaining("secret");
        assertThatThrownBy(() -> item.number("pid")).hasMessageContaining("is no number");
        assertThatThrownBy(() -> item.text("seq")).hasMessageContaining("is no string");
        assertThatThrownBy(() -> item.bytes("seq")).hasMessageContaining("is not binary");
    }
}
