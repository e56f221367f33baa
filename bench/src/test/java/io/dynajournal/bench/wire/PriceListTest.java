package io.dynajournal.bench.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.dynajournal.dynamo.TableSpec;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class PriceListTest {

    private static final TableSpec INDEXED = new TableSpec(
            "t",
            new TableSpec.Key("p", "S"),
            new TableSpec.Key("s", "N"),
            List.of(
                    new TableSpec.Index("all", new TableSpec.Key("x", "S"), null, TableSpec.Index.EVERYTHING),
                    new TableSpec.Index("keys", new TableSpec.Key("y", "S"), null, List.of())),
            null);

    private final PriceList prices = new PriceList(List.of(INDEXED));

    private Bill bill(String operation, String request, String response) {
        return bill(operation, request, 200, response);
    }

    private Bill bill(String operation, String request, int status, String response) {
        return prices.bill(new Exchange(
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
    void theUnitsThatAreToldCountWithThoseOfIndexes() {
        Bill bill = bill(
                "PutItem",
                "{\"TableName\":\"t\",\"Item\":{}}",
                "{\"ConsumedCapacity\":{\"CapacityUnits\":3.0,\"Table\":{\"CapacityUnits\":2.0}}}");
        assertThat(bill.writeUnits()).isEqualTo(3);
        assertThat(bill.itemsWritten()).isEqualTo(1);
        assertThat(bill.readUnits()).isZero();
    }

    @Test
    void whatTheProxyAskedForIsNotCountedAsBytes() {
        assertThat(bill("PutItem", "{}", "{}").bytes()).isEqualTo(4);
        assertThat(bill("PutItem", "{}", "{\"ConsumedCapacity\":{\"CapacityUnits\":1.0}}")
                        .bytes())
                .isBetween(2L, 6L);
    }

    @Test
    void batchesAddUpTheirTables() {
        Bill bill = bill(
                "BatchWriteItem",
                "{\"RequestItems\":{\"t\":[{},{}],\"u\":[{}]}}",
                "{\"ConsumedCapacity\":[{\"CapacityUnits\":2},{\"CapacityUnits\":1.5}]}");
        assertThat(bill.writeUnits()).isEqualTo(3.5);
        assertThat(bill.itemsWritten()).isEqualTo(3);
    }

    @Test
    void anItemOfATransactionTakesTwoUnitsForEachKilobyteWhateverIsTold() {
        String told = "{\"ConsumedCapacity\":[{\"CapacityUnits\":4}]}";
        assertThat(bill("TransactWriteItems", put(""), told).writeUnits()).isEqualTo(2);
        // Keys and names take 5 bytes, "s" with its number 3, "b" one: 1,024 in all.
        assertThat(bill("TransactWriteItems", put(",\"b\":{\"S\":\"" + "x".repeat(1_018) + "\"}"), told)
                        .writeUnits())
                .isEqualTo(2);
        assertThat(bill("TransactWriteItems", put(",\"b\":{\"S\":\"" + "x".repeat(1_019) + "\"}"), told)
                        .writeUnits())
                .isEqualTo(4);
    }

    @Test
    void aRowOfAnIndexInATransactionTakesItsOwnSizeOnce() {
        String large = "x".repeat(1_500);
        assertThat(bill("TransactWriteItems", put(",\"x\":{\"S\":\"" + large + "\"}"), "{}")
                        .writeUnits())
                .as("the index holds everything")
                .isEqualTo(2 * 2 + 2);
        assertThat(bill("TransactWriteItems", put(",\"y\":{\"S\":\"1\"},\"b\":{\"S\":\"" + large + "\"}"), "{}")
                        .writeUnits())
                .as("the index holds keys")
                .isEqualTo(2 * 2 + 1);
    }

    @Test
    void aQueryThatFindsNothingIsNotFree() {
        String nothing = "{\"Items\":[],\"Count\":0,\"ConsumedCapacity\":{\"CapacityUnits\":0}}";
        Bill consistent = bill("Query", "{\"ConsistentRead\":true}", nothing);
        assertThat(consistent.readUnits()).isEqualTo(1);
        assertThat(consistent.consistent()).isTrue();
        Bill eventual = bill("Query", "{}", nothing);
        assertThat(eventual.readUnits()).isEqualTo(0.5);
        assertThat(eventual.consistent()).isFalse();
        assertThat(eventual.read()).isTrue();
    }

    @Test
    void aQueryThatFindsSomethingTakesWhatIsTold() {
        Bill bill = bill("Query", "{}", "{\"Items\":[{},{}],\"Count\":2,\"ConsumedCapacity\":{\"CapacityUnits\":2.5}}");
        assertThat(bill.readUnits()).isEqualTo(2.5);
        assertThat(bill.itemsRead()).isEqualTo(2);
    }

    @Test
    void aServerThatBillsAnEmptyQueryIsBelieved() {
        assertThat(bill(
                                "Query",
                                "{\"ConsistentRead\":true}",
                                "{\"Items\":[],\"ConsumedCapacity\":{\"CapacityUnits\":7}}")
                        .readUnits())
                .isEqualTo(7);
    }

    @Test
    void eachKeyThatIsNotFoundIsBilled() {
        Bill bill = bill(
                "BatchGetItem",
                "{\"RequestItems\":{\"t\":{\"ConsistentRead\":true,\"Keys\":[{},{},{}]}}}",
                "{\"Responses\":{\"t\":[{}]},\"ConsumedCapacity\":[{\"CapacityUnits\":1}]}");
        assertThat(bill.readUnits()).isEqualTo(3);
        assertThat(bill.itemsRead()).isEqualTo(1);
        assertThat(bill("GetItem", "{}", "{\"ConsumedCapacity\":{\"CapacityUnits\":0}}")
                        .readUnits())
                .isEqualTo(0.5);
    }

    @Test
    void aRefusedPutTakesTheUnitsOfItsItem() {
        assertThat(bill(
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
    void anInsertOfAGroupTakesWhatItsPutTakesWhateverIsTold() {
        // Keys and names take 5 bytes, "b" one: 1,024 in all.
        String request = inserts("b" + "x".repeat(1_018), "b" + "x".repeat(1_019));
        Bill bill = bill(
                "BatchExecuteStatement",
                request,
                "{\"ConsumedCapacity\":[{\"CapacityUnits\":0}],\"Responses\":[{\"TableName\":\"t\"},{}]}");
        assertThat(bill.writeUnits()).isEqualTo(1 + 2);
        assertThat(bill.itemsWritten()).isEqualTo(2);
        assertThat(bill.read()).isFalse();
    }

    @Test
    void aRowOfAnIndexInAGroupTakesItsOwnSize() {
        String large = "z".repeat(1_500);
        assertThat(bill("BatchExecuteStatement", inserts("x" + large), "{\"Responses\":[{}]}")
                        .writeUnits())
                .as("the index holds everything")
                .isEqualTo(2 + 2);
        assertThat(bill("BatchExecuteStatement", inserts("y1"), "{\"Responses\":[{}]}")
                        .writeUnits())
                .as("the index holds keys")
                .isEqualTo(1 + 1);
    }

    @Test
    void aRefusedInsertTakesTheUnitsOfItsItemAndAThrottledOneNone() {
        String large = "x" + "z".repeat(1_500);
        Bill bill = bill(
                "BatchExecuteStatement",
                inserts(large, large, "b1"),
                "{\"Responses\":[{\"Error\":{\"Code\":\"DuplicateItem\"}},{\"Error\":{\"Code\":\"ThrottlingError\"}},{}]}");
        assertThat(bill.writeUnits()).isEqualTo(2 + 0 + 1);
        assertThat(bill.itemsWritten()).isEqualTo(3);
    }

    @Test
    void aGroupThatFailsAsAWholeTakesNothing() {
        assertThat(bill("BatchExecuteStatement", inserts("b1"), 400, "{\"__type\":\"AccessDeniedException\"}")
                        .writeUnits())
                .isZero();
    }

    @Test
    void aStatementThatNobodySendsHasNoPrice() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> bill(
                        "BatchExecuteStatement",
                        "{\"Statements\":[{\"Statement\":\"DELETE FROM \\\"t\\\"\"}]}",
                        "{\"Responses\":[{}]}"))
                .withMessageContaining("DELETE");
        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        bill("BatchExecuteStatement", inserts("b1").replace("'b':?", "'b':2"), "{\"Responses\":[{}]}"))
                .withMessageContaining("3 values");
    }
}
