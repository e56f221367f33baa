package io.dynajournal.testkit;

import java.util.Set;

/**
 * Selects requests.
 *
 * @param operations DynamoDB's names of operations, such as PutItem; empty for all
 * @param text a part of the request's JSON; empty for any
 */
public record RequestMatch(Set<String> operations, String text) {

    private static final Set<String> WRITES = Set.of(
            "PutItem", "UpdateItem", "DeleteItem", "BatchWriteItem", "BatchExecuteStatement", "TransactWriteItems");
    private static final Set<String> READS = Set.of("Query", "GetItem", "BatchGetItem", "Scan", "TransactGetItems");

    public RequestMatch {
        operations = Set.copyOf(operations);
    }

    /** All requests. */
    public static RequestMatch all() {
        return new RequestMatch(Set.of(), "");
    }

    /** The requests of one operation, by DynamoDB's name. */
    public static RequestMatch operation(String name) {
        return new RequestMatch(Set.of(name), "");
    }

    /** All operations that write items. */
    public static RequestMatch writes() {
        return new RequestMatch(WRITES, "");
    }

    /** All operations that read items. */
    public static RequestMatch reads() {
        return new RequestMatch(READS, "");
    }

    /** Only those whose JSON contains a text, such as a persistence id. */
    public RequestMatch containing(String part) {
        return new RequestMatch(operations, part);
    }

    boolean matches(String operation, String body) {
        return (operations.isEmpty() || operations.contains(operation)) && body.contains(text);
    }
}
