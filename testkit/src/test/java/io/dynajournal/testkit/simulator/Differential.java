package io.dynajournal.testkit.simulator;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BatchExecuteStatementResponse;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.BatchStatementRequest;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.CancellationReason;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.ConsumedCapacity;
import software.amazon.awssdk.services.dynamodb.model.DeleteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.DeleteItemResponse;
import software.amazon.awssdk.services.dynamodb.model.GetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.GlobalSecondaryIndex;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.KeysAndAttributes;
import software.amazon.awssdk.services.dynamodb.model.ProjectionType;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.PutItemResponse;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryResponse;
import software.amazon.awssdk.services.dynamodb.model.ReturnConsumedCapacity;
import software.amazon.awssdk.services.dynamodb.model.ReturnValue;
import software.amazon.awssdk.services.dynamodb.model.ReturnValuesOnConditionCheckFailure;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;
import software.amazon.awssdk.services.dynamodb.model.ScanResponse;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemResponse;
import software.amazon.awssdk.services.dynamodb.model.WriteRequest;

/** Sends random requests to a server and to the simulator and compares the answers: items, errors by code, counts and capacity. */
final class Differential {

    private static final String INDEX = "by-group";
    /** Dynoxide accepts many requests that DynamoDB rejects as invalid, so that those are not compared with it. */
    private static final boolean DYNOXIDE = "dynoxide".equals(System.getenv("DYNAMODB_SERVER"));

    private final SplittableRandom random;
    private final DynamoDbAsyncClient server;
    private final DynamoDbAsyncClient simulated;
    private final VirtualTime time;
    private final String table;
    private final List<String> differences = new ArrayList<>();

    Differential(DynamoDbAsyncClient server, String table, long seed) {
        this.random = new SplittableRandom(seed);
        this.server = server;
        this.table = table;
        this.time = new VirtualTime(seed);
        this.simulated = SimulatedDynamoDb.in(time).client("differential");
        create(server);
        create(simulated);
    }

    private void create(DynamoDbAsyncClient client) {
        CompletableFuture<?> created = client.createTable(create -> create.tableName(table)
                .billingMode(BillingMode.PAY_PER_REQUEST)
                .keySchema(key("pk", KeyType.HASH), key("sk", KeyType.RANGE))
                .attributeDefinitions(
                        attribute("pk", ScalarAttributeType.S),
                        attribute("sk", ScalarAttributeType.N),
                        attribute("grp", ScalarAttributeType.S))
                .globalSecondaryIndexes(GlobalSecondaryIndex.builder()
                        .indexName(INDEX)
                        .keySchema(key("grp", KeyType.HASH), key("sk", KeyType.RANGE))
                        .projection(projection -> projection
                                .projectionType(ProjectionType.INCLUDE)
                                .nonKeyAttributes("a", "n"))
                        .build()));
        time.runAll();
        created.join();
    }

    private static KeySchemaElement key(String name, KeyType type) {
        return KeySchemaElement.builder().attributeName(name).keyType(type).build();
    }

    private static AttributeDefinition attribute(String name, ScalarAttributeType type) {
        return AttributeDefinition.builder()
                .attributeName(name)
                .attributeType(type)
                .build();
    }

    /** What differs, each with its request. */
    List<String> differences(int requests) {
        for (int i = 0; i < requests; i++) {
            switch (random.nextInt(12)) {
                case 0, 1 -> put();
                case 2, 3, 4 -> update();
                case 5 -> delete();
                case 6, 7 -> query();
                case 8 -> scan();
                case 9 -> transact();
                case 10 -> batch();
                default -> statements();
            }
        }
        return differences;
    }

    private <R> void both(
            Object request, Function<DynamoDbAsyncClient, CompletableFuture<R>> call, Function<R, Object> show) {
        CompletableFuture<R> ours = call.apply(simulated);
        time.runAll();
        String actual = shown(ours, show);
        if (DYNOXIDE && actual.equals("ValidationException")) {
            return;
        }
        String expected = shown(call.apply(server), show);
        if (!expected.equals(actual) && !isKnown(request, expected, actual)) {
            differences.add(request + "\n  server:    " + expected + "\n  simulator: " + actual);
        }
    }

    /**
     * Where DynamoDB Local differs from DynamoDB as documented, and the simulator does not: two actions on one item are no valid
     * transaction and a key attribute cannot be updated, whatever the conditions; {@code CONVERT}, {@code SIZE} and {@code TERMINATE} are reserved.
     * Dynoxide shows the key as the old item where there was none.
     */
    private static boolean isKnown(Object request, String server, String simulator) {
        if (DYNOXIDE) {
            return request instanceof UpdateItemRequest update
                    && update.returnValues() == ReturnValue.ALL_OLD
                    && server.replace(sorted(update.key()), "{}").equals(simulator);
        }
        if (!simulator.equals("ValidationException")) {
            return false;
        }
        if (request instanceof Actions actions && !actions.areOfDistinctItems()) {
            return server.startsWith("TransactionCanceledException");
        }
        if (request instanceof UpdateItemRequest update
                && update.updateExpression().startsWith("SET pk")) {
            return server.startsWith("ConditionalCheckFailedException");
        }
        return server.equals("allowed")
                && List.of("CONVERT", "SIZE", "TERMINATE").contains(request);
    }

    private record Actions(List<TransactWriteItem> items, List<Map<String, AttributeValue>> keys) {
        boolean areOfDistinctItems() {
            return new HashSet<>(keys).size() == keys.size();
        }
    }

    private static <R> String shown(CompletableFuture<R> answer, Function<R, Object> show) {
        try {
            return String.valueOf(show.apply(answer.join()));
        } catch (CompletionException e) {
            if (!(e.getCause() instanceof AwsServiceException service)) {
                throw e;
            }
            String code = service.awsErrorDetails().errorCode();
            if (service instanceof ConditionalCheckFailedException failed) {
                return code + (failed.hasItem() ? sorted(failed.item()) : "");
            }
            if (service instanceof TransactionCanceledException cancelled) {
                return code
                        + cancelled.cancellationReasons().stream()
                                .map(Differential::shown)
                                .toList();
            }
            return code;
        }
    }

    private static String shown(CancellationReason reason) {
        return reason.code() + (reason.hasItem() ? sorted(reason.item()) : "");
    }

    private static String sorted(@Nullable Map<String, AttributeValue> item) {
        if (item == null) {
            return "{}";
        }
        Map<String, Object> sorted = new TreeMap<>();
        item.forEach((name, value) -> sorted.put(name, value.hasM() ? sorted(value.m()) : Values.normal(value)));
        return sorted.toString();
    }

    private static List<String> all(List<Map<String, AttributeValue>> items) {
        return items.stream().map(Differential::sorted).toList();
    }

    private static String units(@Nullable ConsumedCapacity capacity) {
        if (capacity == null) {
            return "";
        }
        return " units " + capacity.capacityUnits() + " of table "
                + (capacity.table() == null ? "" : capacity.table().capacityUnits()) + " of indexes "
                + new TreeMap<>(capacity.globalSecondaryIndexes());
    }

    private String pick(String... texts) {
        return texts[random.nextInt(texts.length)];
    }

    private AttributeValue value() {
        return switch (random.nextInt(9)) {
            case 0 -> AttributeValue.fromS(pick("", "x", "xy", "ü€", "b".repeat(random.nextInt(3_000))));
            case 1, 2, 3 -> AttributeValue.fromN(pick("0", "1", "-1", "1.50", "007", "1e3", "-12345.678", "12"));
            case 4 -> AttributeValue.fromB(SdkBytes.fromUtf8String(pick("", "q", "qr")));
            case 5 -> AttributeValue.fromSs(pick("x", "y").equals("x") ? List.of("x", "z") : List.of("y"));
            case 6 -> AttributeValue.fromL(List.of(AttributeValue.fromN("1"), AttributeValue.fromS("x")));
            case 7 -> AttributeValue.fromM(Map.of("k", AttributeValue.fromN(pick("1", "2"))));
            default -> AttributeValue.fromBool(random.nextBoolean());
        };
    }

    private Map<String, AttributeValue> itemKey() {
        Map<String, AttributeValue> key = new LinkedHashMap<>();
        key.put("pk", AttributeValue.fromS(pick("p", "q")));
        key.put("sk", AttributeValue.fromN(Integer.toString(random.nextInt(4))));
        return key;
    }

    private Map<String, AttributeValue> item() {
        Map<String, AttributeValue> item = itemKey();
        for (String name : List.of("a", "n", "s")) {
            if (random.nextBoolean()) {
                item.put(name, value());
            }
        }
        if (random.nextInt(3) > 0) {
            item.put("grp", random.nextInt(12) == 0 ? AttributeValue.fromN("1") : AttributeValue.fromS(pick("g", "h")));
        }
        return item;
    }

    /** A random condition, and the values that it uses. */
    private String condition(Map<String, AttributeValue> values, int depth) {
        String name = pick("a", "n", "s", "a.k", "s[0]");
        int dice = random.nextInt(depth > 2 ? 9 : 13);
        String v = ":v" + values.size();
        switch (dice) {
            case 0 -> {
                return "attribute_exists(" + name + ")";
            }
            case 1 -> {
                return "attribute_not_exists(" + name + ")";
            }
            case 2, 3, 4 -> {
                values.put(v, value());
                return name + " " + pick("=", "<>", "<", "<=", ">", ">=") + " " + v;
            }
            case 5 -> {
                values.put(v, AttributeValue.fromS(pick("x", "")));
                return "begins_with(" + name + ", " + v + ")";
            }
            case 6 -> {
                values.put(v, value());
                return "contains(" + name + ", " + v + ")";
            }
            case 7 -> {
                values.put(v, AttributeValue.fromN("1"));
                return "size(" + name + ") " + pick("=", ">", "<") + " " + v;
            }
            case 8 -> {
                values.put(v, AttributeValue.fromS(pick("S", "N", "L", "M", "SS", "BOOL")));
                return "attribute_type(" + name + ", " + v + ")";
            }
            case 9 -> {
                return "NOT " + condition(values, depth + 1);
            }
            case 10 -> {
                String second = ":w" + values.size();
                values.put(v, AttributeValue.fromN("-3"));
                values.put(second, AttributeValue.fromN("7"));
                return name + " BETWEEN " + v + " AND " + second;
            }
            default -> {
                return "(" + condition(values, depth + 1) + pick(" AND ", " OR ", " and ")
                        + condition(values, depth + 1) + ")";
            }
        }
    }

    private void put() {
        PutItemRequest.Builder put = PutItemRequest.builder()
                .tableName(table)
                .item(item())
                .returnConsumedCapacity(ReturnConsumedCapacity.INDEXES)
                .returnValues(random.nextBoolean() ? ReturnValue.ALL_OLD : ReturnValue.NONE);
        if (random.nextInt(3) == 0) {
            Map<String, AttributeValue> values = new HashMap<>();
            put.conditionExpression(condition(values, 0))
                    .returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.ALL_OLD);
            put.expressionAttributeValues(values.isEmpty() ? null : values);
        }
        PutItemRequest request = put.build();
        both(
                request,
                client -> client.putItem(request),
                (PutItemResponse answer) ->
                        sorted(answer.hasAttributes() ? answer.attributes() : null) + units(answer.consumedCapacity()));
    }

    private void update() {
        Map<String, AttributeValue> values = new HashMap<>();
        List<String> clauses = new ArrayList<>();
        values.put(":n", AttributeValue.fromN(pick("1", "-2", "0.5")));
        String set = pick(
                "SET n = :n",
                "SET n = n + :n",
                "SET n = if_not_exists(n, :n) - :n",
                "SET a = :n, s = if_not_exists(a, :n)",
                "SET a.k = :n",
                "SET a[1] = :n",
                "ADD n :n",
                "SET grp = if_not_exists(grp, :g)",
                "SET pk = :n",
                "SET n = n + :n REMOVE a",
                "REMOVE s[0] SET n = :n",
                "SET n = :n, n = :n");
        if (set.contains(":g")) {
            values.put(":g", AttributeValue.fromS(pick("g", "i")));
        }
        if (!set.contains(":n")) {
            values.remove(":n");
        }
        clauses.add(set);
        if (random.nextInt(4) == 0) {
            values.put(":set", AttributeValue.fromSs(List.of("x", "w")));
            clauses.add(pick("DELETE s :set", set.startsWith("ADD") ? "DELETE s :set" : "ADD s :set"));
        }
        UpdateItemRequest.Builder update = UpdateItemRequest.builder()
                .tableName(table)
                .key(itemKey())
                .updateExpression(String.join(" ", clauses))
                .returnConsumedCapacity(ReturnConsumedCapacity.INDEXES)
                .returnValues(random.nextBoolean() ? ReturnValue.ALL_NEW : ReturnValue.ALL_OLD);
        if (random.nextInt(3) == 0) {
            update.conditionExpression(condition(values, 0))
                    .returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.ALL_OLD);
        }
        UpdateItemRequest request = update.expressionAttributeValues(values.isEmpty() ? null : values)
                .build();
        both(
                request,
                client -> client.updateItem(request),
                (UpdateItemResponse answer) ->
                        sorted(answer.hasAttributes() ? answer.attributes() : null) + units(answer.consumedCapacity()));
    }

    private void delete() {
        DeleteItemRequest request = DeleteItemRequest.builder()
                .tableName(table)
                .key(itemKey())
                .returnConsumedCapacity(ReturnConsumedCapacity.INDEXES)
                .returnValues(ReturnValue.ALL_OLD)
                .build();
        both(
                request,
                client -> client.deleteItem(request),
                (DeleteItemResponse answer) ->
                        sorted(answer.hasAttributes() ? answer.attributes() : null) + units(answer.consumedCapacity()));
        Map<String, AttributeValue> key = itemKey();
        both(
                "GetItem " + key,
                client -> client.getItem(get -> get.tableName(table).key(key).consistentRead(true)),
                (GetItemResponse answer) -> sorted(answer.hasItem() ? answer.item() : null));
    }

    private void query() {
        boolean index = random.nextInt(3) == 0;
        Map<String, AttributeValue> values = new HashMap<>();
        values.put(":hash", AttributeValue.fromS(index ? pick("g", "h") : pick("p", "q")));
        String sort =
                pick("", "", " AND sk > :low", " AND sk BETWEEN :low AND :high", " AND sk <= :low", " AND sk = :low");
        if (sort.contains(":low")) {
            values.put(":low", AttributeValue.fromN("1"));
        }
        if (sort.contains(":high")) {
            values.put(":high", AttributeValue.fromN("2"));
        }
        QueryRequest.Builder query = QueryRequest.builder()
                .tableName(table)
                .indexName(index ? INDEX : null)
                .keyConditionExpression((index ? "grp" : "pk") + " = :hash" + sort)
                .scanIndexForward(random.nextBoolean())
                .consistentRead(random.nextInt(index ? 12 : 2) == 0)
                .returnConsumedCapacity(ReturnConsumedCapacity.INDEXES);
        if (random.nextInt(3) == 0) {
            query.filterExpression(condition(values, 0));
        }
        if (random.nextInt(3) == 0) {
            query.projectionExpression(index ? pick("a", "pk, sk") : pick("a", "pk, sk, n", "a.k, s[0]"));
        }
        if (random.nextInt(4) == 0 && !index) {
            query.limit(1 + random.nextInt(3));
        }
        QueryRequest request = query.expressionAttributeValues(values).build();
        both(request, client -> client.query(request), (QueryResponse answer) -> shown(answer, index));
    }

    /** Rows of an index with the same sort key have no order. An empty page is priced wrongly by DynamoDB Local. */
    private static String shown(QueryResponse answer, boolean index) {
        List<String> items = all(answer.items());
        return (index ? items.stream().sorted().toList() : items) + " " + answer.scannedCount()
                + (answer.scannedCount() == 0 ? "" : units(answer.consumedCapacity()));
    }

    private void scan() {
        Map<String, AttributeValue> values = new HashMap<>();
        String filter = condition(values, 0);
        both(
                "Scan " + filter + " " + values,
                client -> client.scan(scan -> scan.tableName(table)
                        .consistentRead(true)
                        .filterExpression(filter)
                        .expressionAttributeValues(values.isEmpty() ? null : values)),
                (ScanResponse answer) -> all(answer.items()).stream().sorted().toList() + " " + answer.scannedCount());
    }

    private void transact() {
        List<TransactWriteItem> actions = new ArrayList<>();
        List<Map<String, AttributeValue>> keys = new ArrayList<>();
        for (int i = 0; i <= random.nextInt(3); i++) {
            Map<String, AttributeValue> values = new HashMap<>();
            String condition = condition(values, 1);
            Map<String, AttributeValue> item = item();
            Map<String, AttributeValue> key = Map.of("pk", item.get("pk"), "sk", item.get("sk"));
            keys.add(key);
            actions.add(
                    switch (random.nextInt(3)) {
                        case 0 ->
                            TransactWriteItem.builder()
                                    .put(put -> put.tableName(table)
                                            .item(item)
                                            .conditionExpression(condition)
                                            .expressionAttributeValues(values.isEmpty() ? null : values)
                                            .returnValuesOnConditionCheckFailure(
                                                    ReturnValuesOnConditionCheckFailure.ALL_OLD))
                                    .build();
                        case 1 ->
                            TransactWriteItem.builder()
                                    .delete(delete -> delete.tableName(table).key(key))
                                    .build();
                        default ->
                            TransactWriteItem.builder()
                                    .conditionCheck(check -> check.tableName(table)
                                            .key(key)
                                            .conditionExpression(condition)
                                            .expressionAttributeValues(values.isEmpty() ? null : values))
                                    .build();
                    });
        }
        both(
                new Actions(actions, keys),
                client -> client.transactWriteItems(transaction -> transaction.transactItems(actions)),
                answer -> "done");
    }

    private void batch() {
        List<WriteRequest> writes = new ArrayList<>();
        for (int i = 0; i <= random.nextInt(3); i++) {
            writes.add(
                    random.nextBoolean()
                            ? WriteRequest.builder()
                                    .putRequest(put -> put.item(item()))
                                    .build()
                            : WriteRequest.builder()
                                    .deleteRequest(delete -> delete.key(itemKey()))
                                    .build());
        }
        both(
                writes,
                client -> client.batchWriteItem(batch ->
                        batch.requestItems(Map.of(table, writes)).returnConsumedCapacity(ReturnConsumedCapacity.TOTAL)),
                // DynamoDB Local counts a delete in a batch as if the item had been in the index.
                answer -> answer.unprocessedItems().size() + " "
                        + (writes.stream().anyMatch(write -> write.deleteRequest() != null)
                                ? ""
                                : answer.consumedCapacity().stream()
                                        .mapToDouble(ConsumedCapacity::capacityUnits)
                                        .sum()));
        List<Map<String, AttributeValue>> keys = List.of(itemKey(), itemKey());
        both(
                "BatchGetItem " + keys,
                client -> client.batchGetItem(get -> get.requestItems(Map.of(
                        table,
                        KeysAndAttributes.builder()
                                .keys(keys)
                                .consistentRead(true)
                                .build()))),
                (BatchGetItemResponse answer) -> all(answer.responses().getOrDefault(table, List.of())).stream()
                        .sorted(Comparator.naturalOrder())
                        .toList());
    }

    private void statements() {
        Map<String, AttributeValue> item = item();
        StringBuilder fields = new StringBuilder();
        item.keySet()
                .forEach(name -> fields.append(fields.isEmpty() ? "" : ",")
                        .append('\'')
                        .append(name)
                        .append("':?"));
        String statement = "INSERT INTO \"" + table + "\" VALUE {" + fields + "}";
        both(
                statement + item,
                client -> client.batchExecuteStatement(batch -> batch.statements(BatchStatementRequest.builder()
                        .statement(statement)
                        .parameters(item.values())
                        .build())),
                (BatchExecuteStatementResponse answer) -> answer.responses().stream()
                        .map(each ->
                                each.error() == null ? "stored" : each.error().codeAsString())
                        .toList());
    }

    /** Words that only one of the two reserves. */
    static List<String> reservedWordDifferences(DynamoDbAsyncClient server, String table) {
        Differential both = new Differential(server, table, 1);
        for (String word : ReservedWords.all()) {
            both.both(
                    word,
                    client -> client.getItem(
                            get -> get.tableName(table).key(both.itemKey()).projectionExpression(word)),
                    (GetItemResponse answer) -> "allowed");
        }
        return both.differences;
    }
}
