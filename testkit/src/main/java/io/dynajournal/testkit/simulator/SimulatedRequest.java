package io.dynajournal.testkit.simulator;

import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbRequest;
import software.amazon.awssdk.services.dynamodb.model.ThrottlingReason;

/**
 * A request on its way to the simulated DynamoDB.
 *
 * @param number counts the requests of a simulation, from 1
 * @param node the client that sent it
 * @param operation DynamoDB's name of the operation, such as {@code PutItem}
 * @param request as the SDK built it
 */
public record SimulatedRequest(long number, String node, String operation, DynamoDbRequest request) {

    /** Whether it names the table, other than in a transaction or a statement. */
    public boolean isOf(String table) {
        return request.getValueForField("TableName", String.class)
                        .filter(table::equals)
                        .isPresent()
                || request.getValueForField("RequestItems", Map.class)
                        .filter(items -> items.containsKey(table))
                        .isPresent();
    }

    /** Whether it may change an item or a table. */
    public boolean isWrite() {
        return switch (operation) {
            case "GetItem",
                    "BatchGetItem",
                    "TransactGetItems",
                    "Query",
                    "Scan",
                    "DescribeTable",
                    "ListTables",
                    "DescribeTimeToLive" -> false;
            default -> true;
        };
    }

    /** The machine-readable reason with which DynamoDB throttles it. */
    ThrottlingReason throttledBy(Throttling kind) {
        String index = request.getValueForField("IndexName", String.class).orElse("");
        return ThrottlingReason.builder()
                .reason(kind.reason(isWrite(), !index.isEmpty()))
                .resource(Tables.ARN + table() + (index.isEmpty() ? "" : "/index/" + index))
                .build();
    }

    /** Its table, or the first of a batch; empty for statements and transactions, which name it in their parts. */
    private String table() {
        Map<?, ?> ofBatch = request.getValueForField("RequestItems", Map.class).orElse(Map.of());
        return request.getValueForField("TableName", String.class)
                .orElse(ofBatch.keySet().stream()
                        .map(String::valueOf)
                        .findFirst()
                        .orElse(""));
    }
}
