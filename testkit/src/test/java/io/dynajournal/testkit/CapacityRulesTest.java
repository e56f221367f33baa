package io.dynajournal.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynajournal.internal.dynamo.TableSpec;
import io.dynajournal.listener.Operation;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Capacity units by AWS's rules, whatever a server reports. */
class CapacityRulesTest {

    private static final TableSpec.Key PID = new TableSpec.Key("pid", "S");
    private static final TableSpec.Key TAG = new TableSpec.Key("tag", "S");
    private static final TableSpec TABLE =
            new TableSpec("t", PID, null, List.of(new TableSpec.Index("tags", TAG, null, List.of())), null);

    private final CapacityRules rules = new CapacityRules(name -> name.equals("t") ? TABLE : null);

    private Cost cost(String operation, String request, String response) {
        return rules.cost(operation, request, true, response);
    }

    private static String item(String pid, int payloadBytes) {
        return "{\"pid\":{\"S\":\"" + pid + "\"},\"x\":{\"S\":\"" + "x".repeat(payloadBytes) + "\"}}";
    }

    @Test
    void aQueryThatReadsNothingTakesAUnitOrHalfOfOne() {
        String nothing = "{\"Count\":0,\"ScannedCount\":0,\"Items\":[],\"ConsumedCapacity\":{\"CapacityUnits\":0}}";
        Cost consistent = cost("Query", "{\"TableName\":\"t\",\"ConsistentRead\":true}", nothing);
        assertThat(consistent.requests()).isEqualTo(Map.of(Operation.QUERY, 1));
        assertThat(consistent.tableReads()).isEqualTo(1);
        assertThat(cost("Query", "{\"TableName\":\"t\"}", nothing).tableReads()).isEqualTo(0.5);
        Cost ofIndex = cost("Query", "{\"TableName\":\"t\",\"IndexName\":\"tags\"}", nothing);
        assertThat(ofIndex.indexReads()).isEqualTo(0.5);
        assertThat(ofIndex.tableReads()).isZero();
    }

    @Test
    void aQueryWhoseFilterDropsAllItemsTakesWhatItRead() {
        Cost cost = cost(
                "Query",
                "{\"TableName\":\"t\",\"ConsistentRead\":true}",
                "{\"Count\":0,\"ScannedCount\":9,\"ConsumedCapacity\":{\"CapacityUnits\":7,\"Table\":{\"CapacityUnits\":7}}}");
        assertThat(cost.tableReads()).isEqualTo(7);
    }

    @Test
    void aBatchGetTakesAUnitForEachKeyAndFourKilobytes() {
        String keys = "{\"Keys\":[{\"pid\":{\"S\":\"a\"}},{\"pid\":{\"S\":\"b\"}},{\"pid\":{\"S\":\"c\"}}]";
        String found = "{\"Responses\":{\"t\":[" + item("a", 5_000) + "]},\"UnprocessedKeys\":{}}";
        assertThat(cost("BatchGetItem", "{\"RequestItems\":{\"t\":" + keys + ",\"ConsistentRead\":true}}}", found)
                        .tableReads())
                .isEqualTo(2 + 1 + 1);
        assertThat(cost("BatchGetItem", "{\"RequestItems\":{\"t\":" + keys + "}}}", found)
                        .tableReads())
                .isEqualTo(2);
        String unprocessed = "{\"Responses\":{},\"UnprocessedKeys\":{\"t\":" + keys + "}}}";
        assertThat(cost("BatchGetItem", "{\"RequestItems\":{\"t\":" + keys + "}}}", unprocessed)
                        .reads())
                .isZero();
    }

    @Test
    void aTransactionTakesTwoUnitsForEachKilobyteAndOneForAnIndexRow() {
        String tagged = "{\"pid\":{\"S\":\"b\"},\"tag\":{\"S\":\"red\"}}";
        Cost cost = cost(
                "TransactWriteItems",
                "{\"TransactItems\":[{\"Put\":{\"TableName\":\"t\",\"Item\":" + item("a", 1_500)
                        + "}},{\"Put\":{\"TableName\":\"t\",\"Item\":" + tagged
                        + "}},{\"Delete\":{\"TableName\":\"t\"}}]}",
                "{\"ConsumedCapacity\":[{\"TableName\":\"t\",\"CapacityUnits\":4}]}");
        assertThat(cost.requests()).isEqualTo(Map.of(Operation.TRANSACT, 1));
        assertThat(cost.tableWrites()).isEqualTo(4 + 2 + 2);
        assertThat(cost.indexWrites()).isEqualTo(1);
    }

    @Test
    void aFailedConditionTakesTheUnitsOfTheExistingItem() {
        String type = "{\"__type\":\"com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException\"";
        assertThat(rules.cost("PutItem", "{}", false, type + ",\"Item\":" + item("a", 2_500) + "}")
                        .tableWrites())
                .isEqualTo(3);
        assertThat(rules.cost("PutItem", "{}", false, type + "}").tableWrites()).isEqualTo(1);
        assertThat(rules.cost("PutItem", "{}", false, "{\"__type\":\"x#ThrottlingException\"}")
                        .tableWrites())
                .isZero();
    }

    @Test
    void otherWritesTakeWhatTheServerReports() {
        Cost cost =
                cost("PutItem", "{}", "{\"ConsumedCapacity\":{\"CapacityUnits\":3,\"Table\":{\"CapacityUnits\":1}}}");
        assertThat(cost.tableWrites()).isEqualTo(1);
        assertThat(cost.indexWrites()).isEqualTo(2);
        assertThat(cost("CreateTable", "{}", "{}")).isEqualTo(Cost.NONE);
    }
}
