package io.dynajournal.testkit;

import io.dynajournal.internal.dynamo.Item;
import io.dynajournal.internal.dynamo.ItemSize;
import io.dynajournal.internal.dynamo.TableSpec;
import io.dynajournal.listener.Operation;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.protocols.jsoncore.JsonNode;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * The cost of one request by AWS's published rules. The units that a server reports are used only where all servers agree;
 * DynamoDB Local reports the following wrongly, so they are computed:
 *
 * <ul>
 *   <li>A Query or Scan that reads no item takes 1 read unit, or 0.5 if it is eventually consistent.
 *   <li>A BatchGetItem takes for each key 1 read unit per 4 KB of its item, at least 1, whether the item exists or not; half
 *       of that if it is eventually consistent.
 *   <li>A TransactWriteItems takes 2 write units per KB of each item that is put, and 1 per KB of each of its index rows. An
 *       update, a delete and a condition check count as 2 units, which is right for items of up to 1 KB.
 *   <li>A conditional write that fails takes 1 write unit per KB of the existing item, at least 1.
 * </ul>
 */
final class CapacityRules {

    private static final int READ_UNIT_BYTES = 4096;
    private static final Map<String, Operation> OPERATIONS = Map.of(
            "PutItem", Operation.PUT,
            "UpdateItem", Operation.UPDATE,
            "DeleteItem", Operation.DELETE,
            "Query", Operation.QUERY,
            "Scan", Operation.SCAN,
            "BatchExecuteStatement", Operation.BATCH_INSERT,
            "BatchWriteItem", Operation.BATCH_WRITE,
            "BatchGetItem", Operation.BATCH_GET,
            "TransactWriteItems", Operation.TRANSACT,
            "DescribeTable", Operation.DESCRIBE_TABLE);

    private record Units(double table, double indexes) {
        static final Units NONE = new Units(0, 0);

        Units plus(Units other) {
            return new Units(table + other.table, indexes + other.indexes);
        }
    }

    private final Function<String, @Nullable TableSpec> tables;

    /** @param tables the tables by name, for the rows of their indexes; null for an unknown one */
    CapacityRules(Function<String, @Nullable TableSpec> tables) {
        this.tables = tables;
    }

    /**
     * The cost of a request; none for an operation that we do not count, such as CreateTable.
     *
     * @param operation DynamoDB's name of the operation
     * @param request the body of the request
     * @param succeeded whether DynamoDB answered with status 200
     * @param response the body of the response
     */
    Cost cost(String operation, String request, boolean succeeded, String response) {
        Operation counted = OPERATIONS.get(operation);
        if (counted == null) {
            return Cost.NONE;
        }
        JsonNode asked = JsonNode.parser().parse(request);
        JsonNode answer = JsonNode.parser().parse(response);
        return switch (counted) {
            case PUT, UPDATE, DELETE, BATCH_WRITE, BATCH_INSERT ->
                written(counted, succeeded ? reported(answer) : failedCondition(answer));
            case TRANSACT -> written(counted, transaction(asked));
            case QUERY, SCAN -> read(counted, succeeded ? queried(asked, answer) : Units.NONE);
            case BATCH_GET -> read(counted, succeeded ? batchGet(asked, answer) : Units.NONE);
            case DESCRIBE_TABLE, CREATE_TABLE, DELETE_TABLE, DESCRIBE_TIME_TO_LIVE, UPDATE_TIME_TO_LIVE ->
                read(counted, Units.NONE);
        };
    }

    private static Cost written(Operation operation, Units units) {
        return new Cost(Map.of(operation, 1), units.table(), units.indexes(), 0, 0);
    }

    private static Cost read(Operation operation, Units units) {
        return new Cost(Map.of(operation, 1), 0, 0, units.table(), units.indexes());
    }

    private static Units queried(JsonNode request, JsonNode response) {
        boolean nothingRead = response.field("ScannedCount")
                .map(count -> count.asNumber().equals("0"))
                .orElse(false);
        if (!nothingRead) {
            return reported(response);
        }
        double unit = unitOf(request);
        return request.field("IndexName").isPresent() ? new Units(0, unit) : new Units(unit, 0);
    }

    private static Units batchGet(JsonNode request, JsonNode response) {
        double units = 0;
        for (Map.Entry<String, JsonNode> table : object(request, "RequestItems").entrySet()) {
            List<JsonNode> found = response.field("Responses")
                    .map(responses -> array(responses, table.getKey()))
                    .orElse(List.of());
            int unprocessed = response.field("UnprocessedKeys")
                    .flatMap(tables -> tables.field(table.getKey()))
                    .map(keys -> array(keys, "Keys").size())
                    .orElse(0);
            int missing = array(table.getValue(), "Keys").size() - unprocessed - found.size();
            int readUnits = found.stream().mapToInt(CapacityRules::readUnits).sum();
            units += (readUnits + missing) * unitOf(table.getValue());
        }
        return new Units(units, 0);
    }

    private static int readUnits(JsonNode item) {
        return Math.max(1, (Item.of(AttributeJson.item(item)).size() + READ_UNIT_BYTES - 1) / READ_UNIT_BYTES);
    }

    private static double unitOf(JsonNode request) {
        return request.field("ConsistentRead").map(JsonNode::asBoolean).orElse(false) ? 1 : 0.5;
    }

    private Units transaction(JsonNode request) {
        Units units = Units.NONE;
        for (JsonNode action : array(request, "TransactItems")) {
            Optional<JsonNode> put = action.field("Put");
            units = units.plus(put.isPresent() ? transactionPut(put.get()) : new Units(2, 0));
        }
        return units;
    }

    private Units transactionPut(JsonNode put) {
        Map<String, AttributeValue> item =
                put.field("Item").map(AttributeJson::item).orElse(Map.of());
        String table = put.field("TableName").map(JsonNode::asString).orElse("");
        return new Units(2.0 * writeUnits(item), indexUnits(tables.apply(table), item));
    }

    private static int writeUnits(Map<String, AttributeValue> item) {
        return ItemSize.writeUnits(Item.of(item).size());
    }

    /** The rows of a new item in the indexes. */
    private static double indexUnits(@Nullable TableSpec table, Map<String, AttributeValue> item) {
        if (table == null) {
            return 0;
        }
        double units = 0;
        for (TableSpec.Index index : table.indexes()) {
            if (item.containsKey(index.hash().name())
                    && (index.range() == null || item.containsKey(index.range().name()))) {
                units += writeUnits(projected(table, index, item));
            }
        }
        for (TableSpec.LocalIndex index : table.localIndexes()) {
            units += item.containsKey(index.range().name()) ? writeUnits(item) : 0;
        }
        return units;
    }

    private static Map<String, AttributeValue> projected(
            TableSpec table, TableSpec.Index index, Map<String, AttributeValue> item) {
        if (index.projected().equals(TableSpec.Index.EVERYTHING)) {
            return item;
        }
        List<String> names = Stream.concat(
                        Stream.of(table.hash(), table.range(), index.hash(), index.range())
                                .flatMap(Stream::ofNullable)
                                .map(TableSpec.Key::name),
                        index.projected().stream())
                .toList();
        Map<String, AttributeValue> row = new HashMap<>(item);
        row.keySet().retainAll(names);
        return row;
    }

    private static Units failedCondition(JsonNode response) {
        boolean failed = response.field("__type")
                .map(type -> type.asString().endsWith("ConditionalCheckFailedException"))
                .orElse(false);
        Map<String, AttributeValue> existing =
                response.field("Item").map(AttributeJson::item).orElse(Map.of());
        return failed ? new Units(writeUnits(existing), 0) : Units.NONE;
    }

    private static Units reported(JsonNode response) {
        Optional<JsonNode> capacity = response.field("ConsumedCapacity").filter(found -> !found.isNull());
        if (capacity.isEmpty()) {
            return Units.NONE;
        }
        List<JsonNode> all = capacity.get().isArray() ? capacity.get().asArray() : List.of(capacity.get());
        return all.stream().map(CapacityRules::reportedOfTable).reduce(Units.NONE, Units::plus);
    }

    private static Units reportedOfTable(JsonNode capacity) {
        double total = units(capacity);
        double table = capacity.field("Table").map(CapacityRules::units).orElse(total);
        return new Units(table, total - table);
    }

    private static double units(JsonNode capacity) {
        return capacity.field("CapacityUnits")
                .map(units -> Double.parseDouble(units.asNumber()))
                .orElse(0.0);
    }

    private static Map<String, JsonNode> object(JsonNode parent, String field) {
        return parent.field(field).map(JsonNode::asObject).orElse(Map.of());
    }

    private static List<JsonNode> array(JsonNode parent, String field) {
        return parent.field(field).map(JsonNode::asArray).orElse(List.of());
    }
}
