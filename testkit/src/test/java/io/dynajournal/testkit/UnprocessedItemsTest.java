package io.dynajournal.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynajournal.exception.StoreException;
import io.dynajournal.internal.dynamo.Dynamo;
import io.dynajournal.internal.dynamo.TableSpec;
import io.dynajournal.listener.RequestListener;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;

/** Unprocessed items of a batch are sent again until all are stored. */
class UnprocessedItemsTest {

    private static final RequestMatch BATCHES = RequestMatch.operation("BatchWriteItem");

    @RegisterExtension
    static final LocalDynamo local = new LocalDynamo();

    private final String table = local.freshTable();
    private final FaultProxy proxy = local.proxy();
    private final RawTable raw = new RawTable(local.client(), table);

    private List<Map<String, AttributeValue>> put(int count) {
        local.create(
                new TableSpec(table, new TableSpec.Key("pid", "S"), new TableSpec.Key("seq", "N"), List.of(), null));
        List<Map<String, AttributeValue>> keys = IntStream.rangeClosed(1, count)
                .mapToObj(n ->
                        Map.of("pid", AttributeValue.fromS("\"ü\\"), "seq", AttributeValue.fromN(String.valueOf(n))))
                .toList();
        Dynamo direct = local.open(RequestListener.NONE);
        keys.forEach(key -> Await.result(
                direct.put(PutItemRequest.builder().tableName(table).item(key))));
        assertThat(raw.items()).hasSize(count);
        return keys;
    }

    @Test
    void theRestOfABatchIsSentAgain() {
        List<Map<String, AttributeValue>> keys = put(30);
        Dynamo dynamo = local.open(proxy, LocalDynamo.PATIENT, RequestListener.NONE);
        proxy.when(BATCHES).process(10);
        proxy.when(BATCHES).process(0);
        Await.result(dynamo.deleteAll(table, keys));
        // 25 with 10 processed, 15 with none, 15 with all, and the last 5.
        assertThat(proxy.requests(BATCHES))
                .hasSize(4)
                .allSatisfy(request -> assertThat(request.table()).isEqualTo(table));
        assertThat(raw.items()).isEmpty();
    }

    @Test
    void itemsThatStayUnprocessedAreAnError() {
        List<Map<String, AttributeValue>> keys = put(30);
        Dynamo dynamo = local.open(proxy, LogFixture.IMPATIENT, RequestListener.NONE);
        proxy.when(BATCHES).process(20);
        proxy.when(BATCHES).always().process(0);
        StoreException.Unavailable failure =
                Await.failure(dynamo.deleteAll(table, keys), StoreException.Unavailable.class);
        assertThat(failure).hasMessageContaining(table).hasMessageContaining("5 of 5");
        assertThat(raw.items()).hasSize(10);
    }
}
