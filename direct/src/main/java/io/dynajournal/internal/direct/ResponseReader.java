package io.dynajournal.internal.direct;

import io.dynajournal.internal.dynamo.Answer;
import io.dynajournal.internal.dynamo.RawPage;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BatchStatementError;
import software.amazon.awssdk.services.dynamodb.model.BatchStatementResponse;
import software.amazon.awssdk.services.dynamodb.model.Capacity;
import software.amazon.awssdk.services.dynamodb.model.ConsumedCapacity;

/** Reads the bodies of answers; fields that are not used are skipped. */
final class ResponseReader {

    private final JsonReader json;
    private final @Nullable String date;
    private final List<ConsumedCapacity> capacity = new ArrayList<>(1);

    ResponseReader(byte[] body, @Nullable String date) {
        this.json = new JsonReader(body);
        this.date = date;
    }

    /** The replaced item if the request asked for it. */
    Answer<Map<String, AttributeValue>> put() {
        Map<String, AttributeValue> before = new LinkedHashMap<>();
        json.fields(name -> {
            switch (name) {
                case "Attributes" -> before.putAll(Attributes.read(json));
                case "ConsumedCapacity" -> capacity.add(capacity());
                default -> json.skip();
            }
        });
        return new Answer<>(before, capacity, date);
    }

    Answer<RawPage> query() {
        List<Map<String, AttributeValue>> items = new ArrayList<>();
        Map<String, AttributeValue> next = new LinkedHashMap<>();
        json.fields(name -> {
            switch (name) {
                case "Items" -> items.addAll(Attributes.list(json, Attributes::read));
                case "LastEvaluatedKey" -> next.putAll(Attributes.read(json));
                case "ConsumedCapacity" -> capacity.add(capacity());
                default -> json.skip();
            }
        });
        return new Answer<>(new RawPage(items, next.isEmpty() ? null : next), capacity, date);
    }

    Answer<List<BatchStatementResponse>> statements() {
        List<BatchStatementResponse> statements = new ArrayList<>();
        json.fields(name -> {
            switch (name) {
                case "Responses" -> statements.addAll(Attributes.list(json, each -> statement()));
                case "ConsumedCapacity" -> capacity.addAll(Attributes.list(json, each -> capacity()));
                default -> json.skip();
            }
        });
        return new Answer<>(statements, capacity, date);
    }

    private BatchStatementResponse statement() {
        BatchStatementResponse.Builder statement = BatchStatementResponse.builder();
        json.fields(name -> {
            switch (name) {
                case "Error" -> statement.error(error());
                case "TableName" -> statement.tableName(json.text());
                case "Item" -> statement.item(Attributes.read(json));
                default -> json.skip();
            }
        });
        return statement.build();
    }

    private BatchStatementError error() {
        BatchStatementError.Builder error = BatchStatementError.builder();
        json.fields(name -> {
            switch (name) {
                case "Code" -> error.code(json.text());
                case "Message" -> error.message(json.text());
                case "Item" -> error.item(Attributes.read(json));
                default -> json.skip();
            }
        });
        return error.build();
    }

    private ConsumedCapacity capacity() {
        ConsumedCapacity.Builder consumed = ConsumedCapacity.builder();
        json.fields(name -> {
            switch (name) {
                case "TableName" -> consumed.tableName(json.text());
                case "CapacityUnits" -> consumed.capacityUnits(json.number());
                case "ReadCapacityUnits" -> consumed.readCapacityUnits(json.number());
                case "WriteCapacityUnits" -> consumed.writeCapacityUnits(json.number());
                case "Table" -> consumed.table(part());
                case "LocalSecondaryIndexes" -> consumed.localSecondaryIndexes(parts());
                case "GlobalSecondaryIndexes" -> consumed.globalSecondaryIndexes(parts());
                default -> json.skip();
            }
        });
        return consumed.build();
    }

    private Map<String, Capacity> parts() {
        Map<String, Capacity> parts = new LinkedHashMap<>();
        json.fields(name -> parts.put(name, part()));
        return parts;
    }

    private Capacity part() {
        Capacity.Builder part = Capacity.builder();
        json.fields(name -> {
            switch (name) {
                case "CapacityUnits" -> part.capacityUnits(json.number());
                case "ReadCapacityUnits" -> part.readCapacityUnits(json.number());
                case "WriteCapacityUnits" -> part.writeCapacityUnits(json.number());
                default -> json.skip();
            }
        });
        return part.build();
    }
}
