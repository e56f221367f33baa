package io.dynajournal.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynajournal.exception.StoreException;
import io.dynajournal.internal.dynamo.Dynamo;
import io.dynajournal.internal.dynamo.TableHealth;
import io.dynajournal.internal.dynamo.TableSpec;
import io.dynajournal.listener.Lane;
import io.dynajournal.listener.Operation;
import io.dynajournal.listener.RequestListener;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;

/** What a health check of a table costs, and what it finds. */
class TableHealthTest {

    @RegisterExtension
    static final LocalDynamo local = new LocalDynamo();

    private final CostMeter meter = new CostMeter();
    private final FaultProxy proxy = local.proxy().measure(meter);

    private TableSpec created(@Nullable String rangeType) {
        TableSpec.Key range = rangeType == null ? null : new TableSpec.Key("seq", rangeType);
        TableSpec table = new TableSpec(local.freshTable(), new TableSpec.Key("pid", "S"), range, List.of(), null);
        local.create(table);
        return table;
    }

    /** With a client that has sent a request, because the first one takes long, and only of the table's administration. */
    private Dynamo open(TableSpec table, RequestListener listener) {
        Dynamo dynamo = local.open(proxy, LocalDynamo.PATIENT, listener);
        Await.result(dynamo.tables().verify(table));
        meter.take();
        return dynamo;
    }

    private static void put(Dynamo dynamo, TableSpec table) {
        Await.result(dynamo.put(PutItemRequest.builder()
                .tableName(table.name())
                .item(Map.of("pid", AttributeValue.fromS("cart-7"), "seq", AttributeValue.fromN("1")))));
    }

    @ParameterizedTest
    @CsvSource({"N, true", "S, true", ", true", "N, false", "S, false", ", false"})
    void aTableThatWasNotUsedIsReadOnceForHalfAUnit(@Nullable String rangeType, boolean mayQuery) {
        TableSpec table = created(rangeType);
        Dynamo dynamo = open(table, CostMeter.WITH_CAPACITY);

        assertThat(Await.result(dynamo.health(table, mayQuery)).answers()).isTrue();
        assertThat(meter.take())
                .isEqualTo(new Cost(Map.of(mayQuery ? Operation.QUERY : Operation.BATCH_GET, 1), 0, 0, 0.5, 0));

        assertThat(Await.result(dynamo.in(Lane.QUERY).health(table, mayQuery)).answers())
                .isTrue();
        assertThat(meter.take()).isEqualTo(Cost.NONE);
    }

    @Test
    void aCheckIsFreeAfterARequestAndNobodyAsksForCapacity() {
        TableSpec table = created("N");
        Dynamo dynamo = open(table, RequestListener.NONE);
        List<String> bodies = new CopyOnWriteArrayList<>();
        proxy.observe((operation, body) -> bodies.add(body));

        put(dynamo, table);
        assertThat(Await.result(dynamo.health(table, true)).lastSuccess()).isNotNull();
        assertThat(bodies).singleElement().asString().doesNotContain("ReturnConsumedCapacity");
    }

    @Test
    void aCheckDoesNotWaitBehindRecoveries() {
        TableSpec table = created("N");
        SeenLanes lanes = new SeenLanes();
        Dynamo dynamo = open(table, lanes);
        lanes.take();
        Await.result(dynamo.health(table, true));
        assertThat(lanes.take()).containsExactly(Lane.WRITE);
    }

    @Test
    void aTableThatCannotBeReachedIsReportedAtOnceAndReadAgain() {
        TableSpec table = created("N");
        Dynamo dynamo = open(table, RequestListener.NONE);
        proxy.when(RequestMatch.all()).always().loseRequest();

        long start = System.nanoTime();
        TableHealth lost = Await.result(dynamo.health(table, true));
        assertThat(Duration.ofNanos(System.nanoTime() - start))
                .as("the call timeout is a minute")
                .isLessThan(Duration.ofSeconds(30));
        assertThat(lost.answers()).isFalse();
        assertThat(lost.failure())
                .isInstanceOf(StoreException.Unavailable.class)
                .hasMessageContaining(table.name());
        assertThat(lost.lastFailure()).isNotNull();
        assertThat(lost.lastSuccess()).isNull();

        proxy.clear();
        int before = proxy.requests().size();
        TableHealth again = Await.result(dynamo.health(table, true));
        assertThat(again.answers()).isTrue();
        assertThat(again.lastSuccess()).isAfter(again.lastFailure());
        assertThat(proxy.requests()).hasSize(before + 1);
    }
}
