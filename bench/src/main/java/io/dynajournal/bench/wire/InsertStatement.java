package io.dynajournal.bench.wire;

import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import software.amazon.awssdk.protocols.jsoncore.JsonNode;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** An insert in PartiQL: the statement has table and names, its parameters are the values in the order of the names. */
record InsertStatement(String table, Map<String, AttributeValue> item) {

    private static final Pattern INSERT =
            Pattern.compile("INSERT INTO \"([^\"]+)\" VALUE \\{(.*)}", Pattern.CASE_INSENSITIVE);
    private static final Pattern PARAMETER = Pattern.compile("'([^']+)' ?: ?\\?");

    static InsertStatement of(JsonNode statement) {
        String text = statement.field("Statement").map(JsonNode::asString).orElse("");
        List<JsonNode> parameters =
                statement.field("Parameters").map(JsonNode::asArray).orElse(List.of());
        Matcher insert = INSERT.matcher(text);
        if (!insert.matches()) {
            throw new IllegalArgumentException("no price for the statement " + text);
        }
        Map<String, AttributeValue> item = new HashMap<>();
        Iterator<JsonNode> values = parameters.iterator();
        Matcher name = PARAMETER.matcher(insert.group(2));
        while (name.find() && values.hasNext()) {
            item.put(name.group(1), AttributeJson.value(values.next()));
        }
        if (item.size() != parameters.size()) {
            throw new IllegalArgumentException(parameters.size() + " values for the statement " + text);
        }
        return new InsertStatement(insert.group(1), item);
    }
}
