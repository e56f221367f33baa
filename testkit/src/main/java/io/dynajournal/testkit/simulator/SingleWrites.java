package io.dynajournal.testkit.simulator;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.DeleteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.DeleteItemResponse;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.PutItemResponse;
import software.amazon.awssdk.services.dynamodb.model.ReturnValue;
import software.amazon.awssdk.services.dynamodb.model.ReturnValuesOnConditionCheckFailure;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemResponse;

/** PutItem, UpdateItem and DeleteItem. */
final class SingleWrites {

    private final Tables tables;

    SingleWrites(Tables tables) {
        this.tables = tables;
    }

    static boolean showsExisting(@Nullable ReturnValuesOnConditionCheckFailure wanted) {
        return wanted == ReturnValuesOnConditionCheckFailure.ALL_OLD;
    }

    PutItemResponse put(PutItemRequest request) {
        Table table = tables.named(request.tableName());
        checkReturnValues(request.returnValues());
        ItemChange.Done done = ItemChange.put(
                        table,
                        request.item(),
                        new ItemChange.Expressions(
                                request.conditionExpression(),
                                null,
                                request.expressionAttributeNames(),
                                request.expressionAttributeValues()))
                .applyIf(showsExisting(request.returnValuesOnConditionCheckFailure()));
        return PutItemResponse.builder()
                .attributes(old(request.returnValues(), done))
                .consumedCapacity(done.units().report(table, request.returnConsumedCapacity()))
                .build();
    }

    DeleteItemResponse delete(DeleteItemRequest request) {
        Table table = tables.named(request.tableName());
        checkReturnValues(request.returnValues());
        ItemChange.Done done = ItemChange.delete(
                        table,
                        request.key(),
                        new ItemChange.Expressions(
                                request.conditionExpression(),
                                null,
                                request.expressionAttributeNames(),
                                request.expressionAttributeValues()))
                .applyIf(showsExisting(request.returnValuesOnConditionCheckFailure()));
        return DeleteItemResponse.builder()
                .attributes(old(request.returnValues(), done))
                .consumedCapacity(done.units().report(table, request.returnConsumedCapacity()))
                .build();
    }

    private static void checkReturnValues(@Nullable ReturnValue wanted) {
        if (wanted != null && wanted != ReturnValue.NONE && wanted != ReturnValue.ALL_OLD) {
            throw Errors.validation("Return values set to invalid value");
        }
    }

    private static @Nullable Map<String, AttributeValue> old(@Nullable ReturnValue wanted, ItemChange.Done done) {
        return wanted == ReturnValue.ALL_OLD && !done.before().isEmpty() ? done.before() : null;
    }

    UpdateItemResponse update(UpdateItemRequest request) {
        Table table = tables.named(request.tableName());
        ItemChange.Expressions expressions = new ItemChange.Expressions(
                request.conditionExpression(),
                request.updateExpression(),
                request.expressionAttributeNames(),
                request.expressionAttributeValues());
        ItemChange.Done done = ItemChange.update(table, request.key(), expressions)
                .applyIf(showsExisting(request.returnValuesOnConditionCheckFailure()));
        return UpdateItemResponse.builder()
                .attributes(returned(request.returnValues(), done))
                .consumedCapacity(done.units().report(table, request.returnConsumedCapacity()))
                .build();
    }

    private static @Nullable Map<String, AttributeValue> returned(@Nullable ReturnValue wanted, ItemChange.Done done) {
        if (wanted == null) {
            return null;
        }
        Map<String, AttributeValue> returned = switch (wanted) {
            case ALL_OLD -> done.before();
            case ALL_NEW -> done.after();
            case UPDATED_OLD -> changed(done.before(), done.after());
            case UPDATED_NEW -> changed(done.after(), done.before());
            default -> Map.of();
        };
        return returned.isEmpty() ? null : returned;
    }

    private static Map<String, AttributeValue> changed(
            Map<String, AttributeValue> shown, Map<String, AttributeValue> other) {
        Map<String, AttributeValue> changed = new HashMap<>(shown);
        changed.entrySet().removeIf(entry -> entry.getValue().equals(other.get(entry.getKey())));
        return changed;
    }
}
