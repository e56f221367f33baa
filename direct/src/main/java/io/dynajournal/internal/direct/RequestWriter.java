package io.dynajournal.internal.direct;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BatchExecuteStatementRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchStatementRequest;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;

/**
 * Writes the bodies of requests, with all their parameters but the ones that expressions have replaced. A request with such a
 * parameter is an error.
 */
final class RequestWriter {

    private static final int USUAL_BODY_BYTES = 1024;

    private final JsonWriter json;

    private RequestWriter(int requests) {
        this.json = new JsonWriter(requests * USUAL_BODY_BYTES);
    }

    static byte[] put(PutItemRequest request) {
        checkNoLegacyParameters(request.hasExpected() || request.conditionalOperator() != null);
        RequestWriter body = new RequestWriter(1);
        body.json.beginObject();
        body.text("TableName", request.tableName());
        body.attributes("Item", request.hasItem(), request.item());
        body.text("ConditionExpression", request.conditionExpression());
        body.names(request.hasExpressionAttributeNames(), request.expressionAttributeNames());
        body.attributes(
                "ExpressionAttributeValues",
                request.hasExpressionAttributeValues(),
                request.expressionAttributeValues());
        body.text("ReturnValues", request.returnValuesAsString());
        body.text("ReturnValuesOnConditionCheckFailure", request.returnValuesOnConditionCheckFailureAsString());
        body.text("ReturnItemCollectionMetrics", request.returnItemCollectionMetricsAsString());
        return body.end(request.returnConsumedCapacityAsString());
    }

    static byte[] query(QueryRequest request) {
        checkNoLegacyParameters(request.hasKeyConditions()
                || request.hasQueryFilter()
                || request.hasAttributesToGet()
                || request.conditionalOperator() != null);
        RequestWriter body = new RequestWriter(1);
        body.json.beginObject();
        body.text("TableName", request.tableName());
        body.text("IndexName", request.indexName());
        body.text("Select", request.selectAsString());
        body.text("KeyConditionExpression", request.keyConditionExpression());
        body.text("FilterExpression", request.filterExpression());
        body.text("ProjectionExpression", request.projectionExpression());
        body.names(request.hasExpressionAttributeNames(), request.expressionAttributeNames());
        body.attributes(
                "ExpressionAttributeValues",
                request.hasExpressionAttributeValues(),
                request.expressionAttributeValues());
        body.attributes("ExclusiveStartKey", request.hasExclusiveStartKey(), request.exclusiveStartKey());
        body.bare("ConsistentRead", request.consistentRead());
        body.bare("ScanIndexForward", request.scanIndexForward());
        body.bare("Limit", request.limit());
        return body.end(request.returnConsumedCapacityAsString());
    }

    static byte[] statements(BatchExecuteStatementRequest request) {
        RequestWriter body = new RequestWriter(request.statements().size());
        body.json.beginObject().name("Statements").beginList();
        request.statements().forEach(body::statement);
        body.json.endList();
        return body.end(request.returnConsumedCapacityAsString());
    }

    private void statement(BatchStatementRequest statement) {
        json.beginObject();
        text("Statement", statement.statement());
        if (statement.hasParameters()) {
            json.name("Parameters").beginList();
            statement.parameters().forEach(value -> Attributes.write(json, value));
            json.endList();
        }
        bare("ConsistentRead", statement.consistentRead());
        text("ReturnValuesOnConditionCheckFailure", statement.returnValuesOnConditionCheckFailureAsString());
        json.endObject();
    }

    private static void checkNoLegacyParameters(boolean hasSome) {
        if (hasSome) {
            throw new IllegalArgumentException("The request has a parameter that expressions have replaced");
        }
    }

    private void text(String name, @Nullable String value) {
        if (value != null) {
            json.name(name).text(value);
        }
    }

    private void bare(String name, @Nullable Object value) {
        if (value != null) {
            json.name(name).bare(value);
        }
    }

    private void attributes(String name, boolean there, Map<String, AttributeValue> attributes) {
        if (there) {
            Attributes.write(json.name(name), attributes);
        }
    }

    private void names(boolean there, Map<String, String> names) {
        if (there) {
            json.name("ExpressionAttributeNames").beginObject();
            names.forEach((placeholder, name) -> json.name(placeholder).text(name));
            json.endObject();
        }
    }

    private byte[] end(@Nullable String capacity) {
        text("ReturnConsumedCapacity", capacity);
        return json.endObject().bytes();
    }
}
