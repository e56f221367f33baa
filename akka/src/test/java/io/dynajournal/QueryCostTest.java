package io.dynajournal;

import static org.assertj.core.api.Assertions.assertThat;

import akka.actor.ActorRef;
import akka.actor.ActorSystem;
import akka.persistence.query.NoOffset;
import akka.persistence.query.typed.EventEnvelope;
import io.dynajournal.internal.dynamo.Item;
import io.dynajournal.internal.model.Slices;
import io.dynajournal.internal.plugin.OpenPlugins;
import io.dynajournal.listener.Operation;
import io.dynajournal.testkit.Cost;
import io.dynajournal.testkit.CostMeter;
import io.dynajournal.testkit.FaultProxy;
import io.dynajournal.testkit.RequestMatch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** How often live queries poll, and how soon they deliver. */
final class QueryCostTest {

    private static final RequestMatch INDEX = RequestMatch.operation("Query").containing("\"IndexName\":\"slices\"");

    private static final int PARTITIONS = 16;
    private static final int WARM_UP = 2;
    private static final Duration REFRESH = Duration.ofMillis(500);

    @RegisterExtension
    final Systems systems = new Systems();

    private final FaultProxy proxy = Systems.proxy();
    private final String table = Reads.freshTable();

    @AfterEach
    void close() {
        proxy.close();
    }

    private Reads.Consumer<EventEnvelope<String>> live(Reads reads) {
        return reads.consumer(reads.journal().<String>eventsBySlices("Ledger", 0, 1023, NoOffset.getInstance()));
    }

    /** How long a number of consumers that are up to date take for a number of rounds of polls of all partitions. */
    private Duration timeOf(int rounds, int consumers) {
        ActorSystem system = systems.start(Systems.through(proxy) + "\n" + table
                + "dynajournal.query { refresh-interval = 500 ms, idle-refresh-interval = 500 ms }");
        Reads reads = new Reads(system);
        ActorRef ledger = reads.ledger(Systems.freshId());
        reads.add(ledger, "a");
        List<Reads.Consumer<EventEnvelope<String>>> all =
                IntStream.range(0, consumers).mapToObj(i -> live(reads)).toList();
        all.forEach(consumer -> assertThat(consumer.next().event()).isEqualTo("a"));
        // Past the polls that follow an event.
        proxy.awaitRequests(INDEX, proxy.requests(INDEX).size() + 3 * PARTITIONS);
        int before = proxy.requests(INDEX).size();
        long start = System.nanoTime();
        proxy.awaitRequests(INDEX, before + rounds * PARTITIONS);
        all.forEach(Reads.Consumer::stop);
        return Duration.ofNanos(System.nanoTime() - start);
    }

    @Test
    void anIdleFullRangePollsEachPartitionOncePerRefreshInterval() {
        assertThat(timeOf(6, 1)).isGreaterThanOrEqualTo(REFRESH.multipliedBy(4));
    }

    @Test
    void tenConsumersOfTheSameRangeSharePages() {
        assertThat(timeOf(6, 10)).isGreaterThanOrEqualTo(REFRESH.multipliedBy(3));
    }

    @Test
    void pushIsTenTimesFasterThanTheRefreshInterval() {
        List<Long> pushed = latencies("", 100);
        List<Long> polled = latencies("dynajournal.query.push.enabled = off", 3);
        System.out.printf(
                "From acknowledgement to delivery in ms: with push p50 %d, p99 %d; without p50 %d, most %d%n",
                pushed.get(49), pushed.get(98), polled.get(1), polled.get(2));
        assertThat(pushed.get(98)).isLessThanOrEqualTo(300);
        assertThat(polled.get(2)).isGreaterThan(300);
    }

    /** Small events are in the index row; large ones are read from the table, sixteen commits per request. */
    @Test
    void aDeliveredEventCostsItsShareOfAPageAndALargeOneItsCommit() {
        CostMeter meter = new CostMeter();
        ActorSystem system = systems.start(
                Systems.through(proxy.measure(meter)) + "\n" + table + "dynajournal.query.page-size = 50",
                DynajournalSetup.create().withRequestListener(CostMeter.WITH_CAPACITY));
        Reads reads = new Reads(system);
        assertCost(
                reads, meter, "small", 120, 100, Map.of(Operation.QUERY, 3 + PARTITIONS - 1, Operation.BATCH_GET, 1));
        assertCost(reads, meter, "large", 40, 5_000, Map.of(Operation.QUERY, PARTITIONS, Operation.BATCH_GET, 1 + 3));
    }

    private static void assertCost(
            Reads reads, CostMeter meter, String type, int count, int size, Map<Operation, Integer> requests) {
        ActorRef ledger = reads.ledger(type + "|1");
        Random random = new Random(size);
        for (int i = 0; i < count; i++) {
            byte[] bytes = new byte[size / 2];
            random.nextBytes(bytes);
            reads.add(ledger, HexFormat.of().formatHex(bytes));
        }
        List<Integer> rows = sizes(reads.system(), type, true);
        List<Integer> commits = sizes(reads.system(), type, false);
        double pages = 0;
        for (int from = 0; from < count; from += 50) {
            int bytes = rows.subList(from, Math.min(count, from + 50)).stream()
                    .mapToInt(Integer::intValue)
                    .sum();
            pages += 0.5 * units(bytes);
        }
        int bodies = size < 1_000
                ? 0
                : commits.stream().mapToInt(QueryCostTest::units).sum();
        meter.take();
        assertThat(reads.all(reads.journal().<String>currentEventsBySlices(type, 0, 1023, NoOffset.getInstance())))
                .hasSize(count);
        Cost cost = meter.take();
        System.out.printf("Read units of an event of %d bytes at full speed: %.3f%n", size, (pages + bodies) / count);
        assertThat(cost.requests()).isEqualTo(requests);
        // The other partitions are empty; the list of partitions is one read.
        assertThat(cost.reads()).isEqualTo(pages + bodies + 0.5 * (PARTITIONS - 1) + 1);
    }

    private static int units(int bytes) {
        return (bytes + 4095) / 4096;
    }

    /** In the order of time. */
    private static List<Integer> sizes(ActorSystem system, String type, boolean inIndex) {
        String id = type + "|1";
        String partition = type + "#16#" + Slices.of(id) * PARTITIONS / Slices.COUNT;
        String tableName = Tables.describe(system, "dynajournal.journal").name();
        return Reads.result(OpenPlugins.get(system)
                        .client("dynajournal.client")
                        .query(query -> query.tableName(tableName)
                                .indexName(inIndex ? "slices" : null)
                                .keyConditionExpression(inIndex ? "ix = :key" : "pid = :key")
                                .expressionAttributeValues(
                                        Map.of(":key", AttributeValue.fromS(inIndex ? partition : id)))))
                .items()
                .stream()
                .map(item -> Item.of(item).size())
                .toList();
    }

    /** Milliseconds, sorted. */
    private List<Long> latencies(String overrides, int count) {
        Reads reads = new Reads(systems.start(Reads.freshTable() + overrides));
        // Many entities, so that the partition of the next one is idle.
        List<ActorRef> ledgers = IntStream.range(0, 40)
                .mapToObj(i -> reads.ledger(Systems.freshId()))
                .toList();
        Reads.Consumer<EventEnvelope<String>> consumer = live(reads);
        List<Long> latencies = new ArrayList<>();
        for (int i = 0; i < count + WARM_UP; i++) {
            reads.add(ledgers.get(i % ledgers.size()), "e" + i);
            long acknowledged = System.nanoTime();
            assertThat(consumer.next().event()).isEqualTo("e" + i);
            if (i >= WARM_UP) {
                latencies.add((System.nanoTime() - acknowledged) / 1_000_000);
            }
        }
        consumer.stop();
        latencies.sort(null);
        return latencies;
    }
}
