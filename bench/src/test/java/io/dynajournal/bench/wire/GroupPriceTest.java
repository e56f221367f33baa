package io.dynajournal.bench.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynajournal.dynamo.Dynamo;
import io.dynajournal.dynamo.Item;
import io.dynajournal.dynamo.ItemSize;
import io.dynajournal.dynamo.RequestListener;
import io.dynajournal.dynamo.TableSpec;
import io.dynajournal.testkit.Await;
import io.dynajournal.testkit.FaultProxy;
import io.dynajournal.testkit.Gate;
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

/** Groups as we send them to DynamoDB Local, priced by us, beside the same items put one by one, priced by it. */
class GroupPriceTest {

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
    private final PriceList prices = new PriceList(List.of(table));
    private final CountingProxy counting = CountingProxy.to(Upstream.local(LOCAL.endpoint()));
    private final FaultProxy proxy = FaultProxy.to(counting.endpoint());

    @AfterEach
    void close() {
        proxy.close();
        counting.close();
    }

    /** Each of another entity, of some hundred bytes to some KB, in none, one or both of the indexes. */
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
        Gate first = proxy.when(RequestMatch.all()).hold();
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

    /** Of what was stored; a request that was repeated on a slow machine is refused. */
    private double stored(List<Exchange> exchanges) {
        return exchanges.stream()
                .filter(Exchange::succeeded)
                .mapToDouble(exchange -> prices.bill(exchange).writeUnits())
                .sum();
    }

    private List<Bill> groups(List<Exchange> exchanges) {
        return exchanges.stream()
                .filter(exchange -> exchange.operation().equals("BatchExecuteStatement"))
                .map(prices::bill)
                .toList();
    }

    @Test
    void aGroupCostsWhatItsPutsCost() {
        LOCAL.create(table);
        Dynamo single = LOCAL.open(proxy, LocalDynamo.PATIENT, RequestListener.NONE);
        Dynamo grouping = LOCAL.open(proxy, LocalDynamo.PATIENT, RequestListener.NONE, 1);
        double told = stored(insert(single, "one by one"));
        assertThat(told).as("items and index rows of several units").isGreaterThan(3.0 * ITEMS);

        // The first goes alone; the others gather while it is on the way.
        List<Exchange> first = insert(grouping, "together");
        assertThat(groups(first)).isNotEmpty();
        assertThat(stored(first)).isEqualTo(told);

        List<Bill> refused = groups(insert(grouping, "together"));
        assertThat(refused).singleElement().satisfies(group -> {
            double items = IntStream.range(ITEMS - group.itemsWritten(), ITEMS)
                    .map(number -> ItemSize.writeUnits(item("together", number).size()))
                    .sum();
            assertThat(group.writeUnits()).isEqualTo(items).isGreaterThan(2);
        });
    }
}
