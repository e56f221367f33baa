package io.dynajournal.testkit;

import java.util.Set;

/**
 * Which requests are meant.
 *
 * @param operations DynamoDB's names of operations, empty for all
 * @param text what the request's JSON contains, empty for anything
 */
public record RequestMatch(Set<String> operations, String text) {

    private static final Set<String> WRITES = Set.of(
            "PutItem", "UpdateItem", "DeleteItem", "BatchWriteItem", "BatchExecuteStatement", "TransactWriteItems");
    private static final Set<String> READS = Set.of("Query", "GetItem", "BatchGetItem", "Scan", "TransactGetItems");

    public RequestMatch {
        operations = Set.copyOf(operations);
    }

    public static RequestMatch all() {
        return new RequestMatch(Set.of(), "");
    }

    public static RequestMatch operation(String name) {
        return new RequestMatch(Set.of(name), "");
    }

    /** Everything that changes items, whichever way a layout does it. */
    public static RequestMatch writes() {
        return new RequestMatch(WRITES, "");
    }

    /** Everything that reads items. */
    public static RequestMatch reads() {
        return new RequestMatch(READS, "");
    }

    public RequestMatch containing(String part) {
        return new RequestMatch(operations, part);
    }

    boolean matches(String operation, String body) {
        return (operations.isEmpty() || operations.contains(operation)) && body.contains(text);
    }
}
