package io.dynajournal.bench.wire;

import io.dynajournal.internal.dynamo.Item;
import io.dynajournal.internal.dynamo.ItemSize;
import io.dynajournal.internal.dynamo.TableSpec;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import software.amazon.awssdk.protocols.jsoncore.JsonNode;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Calculates what requests cost. The capacity units are those that DynamoDB reports, except where DynamoDB Local is wrong; there
 * the published rules are applied:
 *
 * <ul>
 *   <li>a transaction costs two write units per KB of each item, and one per KB of an index row;
 *   <li>a read that finds nothing costs one read unit per key if it is consistent, else half a unit;
 *   <li>a put whose condition fails costs the units of its item, which DynamoDB does not report;
 *   <li>an insert of a batch costs the same as a put, whether it succeeds or is rejected as a duplicate.
 * </ul>
 *
 * Index rows are assumed to be new, as they are in a journal.
 */
public final class CostCalculator {

    private static final String CAPACITY = "ConsumedCapacity";

    private final Map<String, TableSpec> tables;

    public CostCalculator(List<TableSpec> tables) {
        this.tables = tables.stream().collect(Collectors.toMap(TableSpec::name, spec -> spec));
    }

    public RequestCost cost(Exchange exchange) {
        JsonNode request = JsonNode.parser().parse(exchange.requestText());
        JsonNode response = JsonNode.parser().parse(new String(exchange.response(), StandardCharsets.UTF_8));
        long bytes = (long) exchange.request().length + exchange.response().length - capacityLength(response);
        return switch (exchange.operation()) {
            case "PutItem" -> written(1, exchange.succeeded() ? units(response) : rejected(request), bytes);
            case "UpdateItem", "DeleteItem" -> written(1, exchange.succeeded() ? units(response) : 1, bytes);
            case "BatchWriteItem" -> written(members(request, "RequestItems"), units(response), bytes);
            case "TransactWriteItems" -> transaction(request, bytes);
            case "BatchExecuteStatement" -> statements(request, response, bytes);
            case "Query", "Scan" -> {
                int found = array(response, "Items").size();
                yield read(found, found == 0 ? 1 : 0, units(response), isConsistent(request), bytes);
            }
            case "GetItem" -> {
                int found = response.field("Item").isPresent() ? 1 : 0;
                yield read(found, 1 - found, units(response), isConsistent(request), bytes);
            }
            case "BatchGetItem" -> batchGet(request, response, bytes);
            default -> new RequestCost(0, 0, 0, 0, bytes, false, true);
        };
    }

    private static RequestCost written(int items, double units, long bytes) {
        return new RequestCost(items, 0, units, 0, bytes, false, true);
    }

    /** @param misses the number of keys without an item */
    private static RequestCost read(int items, int misses, double reported, boolean consistent, long bytes) {
        // DynamoDB reports the cost of a miss; DynamoDB Local does not.
        double units = reported + (items > 0 || reported == 0 ? misses * (consistent ? 1 : 0.5) : 0);
        return new RequestCost(0, items, 0, units, bytes, true, consistent);
    }

    private RequestCost transaction(JsonNode request, long bytes) {
        List<JsonNode> members = array(request, "TransactItems");
        double units = 0;
        for (JsonNode member : members) {
            Optional<JsonNode> put = member.field("Put");
            units += put.isPresent() ? transactionPut(put.get()) : 2;
        }
        return written(members.size(), units, bytes);
    }

    private double transactionPut(JsonNode put) {
        Map<String, AttributeValue> item = item(put);
        return 2.0 * itemUnits(item) + indexUnits(text(put, "TableName"), item);
    }

    private static double rejected(JsonNode put) {
        return itemUnits(item(put));
    }

    /** Each statement has a response of its own; without any the batch was rejected before anything was written. */
    private RequestCost statements(JsonNode request, JsonNode response, long bytes) {
        List<JsonNode> statements = array(request, "Statements");
        List<JsonNode> responses = array(response, "Responses");
        double units = 0;
        for (int i = 0; i < responses.size(); i++) {
            units += insertUnits(InsertStatement.of(statements.get(i)), responses.get(i));
        }
        return written(statements.size(), units, bytes);
    }

    private double insertUnits(InsertStatement insert, JsonNode response) {
        Optional<JsonNode> error = response.field("Error");
        if (error.isEmpty()) {
            return itemUnits(insert.item()) + indexUnits(insert.table(), insert.item());
        }
        // A throttled or invalid statement was not executed.
        return text(error.get(), "Code").equals("DuplicateItem") ? itemUnits(insert.item()) : 0;
    }

    private static double itemUnits(Map<String, AttributeValue> item) {
        return ItemSize.writeUnits(Item.of(item).size());
    }

    private double indexUnits(String tableName, Map<String, AttributeValue> item) {
        TableSpec table = tables.get(tableName);
        if (table == null) {
            return 0;
        }
        double units = 0;
        for (TableSpec.Index index : table.indexes()) {
            if (holds(item, index.hash()) && (index.range() == null || holds(item, index.range()))) {
                units += itemUnits(row(item, table, index));
            }
        }
        for (TableSpec.LocalIndex index : table.localIndexes()) {
            units += holds(item, index.range()) ? itemUnits(item) : 0;
        }
        return units;
    }

    private static boolean holds(Map<String, AttributeValue> item, TableSpec.Key key) {
        return item.containsKey(key.name());
    }

    private static Map<String, AttributeValue> row(
            Map<String, AttributeValue> item, TableSpec table, TableSpec.Index index) {
        Map<String, AttributeValue> row = new HashMap<>(item);
        if (!index.projected().equals(TableSpec.Index.EVERYTHING)) {
            List<String> keys = Stream.of(table.hash(), table.range(), index.hash(), index.range())
                    .flatMap(Stream::ofNullable)
                    .map(TableSpec.Key::name)
                    .toList();
            row.keySet()
                    .removeIf(name -> !keys.contains(name) && !index.projected().contains(name));
        }
        return row;
    }

    private static RequestCost batchGet(JsonNode request, JsonNode response, long bytes) {
        Map<String, JsonNode> requested = object(request, "RequestItems");
        int keys = requested.values().stream()
                .mapToInt(table -> array(table, "Keys").size())
                .sum();
        boolean consistent = requested.values().stream().allMatch(CostCalculator::isConsistent);
        int found = members(response, "Responses");
        return read(found, keys - found, units(response), consistent, bytes);
    }

    private static boolean isConsistent(JsonNode request) {
        return request.field("ConsistentRead").map(JsonNode::asBoolean).orElse(false);
    }

    /** The units of all tables, including those of their indexes. */
    private static double units(JsonNode response) {
        Optional<JsonNode> capacity = response.field(CAPACITY);
        if (capacity.isEmpty() || capacity.get().isNull()) {
            return 0;
        }
        Stream<JsonNode> tables =
                capacity.get().isArray() ? capacity.get().asArray().stream() : Stream.of(capacity.get());
        return tables.mapToDouble(table -> table.field("CapacityUnits")
                        .map(units -> Double.parseDouble(units.asNumber()))
                        .orElse(0.0))
                .sum();
    }

    /** The length of the response's capacity, with key, quotes, colon and comma. */
    private static int capacityLength(JsonNode response) {
        return response.field(CAPACITY)
                .map(capacity -> capacity.toString().length() + CAPACITY.length() + 4)
                .orElse(0);
    }

    private static int members(JsonNode parent, String field) {
        return object(parent, field).values().stream()
                .mapToInt(table -> table.asArray().size())
                .sum();
    }

    private static Map<String, JsonNode> object(JsonNode parent, String field) {
        return parent.field(field)
                .filter(JsonNode::isObject)
                .map(JsonNode::asObject)
                .orElse(Map.of());
    }

    private static List<JsonNode> array(JsonNode parent, String field) {
        return parent.field(field)
                .filter(JsonNode::isArray)
                .map(JsonNode::asArray)
                .orElse(List.of());
    }

    private static String text(JsonNode parent, String field) {
        return parent.field(field).map(JsonNode::asString).orElse("");
    }

    private static Map<String, AttributeValue> item(JsonNode put) {
        return AttributeJson.item(object(put, "Item"));
    }
}
