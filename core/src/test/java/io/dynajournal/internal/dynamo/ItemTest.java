package io.dynajournal.internal.dynamo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dynajournal.exception.StoreException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

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
    void sizesOfOtherTypesFollowThePublishedRulesToo() {
        assertThat(size(AttributeValue.fromL(List.of()))).isEqualTo(3);
        assertThat(size(AttributeValue.fromL(List.of(AttributeValue.fromS("ab"), AttributeValue.fromBool(true)))))
                .isEqualTo(3 + 1 + 2 + 1 + 1);
        assertThat(size(AttributeValue.fromM(Map.of("k", AttributeValue.fromNul(true)))))
                .isEqualTo(3 + 1 + 1 + 1);
        assertThat(size(AttributeValue.fromNs(List.of("1", "123")))).isEqualTo(2 + 3);
        assertThat(size(AttributeValue.fromBs(List.of(SdkBytes.fromUtf8String("abc")))))
                .isEqualTo(3);
    }

    private static int size(AttributeValue value) {
        return Item.of(Map.of("", value)).size();
    }

    @Test
    void anErrorNamesTableKeyAndAttributeButNoOtherValue() {
        Item item = Item.of(
                "events",
                Item.create()
                        .text("pid", "cart|1")
                        .number("seq", 7)
                        .text("iban", "DE02")
                        .text("key", "DE03")
                        .bytes("body", "secret".getBytes(StandardCharsets.UTF_8))
                        .attributes());
        assertThatThrownBy(() -> item.number("ts"))
                .isInstanceOf(StoreException.CorruptItem.class)
                .hasMessageContaining("ts is missing")
                .hasMessageContaining("[pid=cart|1, seq=7] of table events")
                .hasMessageContaining("iban")
                .hasMessageNotContaining("DE02")
                .hasMessageNotContaining("DE03")
                .hasMessageNotContaining("secret");
        assertThat(item.toString()).doesNotContain("DE02");
        assertThatThrownBy(() -> item.number("pid")).hasMessageContaining("is not a number");
        assertThatThrownBy(() -> item.text("seq")).hasMessageContaining("is not a string");
        assertThatThrownBy(() -> item.bytes("seq")).hasMessageContaining("is not binary");
    }
}
