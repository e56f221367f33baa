package io.dynajournal.testkit;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import software.amazon.awssdk.protocols.jsoncore.JsonNode;

/**
 * What IAM decides about: an action on a resource. A transaction and a batch of statements need the permissions of their parts; a query
 * of an index needs that of the index.
 *
 * @param action such as {@code dynamodb:PutItem}
 * @param resource such as {@code arn:aws:dynamodb:eu-central-1:123456789012:table/events/index/slices}
 */
public record IamRequest(String action, String resource) {

    /** Where all requests go. */
    public static final String ACCOUNT = "arn:aws:dynamodb:eu-central-1:123456789012:";

    private static final Pattern INSERT = Pattern.compile("INSERT INTO \"([^\"]+)\".*", Pattern.DOTALL);

    /** The decisions that one request needs, by the operation and the body that a {@link FaultProxy} sees. */
    static List<IamRequest> of(String operation, String body) {
        JsonNode request = JsonNode.parser().parse(body);
        List<IamRequest> needed = new ArrayList<>();
        switch (operation) {
            case "BatchGetItem", "BatchWriteItem" ->
                fields(request, "RequestItems").keySet().forEach(table -> needed.add(of(operation, table, "")));
            case "TransactWriteItems" ->
                request.field("TransactItems")
                        .orElseThrow()
                        .asArray()
                        .forEach(item -> item.asObject()
                                .forEach((part, action) -> needed.add(of(
                                        part.equals("ConditionCheck") ? "ConditionCheckItem" : part + "Item",
                                        text(action, "TableName"),
                                        ""))));
            case "BatchExecuteStatement" ->
                request.field("Statements").orElseThrow().asArray().forEach(statement -> {
                    Matcher insert = INSERT.matcher(text(statement, "Statement"));
                    if (!insert.matches()) {
                        throw new AssertionError("no rule for the statement " + text(statement, "Statement"));
                    }
                    needed.add(of("PartiQLInsert", insert.group(1), ""));
                });
            default -> needed.add(of(operation, text(request, "TableName"), text(request, "IndexName")));
        }
        return needed;
    }

    private static IamRequest of(String operation, String table, String index) {
        String resource = ACCOUNT + "table/" + table + (index.isEmpty() ? "" : "/index/" + index);
        return new IamRequest("dynamodb:" + operation, resource);
    }

    private static Map<String, JsonNode> fields(JsonNode node, String name) {
        return node.field(name).orElseThrow().asObject();
    }

    private static String text(JsonNode node, String name) {
        return node.field(name).map(JsonNode::asString).orElse("");
    }
}
