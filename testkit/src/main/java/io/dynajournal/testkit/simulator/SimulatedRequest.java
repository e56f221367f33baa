package io.dynajournal.testkit.simulator;

import software.amazon.awssdk.services.dynamodb.model.DynamoDbRequest;

/**
 * A request on its way to the simulated DynamoDB.
 *
 * @param number counts the requests of a simulation, from 1
 * @param node the client that sent it
 * @param operation DynamoDB's name of the operation, such as {@code PutItem}
 * @param request as the SDK built it
 */
public record SimulatedRequest(long number, String node, String operation, DynamoDbRequest request) {

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
}
