package io.dynajournal.bench.wire;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import software.amazon.awssdk.protocols.jsoncore.JsonNode;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** A PartiQL insert: the statement has the table and the attribute names, the parameters are the values in that order. */
record InsertStatement(String table, Map<String, AttributeValue> item) {

    private static final Pattern INSERT =
            Pattern.compile("INSERT INTO \"([^\"]+)\" VALUE \\{(.*)}", Pattern.CASE_INSENSITIVE);
    private static final Pattern PARAMETER = Pattern.compile("'([^']+)' ?: ?\\?");

    /** @param names in the order of the parameters */
    record Columns(String table, List<String> names) {}

    static Columns columns(String statement) {
        Matcher insert = INSERT.matcher(statement);
        if (!insert.matches()) {
            throw new IllegalArgumentException("not an insert with parameters: " + statement);
        }
        List<String> names = new ArrayList<>();
        Matcher name = PARAMETER.matcher(insert.group(2));
        while (name.find()) {
            names.add(name.group(1));
        }
        return new Columns(insert.group(1), names);
    }

    static InsertStatement of(JsonNode statement) {
        String text = statement.field("Statement").map(JsonNode::asString).orElse("");
        List<JsonNode> parameters =
                statement.field("Parameters").map(JsonNode::asArray).orElse(List.of());
        Columns columns = columns(text);
        if (columns.names().size() != parameters.size()) {
            throw new IllegalArgumentException(parameters.size() + " parameters for the statement " + text);
        }
        Map<String, AttributeValue> item = new HashMap<>();
        for (int i = 0; i < parameters.size(); i++) {
            item.put(columns.names().get(i), AttributeJson.value(parameters.get(i)));
        }
        return new InsertStatement(columns.table(), item);
    }
}
