package io.dynajournal;

import static org.assertj.core.api.Assertions.assertThat;

import akka.actor.ActorRef;
import akka.actor.ActorSystem;
import akka.persistence.query.NoOffset;
import akka.persistence.query.typed.EventEnvelope;
import io.dynajournal.testkit.FaultProxy;
import io.dynajournal.testkit.RequestMatch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** How often live queries ask, and how soon they deliver. */
final class QueryCostTest {

    private static final RequestMatch INDEX = RequestMatch.operation("Query").containing("\"IndexName\":\"slices\"");

    private static final int PARTITIONS = 16;
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

    /** So many consumers that are up to date; then the time that so many rounds of looking at all partitions take. */
    private Duration timeOf(int rounds, int consumers) {
        ActorSystem system = systems.start(Systems.through(proxy) + "\n" + table
                + "dynajournal.query { refresh-interval = 500 ms, idle-refresh-interval = 500 ms }");
        Reads reads = new Reads(system);
        ActorRef ledger = reads.ledger(Systems.freshId());
        reads.add(ledger, "a");
        List<Reads.Consumer<EventEnvelope<String>>> all =
                IntStream.range(0, consumers).mapToObj(i -> live(reads)).toList();
        all.forEach(consumer -> assertThat(consumer.next().event()).isEqualTo("a"));
        // Past the looks that follow an event.
        proxy.awaitRequests(INDEX, proxy.requests(INDEX).size() + 3 * PARTITIONS);
        int before = proxy.requests(INDEX).size();
        long start = System.nanoTime();
        proxy.awaitRequests(INDEX, before + rounds * PARTITIONS);
        all.forEach(Reads.Consumer::stop);
        return Duration.ofNanos(System.nanoTime() - start);
    }

    @Test
    void anIdleFullRangeAsksEachPartitionOncePerRefreshInterval() {
        assertThat(timeOf(6, 1)).isGreaterThanOrEqualTo(REFRESH.multipliedBy(4));
    }

    @Test
    void tenConsumersOfTheSameRangeShareTheReading() {
        assertThat(timeOf(6, 10)).isGreaterThanOrEqualTo(REFRESH.multipliedBy(3));
    }

    @Test
    void pushIsTenTimesFasterThanTheRefreshInterval() {
        List<Long> pushed = latencies("", 100);
        List<Long> polled = latencies("dynajournal.query.push = off", 8);
        System.out.printf(
                "From acknowledgement to delivery in ms: with push p50 %d, p99 %d; without p50 %d, most %d%n",
                pushed.get(49), pushed.get(98), polled.get(3), polled.get(7));
        assertThat(pushed.get(98)).isLessThanOrEqualTo(300);
        assertThat(polled.get(7)).isGreaterThan(300);
    }

    /** Milliseconds, sorted. */
    private List<Long> latencies(String overrides, int count) {
        Reads reads = new Reads(systems.start(Reads.freshTable() + overrides));
        // Many, so that the partition of the next one is idle.
        List<ActorRef> ledgers = IntStream.range(0, 40)
                .mapToObj(i -> reads.ledger(Systems.freshId()))
                .toList();
        Reads.Consumer<EventEnvelope<String>> consumer = live(reads);
        List<Long> latencies = new ArrayList<>();
        for (int i = 0; i < count + 3; i++) {
            reads.add(ledgers.get(i % ledgers.size()), "e" + i);
            long acknowledged = System.nanoTime();
            assertThat(consumer.next().event()).isEqualTo("e" + i);
            if (i >= 3) {
                latencies.add((System.nanoTime() - acknowledged) / 1_000_000);
            }
        }
        consumer.stop();
        latencies.sort(null);
        return latencies;
    }
}
