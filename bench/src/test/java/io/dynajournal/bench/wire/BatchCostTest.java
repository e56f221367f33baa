package io.dynajournal.bench.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynajournal.internal.dynamo.Dynamo;
import io.dynajournal.internal.dynamo.Item;
import io.dynajournal.internal.dynamo.ItemSize;
import io.dynajournal.internal.dynamo.TableSpec;
import io.dynajournal.listener.RequestListener;
import io.dynajournal.testkit.Await;
import io.dynajournal.testkit.FaultProxy;
import io.dynajournal.testkit.HeldRequest;
import io.dynajournal.testkit.LocalDynamo;
import io.dynajournal.testkit.RequestMatch;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Compares the calculated cost of batches with the cost that DynamoDB Local reports for single puts of the same items. */
class BatchCostTest {

    private static final int ITEMS = 26;

    @RegisterExtension
    static final LocalDynamo LOCAL = new LocalDynamo();

    private final TableSpec table = new TableSpec(
            LOCAL.freshTable(),
            new TableSpec.Key("p", "S"),
            new TableSpec.Key("s", "N"),
            List.of(
                    new TableSpec.Index("all", new TableSpec.Key("x", "S"), null, TableSpec.Index.EVERYTHING),
                    new TableSpec.Index("some", new TableSpec.Key("y", "S"), null, List.of("b"))),
            null);
    private final CostCalculator calculator = new CostCalculator(List.of(table));
    private final CountingProxy counting = CountingProxy.to(Upstream.local(LOCAL.endpoint()));
    private final FaultProxy proxy = FaultProxy.to(counting.endpoint());

    @AfterEach
    void close() {
        proxy.close();
        counting.close();
    }

    /** One item per partition key, of a few hundred bytes to a few KB, in none, one or both of the indexes. */
    private static Item item(String partition, int number) {
        Item item =
                Item.create().text("p", partition + number).number("s", number).bytes("b", new byte[number * 150]);
        if (number % 2 == 0) {
            item.text("x", "x").texts("t", Set.of("größe", "b"));
        }
        return number % 3 == 0 ? item.text("y", "y").flag("f", true) : item;
    }

    private List<Exchange> insert(Dynamo dynamo, String partition) {
        List<CompletableFuture<?>> inserts = new ArrayList<>();
        HeldRequest first = proxy.when(RequestMatch.all()).hold();
        inserts.add(insert(dynamo, partition, 0));
        first.awaitArrival();
        for (int number = 1; number < ITEMS; number++) {
            inserts.add(insert(dynamo, partition, number));
        }
        first.release();
        Await.result(CompletableFuture.allOf(inserts.toArray(CompletableFuture[]::new)));
        return counting.take();
    }

    private CompletableFuture<?> insert(Dynamo dynamo, String partition, int number) {
        return dynamo.insert(table.name(), item(partition, number), "p").toCompletableFuture();
    }

    /** The units of successful requests. On a slow machine a request may be retried, and then rejected as a duplicate. */
    private double stored(List<Exchange> exchanges) {
        return exchanges.stream()
                .filter(Exchange::succeeded)
                .mapToDouble(exchange -> calculator.cost(exchange).writeUnits())
                .sum();
    }

    private List<RequestCost> groups(List<Exchange> exchanges) {
        return exchanges.stream()
                .filter(exchange -> exchange.operation().equals("BatchExecuteStatement"))
                .map(calculator::cost)
                .toList();
    }

    @Test
    void aBatchCostsAsMuchAsItsPuts() {
        LOCAL.create(table);
        Dynamo single = LOCAL.open(proxy, LocalDynamo.PATIENT, RequestListener.NONE);
        Dynamo grouping = LOCAL.open(proxy, LocalDynamo.PATIENT, RequestListener.NONE, 1);
        double reported = stored(insert(single, "one by one"));
        assertThat(reported).as("items and index rows of several units").isGreaterThan(3.0 * ITEMS);

        // The first is sent alone; the others are batched while it is in flight.
        List<Exchange> first = insert(grouping, "together");
        assertThat(groups(first)).isNotEmpty();
        assertThat(stored(first)).isEqualTo(reported);

        List<RequestCost> rejected = groups(insert(grouping, "together"));
        assertThat(rejected).singleElement().satisfies(group -> {
            double items = IntStream.range(ITEMS - group.itemsWritten(), ITEMS)
                    .map(number -> ItemSize.writeUnits(item("together", number).size()))
                    .sum();
            assertThat(group.writeUnits()).isEqualTo(items).isGreaterThan(2);
        });
    }
}
