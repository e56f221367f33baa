package io.dynajournal;

import java.util.Map;
import software.amazon.awssdk.protocols.jsoncore.JsonNode;

/** An index that shows half of its rows at once and the others later, by a hash of the row. */
final class LaggingIndex {

    private LaggingIndex() {}

    /** @param number the attribute with the sequence number or revision */
    static boolean isShown(Map<String, JsonNode> row, String number, long lagMicros) {
        return isShown(row, number, lagMicros, Map.of());
    }

    /** @param wrongMicros by id: the skew of the clock of its writer */
    static boolean isShown(Map<String, JsonNode> row, String number, long lagMicros, Map<String, Long> wrongMicros) {
        String pid = value(row, "pid", "S");
        long hash = ((pid + "/" + value(row, number, "N")).hashCode() * 0x9E3779B97F4A7C15L) >>> 16;
        long lag = hash % 2 == 0 ? 0 : (hash / 2) % lagMicros;
        long written = Long.parseLong(value(row, "ts", "N")) - wrongMicros.getOrDefault(pid, 0L);
        return System.currentTimeMillis() * 1000 >= written + lag;
    }

    private static String value(Map<String, JsonNode> row, String name, String type) {
        return row.getOrDefault(name, JsonNode.emptyObjectNode())
                .field(type)
                .map(JsonNode::text)
                .orElseThrow();
    }
}
