package io.dynajournal.projection;

import static io.dynajournal.projection.ModelJournal.START;
import static org.assertj.core.api.Assertions.assertThat;

import akka.actor.typed.ActorSystem;
import akka.projection.ProjectionId;
import io.dynajournal.internal.model.Slices;
import io.dynajournal.listener.Operation;
import io.dynajournal.projection.javadsl.DynajournalProjection;
import io.dynajournal.testkit.Cost;
import io.dynajournal.testkit.CostMeter;
import io.dynajournal.testkit.FaultProxy;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What offsets cost, by AWS's published rules. */
final class ProjectionCostTest {

    /** The window is over at once, because the events of the test are microseconds apart. */
    private static final String PACKED = "dynajournal.projection { layout = packed, packed-window = 1 ms }\n";

    @RegisterExtension
    final Fixture fixture = new Fixture();

    private final ModelJournal journal = new ModelJournal();
    private final CostMeter meter = new CostMeter();

    private ActorSystem<Void> start() {
        return start("");
    }

    private ActorSystem<Void> start(String settings) {
        FaultProxy proxy = fixture.proxy().measure(meter);
        ActorSystem<Void> system = fixture.start(Fixture.through(proxy) + settings, CostMeter.WITH_CAPACITY);
        fixture.createOffsets(system);
        // The first run finds the table and its client.
        Runs.received(new ModelJournal().source(), system);
        meter.take();
        return system;
    }

    /** Events of distinct entities in the first 64 slices. */
    private void deliver(int events) {
        int delivered = 0;
        for (int i = 0; delivered < events; i++) {
            String id = "Entity|" + UUID.nameUUIDFromBytes(new byte[] {(byte) i, (byte) (i >> 8)});
            if (Slices.of(id) < 64) {
                journal.deliver(id, 1, START + i);
                delivered++;
            }
        }
    }

    private static void print(String what, Cost cost, int events) {
        System.out.printf(
                "%s: %.3f write units and %.3f read units per event, requests %s%n",
                what, cost.writes() / events, cost.reads() / events, cost.requests());
    }

    @Test
    void aFullRangeStartsWithElevenReads() {
        ActorSystem<Void> system = start();

        Runs.received(journal.source(), system);

        Cost cost = meter.take();
        print("start of 1,024 slices", cost, 1);
        assertThat(cost.requests()).containsOnlyKeys(Operation.BATCH_GET, Operation.PUT);
        assertThat(cost.requests().get(Operation.BATCH_GET)).isEqualTo(11);
        assertThat(cost.writes()).isEqualTo(1);
    }

    @Test
    void atLeastOnceCostsLittleMoreThanOneWriteUnit() {
        ActorSystem<Void> system = start();
        deliver(1000);

        Runs.received(journal.source(0, 63), system);

        Cost cost = meter.take();
        print("at-least-once, 64 slices, windows of 100, distinct ids", cost, 1000);
        assertThat(cost.writes() / 1000).isLessThanOrEqualTo(1.2);
        assertThat(cost.reads() / 1000).isLessThanOrEqualTo(1.2);
    }

    @Test
    void exactlyOnceCostsLittleMoreThanTwoWriteUnits() {
        ActorSystem<Void> system = start();
        deliver(500);

        assertThat(Runs.toEnd(
                        DynajournalProjection.exactlyOnce(
                                ProjectionId.of(Runs.NAME, "0-63"),
                                journal.source(0, 63),
                                () -> envelope -> CompletableFuture.completedFuture(List.of()),
                                system),
                        system))
                .isNull();

        Cost cost = meter.take();
        print("exactly-once, 64 slices, distinct ids, without the handler's items", cost, 500);
        assertThat(cost.writes() / 500).isLessThanOrEqualTo(2.2);
    }

    /** The flush at the end deletes all batches but the newest one, as it does in the long run. */
    @Test
    void packedAtLeastOnceCostsAFractionOfAWriteUnit() {
        ActorSystem<Void> system = start(PACKED);
        deliver(1000);

        Runs.received(journal.source(0, 63), system);

        Cost cost = meter.take();
        print("packed at-least-once, 64 slices, windows of 100, distinct ids", cost, 1000);
        assertThat(cost.writes() / 1000).isLessThanOrEqualTo(0.2);
        // The first start of a range reads its slices twice, the first rows of other ranges again, and the owners of
        // their logs.
        assertThat(cost.requests().get(Operation.BATCH_GET)).isEqualTo(4);
        // Its own log, and that of the range that has run before.
        assertThat(cost.requests().get(Operation.QUERY)).isEqualTo(2);
    }

    @Test
    void packedExactlyOnceInGroupsCostsAFractionOfAWriteUnit() {
        ActorSystem<Void> system = start(PACKED);
        deliver(500);

        assertThat(Runs.toEnd(
                        DynajournalProjection.exactlyOnceGroupedWithin(
                                        ProjectionId.of(Runs.NAME, "0-63"),
                                        journal.source(0, 63),
                                        () -> group -> CompletableFuture.completedFuture(List.of()),
                                        system)
                                .withGroup(20, Duration.ofSeconds(10)),
                        system))
                .isNull();

        Cost cost = meter.take();
        print("packed exactly-once in groups of 20, 64 slices, distinct ids", cost, 500);
        assertThat(cost.writes() / 500).isLessThanOrEqualTo(0.5);
    }
}
