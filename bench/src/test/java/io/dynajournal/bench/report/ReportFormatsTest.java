package io.dynajournal.bench.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.StringReader;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;
import software.amazon.awssdk.protocols.jsoncore.JsonNode;

class ReportFormatsTest {

    @Test
    void jsonCanBeParsedAgain() {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("te\"xt\\", "a\nb\tc\u0001");
        map.put("third", 1 / 3.0);
        map.put("large", 1_234_567.0);
        map.put("count", 1_234_567_890_123L);
        map.put("none", null);
        map.put("infinite", Double.POSITIVE_INFINITY);
        map.put("list", List.of(true, Map.of(), List.of()));
        JsonNode read = JsonNode.parser().parse(Json.of(map));
        assertThat(field(read, "te\"xt\\").asString()).isEqualTo("a\nb\tc\u0001");
        assertThat(field(read, "third").asNumber()).isEqualTo("0.333333");
        assertThat(field(read, "large").asNumber()).isEqualTo("1234570");
        assertThat(field(read, "count").asNumber()).isEqualTo("1234567890123");
        assertThat(field(read, "none").isNull()).isTrue();
        assertThat(field(read, "infinite").isNull()).isTrue();
        assertThat(field(read, "list").asArray()).hasSize(3);
    }

    private static JsonNode field(JsonNode node, String name) {
        return node.field(name).orElseThrow();
    }

    private static NodeList elements(String svg, String name) throws Exception {
        Document document =
                DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(new InputSource(new StringReader(svg)));
        return document.getElementsByTagName(name);
    }

    private static double number(NodeList elements, int index, String attribute) {
        return Double.parseDouble(((Element) elements.item(index)).getAttribute(attribute));
    }

    @Test
    void barsAreProportionalToTheirValues() throws Exception {
        Map<String, Double> values = new LinkedHashMap<>();
        values.put("ours <1>", 10.0);
        values.put("theirs & others", 40.0);
        NodeList boxes = elements(BarChart.of("title", Map.of("group", values), "ours"), "rect");
        // The first is the background.
        assertThat(boxes.getLength()).isEqualTo(3);
        assertThat(number(boxes, 2, "width")).isEqualTo(4 * number(boxes, 1, "width"));
        assertThat(((Element) boxes.item(1)).getAttribute("fill"))
                .isNotEqualTo(((Element) boxes.item(2)).getAttribute("fill"));
    }

    @Test
    void constantValuesAreAFlatLineAndGrowingOnesRise() throws Exception {
        Map<String, SortedMap<Long, Double>> lines = new LinkedHashMap<>();
        lines.put("flat", new TreeMap<>(Map.of(10L, 2.0, 1_000L, 2.0)));
        lines.put("linear", new TreeMap<>(Map.of(10L, 1.0, 1_000L, 100.0)));
        NodeList dots = elements(LineChart.of("title", "x", lines), "circle");
        assertThat(dots.getLength()).isEqualTo(4);
        assertThat(number(dots, 0, "cy")).isEqualTo(number(dots, 1, "cy"));
        assertThat(number(dots, 2, "cy")).isGreaterThan(number(dots, 3, "cy"));
        assertThat(number(dots, 0, "cx")).isEqualTo(number(dots, 2, "cx"));
    }

    @Test
    void numbersHaveThreeDigits() {
        assertThat(List.of(
                        NumberText.of(0),
                        NumberText.of(3),
                        NumberText.of(0.0123),
                        NumberText.of(0.357),
                        NumberText.of(12.34),
                        NumberText.of(1234.4)))
                .containsExactly("0", "3", "0.0123", "0.36", "12.3", "1,234");
    }

    @Test
    void onlyTheNamedSectionOfADocumentIsReplaced() {
        String document = "before\n<!-- figures -->\nold\n<!-- end of figures -->\nafter\n";
        assertThat(DocumentSection.replaced(document, "figures", "new\n"))
                .isEqualTo("before\n<!-- figures -->\nnew\n<!-- end of figures -->\nafter\n");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> DocumentSection.replaced(document, "other", ""))
                .withMessageContaining("other");
    }
}
