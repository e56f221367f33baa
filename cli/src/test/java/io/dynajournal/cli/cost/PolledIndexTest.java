package io.dynajournal.cli.cost;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.dynajournal.internal.dynamo.AwsClient;
import io.dynajournal.internal.dynamo.Dynamo;
import io.dynajournal.internal.dynamo.RetrySettings;
import io.dynajournal.internal.layout.commits.CommitsJournal;
import io.dynajournal.internal.model.Event;
import io.dynajournal.internal.model.EventBatch;
import io.dynajournal.internal.model.Payload;
import io.dynajournal.internal.model.SliceRange;
import io.dynajournal.internal.slices.PollSchedule;
import io.dynajournal.internal.slices.ReadRequest;
import io.dynajournal.internal.slices.ReadRequest.IndexRead;
import io.dynajournal.internal.slices.ReadRequest.MissedCommitsRead;
import io.dynajournal.internal.slices.ReaderSettings;
import io.dynajournal.internal.slices.ResumePoint;
import io.dynajournal.internal.slices.SliceReader;
import io.dynajournal.internal.store.EventLog;
import io.dynajournal.internal.store.LogEnd;
import io.dynajournal.internal.store.SliceIndex;
import io.dynajournal.listener.Operation;
import io.dynajournal.listener.RequestEvent;
import io.dynajournal.listener.RequestListener;
import io.dynajournal.testkit.TestEvents;
import io.dynajournal.testkit.simulator.Fate;
import io.dynajournal.testkit.simulator.Faults;
import io.dynajournal.testkit.simulator.SimulatedDynamoDb;
import io.dynajournal.testkit.simulator.SimulatedRequest;
import io.dynajournal.testkit.simulator.VirtualTime;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a query by slice reads by the estimate, against such a query of the native index on the simulated DynamoDB. */
class PolledIndexTest {

    private static Workload workload(String push) {
        return Workload.of(Map.of(), null, Map.of("push", push));
    }

    /** A query of the native index while events are written, in virtual time. */
    private static final class RealQuery implements RequestListener {
        private static final Duration SECOND = Duration.ofSeconds(1);

        private final VirtualTime time = new VirtualTime(5);
        private final SimulatedDynamoDb server = SimulatedDynamoDb.in(time);
        private final AwsClient client = AwsClient.of(server.client("test"), 50, time);
        private final Dynamo dynamo = new Dynamo(client, RetrySettings.DEFAULTS, this, time.clock());
        private final CommitsJournal layout = CommitsJournal.of("events");
        private final EventLog log = layout.open(dynamo);
        private final SliceIndex index = layout.slices(dynamo).orElseThrow();
        private final SplittableRandom random = new SplittableRandom(3);
        private final Map<String, LogEnd> ends = new HashMap<>();
        private final Deque<String> idle = new ArrayDeque<>();
        private final double perSecond;
        private final int eventSize;
        private final boolean push;
        private final SliceReader reader;
        private double units;
        private @Nullable Future<?> next;

        RealQuery(double perSecond, int eventSize, boolean push) {
            this.perSecond = perSecond;
            this.eventSize = eventSize;
            this.push = push;
            server.faults(new Faults() {
                private final Fate late = Fate.delayed(Duration.ofNanos(2_500_000), Duration.ofNanos(2_500_000));

                @Override
                public Fate fate(SimulatedRequest request) {
                    return late;
                }

                @Override
                public Duration indexLag(String table, String name) {
                    return Duration.ofMillis(10);
                }
            });
            time.await(dynamo.tables().create(layout.table()));
            for (int i = 0; i < 400; i++) {
                String id = "Sample|" + Long.toHexString(random.nextLong());
                ends.put(id, time.await(log.head(id, 1)).end());
                idle.add(id);
            }
            ReaderSettings settings = new ReaderSettings(
                    Duration.ofMinutes(2),
                    Duration.ofSeconds(30),
                    200,
                    100_000,
                    8,
                    new PollSchedule(Duration.ofSeconds(3), Duration.ofSeconds(12)));
            this.reader = new SliceReader(
                    settings, SliceRange.ALL, new ResumePoint(index.nowMicros(), Map.of(), 0), true, row -> true);
        }

        @Override
        public void onRequest(RequestEvent event) {
            if (event.operation() == Operation.QUERY) {
                units += event.capacity().indexes();
            }
        }

        double unitsPerSecond() {
            lookUp();
            writeLater();
            time.run(Duration.ofSeconds(160));
            units = 0;
            time.run(Duration.ofMinutes(3));
            return units / Duration.ofMinutes(3).toSeconds();
        }

        private void lookUp() {
            long at = index.nowMicros();
            index.partitions("Sample", SliceRange.ALL).thenAccept(found -> {
                reader.partitionsFound(found, at);
                step();
            });
            time.after(SECOND.multipliedBy(30).toNanos(), this::lookUp);
        }

        private void writeLater() {
            double seconds = -Math.log(1 - random.nextDouble()) / perSecond;
            time.after((long) (seconds * 1e9), this::write);
        }

        private void write() {
            writeLater();
            String id = idle.remove();
            LogEnd seen = Objects.requireNonNull(ends.get(id));
            Event event = Event.of(new Payload(20, "", TestEvents.randomBytes(eventSize)));
            log.append(
                            EventBatch.of(id, "0b1c5a4e-51f1-4f5c-8a53-7d1d0a5b0c11", seen.seqNr() + 1, List.of(event)),
                            seen)
                    .thenAccept(end -> {
                        ends.put(id, end);
                        idle.add(id);
                        if (push) {
                            reader.wakeUp(id, index.nowMicros());
                            step();
                        }
                    });
        }

        private void step() {
            for (ReadRequest read : reader.reads(index.nowMicros())) {
                if (read instanceof IndexRead page) {
                    index.read(page.partition(), page.fromMicros(), page.toMicros(), page.start(), page.pageSize())
                            .thenAccept(found -> {
                                reader.received(page, found, index.nowMicros());
                                step();
                            });
                } else if (read instanceof MissedCommitsRead missed) {
                    throw new AssertionError("the index is in order, but there is " + missed);
                }
            }
            while (!reader.take(200).isEmpty()) {
                // A consumer that keeps up.
            }
            if (next != null) {
                next.cancel(false);
            }
            long wait = Math.max(1, reader.nextReadAt() - index.nowMicros());
            next = time.after(Math.min(wait, SECOND.toNanos() / 1000) * 1000, this::step);
        }
    }

    @ParameterizedTest(name = "{0} per second, events of {1} bytes, push {2}")
    @CsvSource({"1, 200, on", "15, 200, on", "15, 2000, on", "15, 200, off"})
    void aQueryReadsAsMuchAsEstimated(double perSecond, int eventSize, String push) {
        double rowBytes;
        try (LayoutUnits units = new LayoutUnits(
                LayoutChoice.named(List.of("commits")).get(0),
                Workload.of(
                        Map.of(),
                        null,
                        Map.of("event-size", Integer.toString(eventSize), "manifest-size", "0", "id-size", "12")))) {
            units.write();
            rowBytes = units.index().orElseThrow().rowBytes();
        }
        double real = new RealQuery(perSecond, eventSize, push.equals("on")).unitsPerSecond();
        assertThat(PolledIndex.of(workload(push), 16, perSecond, rowBytes).units())
                .isCloseTo(real, withinPercentage(8));
    }

    /** Fewer partitions are simulated then, and of rows more than a key takes only a part. */
    @Test
    void unitsGrowWithTheRows() {
        double some = PolledIndex.of(workload("on"), 16, 16_000, 400).units();
        double more = PolledIndex.of(workload("on"), 16, 160_000, 400).units();
        // Each row is read twice, at half a unit for 4 KB.
        assertThat(some).isBetween(16_000 * 400 / 4096.0, 1.2 * 16_000 * 400 / 4096.0);
        assertThat(more).isCloseTo(10 * some, withinPercentage(15));
    }

    /** Without a row each partition is polled at the idle interval. */
    @Test
    void aQuietIndexIsPolledSeldom() {
        double quiet = PolledIndex.of(workload("on"), 16, 0.000001, 400).units();
        assertThat(quiet).isBetween(16 * 0.5 / 13, 16 * 0.5 / 11);
    }
}
