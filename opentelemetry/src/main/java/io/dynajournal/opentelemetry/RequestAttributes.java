package io.dynajournal.opentelemetry;

import io.dynajournal.listener.Operation;
import io.dynajournal.listener.RequestEvent;
import io.dynajournal.listener.RequestEvent.Outcome;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.AttributesBuilder;

/** Attributes of a request, by the semantic conventions for database clients. */
final class RequestAttributes {

    static final AttributeKey<String> SYSTEM = AttributeKey.stringKey("db.system.name");
    static final AttributeKey<String> OPERATION = AttributeKey.stringKey("db.operation.name");
    static final AttributeKey<String> TABLE = AttributeKey.stringKey("db.collection.name");
    static final AttributeKey<String> ERROR = AttributeKey.stringKey("error.type");

    /** As the AWS SDK names the exception of a condition that did not hold. */
    private static final String CONDITION_FAILED = "ConditionalCheckFailedException";

    private RequestAttributes() {}

    static Attributes of(RequestEvent event) {
        AttributesBuilder attributes = builder(event.operation(), event.table());
        if (event.failure() != null) {
            attributes.put(ERROR, event.failure().getClass().getName());
        } else if (event.outcome() == Outcome.CONDITION_FAILED) {
            attributes.put(ERROR, CONDITION_FAILED);
        }
        return attributes.build();
    }

    static AttributesBuilder builder(Operation operation, String table) {
        return Attributes.builder()
                .put(SYSTEM, "aws.dynamodb")
                .put(OPERATION, apiName(operation))
                .put(TABLE, table);
    }

    /** The name in DynamoDB's API. */
    static String apiName(Operation operation) {
        return switch (operation) {
            case PUT -> "PutItem";
            case UPDATE -> "UpdateItem";
            case DELETE -> "DeleteItem";
            case QUERY -> "Query";
            case SCAN -> "Scan";
            case BATCH_INSERT -> "BatchExecuteStatement";
            case BATCH_WRITE -> "BatchWriteItem";
            case BATCH_GET -> "BatchGetItem";
            case TRANSACT -> "TransactWriteItems";
            case DESCRIBE_TABLE -> "DescribeTable";
            case CREATE_TABLE -> "CreateTable";
            case DELETE_TABLE -> "DeleteTable";
            case DESCRIBE_TIME_TO_LIVE -> "DescribeTimeToLive";
            case UPDATE_TIME_TO_LIVE -> "UpdateTimeToLive";
        };
    }
}
