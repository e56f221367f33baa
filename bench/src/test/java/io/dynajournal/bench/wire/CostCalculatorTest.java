package io.dynajournal.bench.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.dynajournal.internal.dynamo.TableSpec;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class CostCalculatorTest {

    private static final TableSpec INDEXED = new TableSpec(
            "t",
            new TableSpec.Key("p", "S"),
            new TableSpec.Key("s", "N"),
            List.of(
                    new TableSpec.Index("all", new TableSpec.Key("x", "S"), null, TableSpec.Index.EVERYTHING),
                    new TableSpec.Index("keys", new TableSpec.Key("y", "S"), null, List.of())),
            null);

    private final CostCalculator calculator = new CostCalculator(List.of(INDEXED));

    private RequestCost cost(String operation, String request, String response) {
        return cost(operation, request, 200, response);
    }

    private RequestCost cost(String operation, String request, int status, String response) {
        return calculator.cost(new Exchange(
                operation,
                request.getBytes(StandardCharsets.UTF_8),
                status,
                response.getBytes(StandardCharsets.UTF_8),
                0,
                1));
    }

    private static String put(String attributes) {
        return "{\"TransactItems\":[{\"Put\":{\"TableName\":\"t\",\"Item\":{\"p\":{\"S\":\"a\"},\"s\":{\"N\":\"1\"}"
                + attributes + "}}}]}";
    }

    @Test
    void reportedUnitsIncludeThoseOfIndexes() {
        RequestCost cost = cost(
                "PutItem",
                "{\"TableName\":\"t\",\"Item\":{}}",
                "{\"ConsumedCapacity\":{\"CapacityUnits\":3.0,\"Table\":{\"CapacityUnits\":2.0}}}");
        assertThat(cost.writeUnits()).isEqualTo(3);
        assertThat(cost.itemsWritten()).isEqualTo(1);
        assertThat(cost.readUnits()).isZero();
    }

    @Test
    void requestedCapacityIsNotCountedAsBytes() {
        assertThat(cost("PutItem", "{}", "{}").bytes()).isEqualTo(4);
        assertThat(cost("PutItem", "{}", "{\"ConsumedCapacity\":{\"CapacityUnits\":1.0}}")
                        .bytes())
                .isBetween(2L, 6L);
    }

    @Test
    void unitsOfABatchAreAddedOverItsTables() {
        RequestCost cost = cost(
                "BatchWriteItem",
                "{\"RequestItems\":{\"t\":[{},{}],\"u\":[{}]}}",
                "{\"ConsumedCapacity\":[{\"CapacityUnits\":2},{\"CapacityUnits\":1.5}]}");
        assertThat(cost.writeUnits()).isEqualTo(3.5);
        assertThat(cost.itemsWritten()).isEqualTo(3);
    }

    @Test
    void anItemOfATransactionCostsTwoUnitsPerKilobyte() {
        String response = "{\"ConsumedCapacity\":[{\"CapacityUnits\":4}]}";
        assertThat(cost("TransactWriteItems", put(""), response).writeUnits()).isEqualTo(2);
        // Keys and names take 5 bytes, "s" with its number 3, "b" one: 1,024 in all.
        assertThat(cost("TransactWriteItems", put(",\"b\":{\"S\":\"" + "x".repeat(1_018) + "\"}"), response)
                        .writeUnits())
                .isEqualTo(2);
        assertThat(cost("TransactWriteItems", put(",\"b\":{\"S\":\"" + "x".repeat(1_019) + "\"}"), response)
                        .writeUnits())
                .isEqualTo(4);
    }

    @Test
    void mapsAndListsOfATransactionCount() {
        String nested = ",\"m\":{\"M\":{\"k\":{\"L\":[{\"S\":\"" + "x".repeat(1_024) + "\"}]}}}";
        assertThat(cost("TransactWriteItems", put(nested), "{}").writeUnits()).isEqualTo(4);
    }

    @Test
    void anIndexRowInATransactionCostsOneUnitPerKilobyte() {
        String large = "x".repeat(1_500);
        assertThat(cost("TransactWriteItems", put(",\"x\":{\"S\":\"" + large + "\"}"), "{}")
                        .writeUnits())
                .as("the index holds everything")
                .isEqualTo(2 * 2 + 2);
        assertThat(cost("TransactWriteItems", put(",\"y\":{\"S\":\"1\"},\"b\":{\"S\":\"" + large + "\"}"), "{}")
                        .writeUnits())
                .as("the index holds keys")
                .isEqualTo(2 * 2 + 1);
    }

    @Test
    void aQueryWithoutResultsIsNotFree() {
        String nothing = "{\"Items\":[],\"Count\":0,\"ConsumedCapacity\":{\"CapacityUnits\":0}}";
        RequestCost consistent = cost("Query", "{\"ConsistentRead\":true}", nothing);
        assertThat(consistent.readUnits()).isEqualTo(1);
        assertThat(consistent.consistent()).isTrue();
        RequestCost eventual = cost("Query", "{}", nothing);
        assertThat(eventual.readUnits()).isEqualTo(0.5);
        assertThat(eventual.consistent()).isFalse();
        assertThat(eventual.read()).isTrue();
    }

    @Test
    void aQueryWithResultsCostsTheReportedUnits() {
        RequestCost cost =
                cost("Query", "{}", "{\"Items\":[{},{}],\"Count\":2,\"ConsumedCapacity\":{\"CapacityUnits\":2.5}}");
        assertThat(cost.readUnits()).isEqualTo(2.5);
        assertThat(cost.itemsRead()).isEqualTo(2);
    }

    @Test
    void reportedUnitsOfAnEmptyQueryAreUsed() {
        assertThat(cost(
                                "Query",
                                "{\"ConsistentRead\":true}",
                                "{\"Items\":[],\"ConsumedCapacity\":{\"CapacityUnits\":7}}")
                        .readUnits())
                .isEqualTo(7);
    }

    @Test
    void everyMissingKeyCosts() {
        RequestCost cost = cost(
                "BatchGetItem",
                "{\"RequestItems\":{\"t\":{\"ConsistentRead\":true,\"Keys\":[{},{},{}]}}}",
                "{\"Responses\":{\"t\":[{}]},\"ConsumedCapacity\":[{\"CapacityUnits\":1}]}");
        assertThat(cost.readUnits()).isEqualTo(3);
        assertThat(cost.itemsRead()).isEqualTo(1);
        assertThat(cost("GetItem", "{}", "{\"ConsumedCapacity\":{\"CapacityUnits\":0}}")
                        .readUnits())
                .isEqualTo(0.5);
    }

    @Test
    void aPutWhoseConditionFailsCostsTheUnitsOfItsItem() {
        assertThat(cost(
                                "PutItem",
                                "{\"Item\":{\"b\":{\"B\":\"" + "AAAA".repeat(400) + "\"}}}",
                                400,
                                "{\"__type\":\"ConditionalCheckFailedException\"}")
                        .writeUnits())
                .isEqualTo(2);
    }

    private static String inserts(String... values) {
        return Arrays.stream(values)
                .map(value -> "{\"Statement\":\"INSERT INTO \\\"t\\\" VALUE {'p':?,'s':?,'" + value.charAt(0)
                        + "':?}\",\"Parameters\":[{\"S\":\"a\"},{\"N\":\"1\"},{\"S\":\"" + value.substring(1)
                        + "\"}]}")
                .collect(Collectors.joining(",", "{\"Statements\":[", "]}"));
    }

    @Test
    void anInsertOfABatchCostsAsMuchAsAPut() {
        // Keys and names take 5 bytes, "b" one: 1,024 in all.
        String request = inserts("b" + "x".repeat(1_018), "b" + "x".repeat(1_019));
        RequestCost cost = cost(
                "BatchExecuteStatement",
                request,
                "{\"ConsumedCapacity\":[{\"CapacityUnits\":0}],\"Responses\":[{\"TableName\":\"t\"},{}]}");
        assertThat(cost.writeUnits()).isEqualTo(1 + 2);
        assertThat(cost.itemsWritten()).isEqualTo(2);
        assertThat(cost.read()).isFalse();
    }

    @Test
    void anIndexRowInABatchCostsItsOwnSize() {
        String large = "z".repeat(1_500);
        assertThat(cost("BatchExecuteStatement", inserts("x" + large), "{\"Responses\":[{}]}")
                        .writeUnits())
                .as("the index holds everything")
                .isEqualTo(2 + 2);
        assertThat(cost("BatchExecuteStatement", inserts("y1"), "{\"Responses\":[{}]}")
                        .writeUnits())
                .as("the index holds keys")
                .isEqualTo(1 + 1);
    }

    @Test
    void aDuplicateInsertCostsTheUnitsOfItsItemAndAThrottledOneNothing() {
        String large = "x" + "z".repeat(1_500);
        RequestCost cost = cost(
                "BatchExecuteStatement",
                inserts(large, large, "b1"),
                "{\"Responses\":[{\"Error\":{\"Code\":\"DuplicateItem\"}},{\"Error\":{\"Code\":\"ThrottlingError\"}},{}]}");
        assertThat(cost.writeUnits()).isEqualTo(2 + 0 + 1);
        assertThat(cost.itemsWritten()).isEqualTo(3);
    }

    @Test
    void aBatchThatFailsAsAWholeCostsNothing() {
        assertThat(cost("BatchExecuteStatement", inserts("b1"), 400, "{\"__type\":\"AccessDeniedException\"}")
                        .writeUnits())
                .isZero();
    }

    @Test
    void otherStatementsAreRejected() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> cost(
                        "BatchExecuteStatement",
                        "{\"Statements\":[{\"Statement\":\"DELETE FROM \\\"t\\\"\"}]}",
                        "{\"Responses\":[{}]}"))
                .withMessageContaining("DELETE");
        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        cost("BatchExecuteStatement", inserts("b1").replace("'b':?", "'b':2"), "{\"Responses\":[{}]}"))
                .withMessageContaining("3 parameters");
    }
}
