package io.dynajournal.internal.dynamo;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BatchExecuteStatementRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchWriteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.DeleteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbRequest;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/** What a request is about, for listeners. */
final class RequestSubject {

    /**
     * What layouts call an attribute or a value that is a persistence id; {@code akka1} and {@code sclasen} have none. A key of parts has
     * the name of a persistence id, but no entity type.
     */
    private static final String[] PERSISTENCE_ID = {"pid", "persistence-id", ":pid"};

    /** Between entity type and entity id, as the toolkits have it. */
    private static final char SEPARATOR = '|';

    private RequestSubject() {}

    /** The entity type of the one persistence id that a request names; empty if it names none, or an id without a type. */
    static String entityType(DynamoDbRequest request) {
        Map<String, AttributeValue> named = Map.of();
        if (request instanceof PutItemRequest put) {
            named = put.item();
        } else if (request instanceof UpdateItemRequest update) {
            named = update.key();
        } else if (request instanceof DeleteItemRequest delete) {
            named = delete.key();
        } else if (request instanceof QueryRequest query) {
            named = query.expressionAttributeValues();
        }
        for (String name : PERSISTENCE_ID) {
            String id = text(named.get(name));
            if (id != null) {
                return id.substring(0, Math.max(0, id.indexOf(SEPARATOR)));
            }
        }
        return "";
    }

    private static @Nullable String text(@Nullable AttributeValue value) {
        return value == null ? null : value.s();
    }

    /** How many items a request writes, or reads by their keys; 0 if it does neither. */
    static int items(DynamoDbRequest request) {
        if (request instanceof PutItemRequest
                || request instanceof UpdateItemRequest
                || request instanceof DeleteItemRequest) {
            return 1;
        }
        if (request instanceof BatchExecuteStatementRequest group) {
            return group.statements().size();
        }
        if (request instanceof TransactWriteItemsRequest transaction) {
            return transaction.transactItems().size();
        }
        Stream<Integer> sizes = Stream.of();
        if (request instanceof BatchWriteItemRequest batch) {
            sizes = batch.requestItems().values().stream().map(List::size);
        } else if (request instanceof BatchGetItemRequest batch) {
            sizes = batch.requestItems().values().stream()
                    .map(keys -> keys.keys().size());
        }
        return sizes.mapToInt(Integer::intValue).sum();
    }
}
