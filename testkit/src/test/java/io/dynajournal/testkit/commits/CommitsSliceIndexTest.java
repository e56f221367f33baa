package io.dynajournal.testkit.commits;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynajournal.exception.StoreException;
import io.dynajournal.internal.dynamo.AwsClient;
import io.dynajournal.internal.dynamo.ClientSettings;
import io.dynajournal.internal.dynamo.Clients;
import io.dynajournal.internal.dynamo.Dynamo;
import io.dynajournal.internal.dynamo.TableAdmin;
import io.dynajournal.internal.layout.commits.CommitsJournal;
import io.dynajournal.internal.model.Event;
import io.dynajournal.internal.model.SliceRange;
import io.dynajournal.internal.model.Slices;
import io.dynajournal.internal.model.StoredEvent;
import io.dynajournal.internal.store.EventLog;
import io.dynajournal.internal.store.PageToken;
import io.dynajournal.internal.store.Pages;
import io.dynajournal.internal.store.PersistenceIds;
import io.dynajournal.internal.store.SliceIndex;
import io.dynajournal.internal.store.SlicePartition;
import io.dynajournal.internal.store.SliceRow;
import io.dynajournal.listener.Operation;
import io.dynajournal.listener.RequestListener;
import io.dynajournal.testkit.Await;
import io.dynajournal.testkit.Cost;
import io.dynajournal.testkit.CostMeter;
import io.dynajournal.testkit.FaultProxy;
import io.dynajournal.testkit.LocalDynamo;
import io.dynajournal.testkit.LogFixture;
import io.dynajournal.testkit.LogWriter;
import io.dynajournal.testkit.TestEvents;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** What the slice index of the native layout shows, and what that costs. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CommitsSliceIndexTest {

    private static final long EVER = Long.MAX_VALUE;

    @RegisterExtension
    final LocalDynamo local = new LocalDynamo();

    private CommitsJournal layout = CommitsJournal.of("unset");
    private LogFixture fixture = freshTable(16);

    @BeforeEach
    void table() {
        fixture = freshTable(16);
    }

    private LogFixture freshTable(int partitions) {
        layout = with(local.freshTable(), partitions);
        return LogFixture.create(local, layout);
    }

    private static CommitsJournal with(String table, int partitions) {
        return new CommitsJournal(table, true, true, partitions, true, 8192, 100, 3, Duration.ofDays(1));
    }

    private SliceIndex index(RequestListener listener) {
        return layout.slices(local.open(listener)).orElseThrow();
    }

    private SliceIndex index() {
        return index(RequestListener.NONE);
    }

    private static List<SliceRow> rows(SliceIndex index, String entityType, SliceRange slices) {
        List<SliceRow> rows = new ArrayList<>();
        for (SlicePartition partition : Await.result(index.partitions(entityType, slices))) {
            Await.result(Pages.<PageToken>drain(
                    null,
                    start -> index.read(partition, 0, EVER, start, 3).thenApply(page -> {
                        assertThat(page.rows()).hasSizeLessThanOrEqualTo(3);
                        rows.addAll(page.rows());
                        return page.next();
                    })));
        }
        return rows;
    }

    private static List<Event> contents(List<List<StoredEvent>> events) {
        return events.stream().flatMap(List::stream).map(StoredEvent::event).toList();
    }

    @Test
    void everyCommitIsARowWithTheTimestampOfTheOneBefore() {
        String id = TestEvents.freshId();
        LogWriter writer = LogWriter.recover(fixture.log(), id);
        writer.write(2).writeAt(5, TestEvents.events(1, 20)).write(TestEvents.events(30, 200));
        writer.write(TestEvents.events(100, 200));
        SliceIndex index = index();

        List<SliceRow> rows = rows(index, "cart", SliceRange.ALL);
        assertThat(rows).extracting(SliceRow::seqNr).containsExactly(1L, 3L, 6L, 36L);
        assertThat(rows).extracting(SliceRow::endSeqNr).containsExactly(2L, 5L, 35L, 135L);
        assertThat(rows.get(0).previousMicros()).isZero();
        for (int i = 1; i < rows.size(); i++) {
            assertThat(rows.get(i).previousMicros()).isEqualTo(rows.get(i - 1).timestampMicros());
        }
        // In the row, in the table, and in parts.
        List<List<StoredEvent>> events = Await.result(index.events(rows));
        assertThat(events).extracting(List::size).containsExactly(2, 1, 30, 100);
        assertThat(contents(events)).isEqualTo(writer.written());
        assertThat(events.get(1).get(0).seqNr()).isEqualTo(5);
    }

    @Test
    void rowsAreFoundBySliceAndType() {
        Map<String, Integer> slices = new java.util.TreeMap<>();
        for (int i = 0; i < 40; i++) {
            String id = (i % 2 == 0 ? "even|" : "") + TestEvents.freshId();
            LogWriter.recover(fixture.log(), id).write(1);
            if (i % 2 == 0) {
                slices.put(id, Slices.of(id));
            }
        }
        SliceRange range = new SliceRange(100, 600);
        assertThat(rows(index(), "even", SliceRange.ALL))
                .extracting(SliceRow::persistenceId)
                .containsExactlyInAnyOrderElementsOf(slices.keySet());
        assertThat(rows(index(), "even", range).stream()
                        .map(SliceRow::persistenceId)
                        .filter(range::contains))
                .containsExactlyInAnyOrderElementsOf(slices.entrySet().stream()
                        .filter(slice -> slice.getValue() >= 100 && slice.getValue() <= 600)
                        .map(Map.Entry::getKey)
                        .toList());
        assertThat(Await.result(index().partitions("even", range))).hasSize(9);
        assertThat(Await.result(index().partitions("even", SliceRange.ALL))).hasSize(16);
    }

    @Test
    void typesAreRegisteredBeforeTheirFirstEvent() {
        assertThat(registeredTypes()).isEmpty();
        LogWriter.recover(fixture.log(), "no-type-" + TestEvents.freshWriter()).write(1);
        LogWriter.recover(fixture.log(), "|" + TestEvents.freshWriter()).write(1);
        LogWriter.recover(fixture.log(), TestEvents.freshId()).write(1);
        LogWriter.recover(fixture.log(), "a b#|" + TestEvents.freshWriter()).write(1);
        assertThat(registeredTypes()).containsExactlyInAnyOrder("", "cart", "a b#");
        assertThat(rows(index(), "", SliceRange.ALL)).hasSize(2);
        assertThat(rows(index(), "a b#", SliceRange.ALL)).hasSize(1);
    }

    private Set<String> registeredTypes() {
        return Await.result(index().partitions(SliceRange.ALL)).stream()
                .map(SlicePartition::entityType)
                .collect(Collectors.toSet());
    }

    /** A clock that a test moves. */
    private static final class MovedClock extends Clock {
        private volatile Duration ahead = Duration.ZERO;

        @Override
        public Instant instant() {
            return Clock.systemUTC().instant().plus(ahead);
        }

        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            return this;
        }
    }

    @Test
    void typesAreRegisteredAgainAfterTheTableWasRecreatedUnderARunningWriter() {
        MovedClock clock = new MovedClock();
        CostMeter meter = new CostMeter();
        FaultProxy proxy = local.proxy().measure(meter);
        try (AwsClient client = Clients.connect(ClientSettings.forEndpoint(proxy.endpoint()))) {
            EventLog running = fixture.log(new Dynamo(client, LocalDynamo.PATIENT, CostMeter.WITH_CAPACITY, clock));
            LogWriter cart = LogWriter.recover(running, TestEvents.freshId()).write(1);
            LogWriter order = LogWriter.recover(running, "order|" + TestEvents.freshWriter())
                    .write(1);
            Await.result(new TableAdmin(local.client()).delete(layout.tableName()));
            local.create(layout.table());

            clock.ahead = Duration.ofMinutes(3);
            meter.take();
            cart.write(1);
            assertThat(meter.take().requests())
                    .isEqualTo(Map.of(Operation.BATCH_GET, 1, Operation.UPDATE, 1, Operation.PUT, 1));
            order.write(1);
            LogWriter.recover(running, "new|" + TestEvents.freshWriter()).write(1);
            assertThat(registeredTypes()).containsExactlyInAnyOrder("cart", "order", "new");
            meter.take();
            cart.write(1);
            order.write(1);
            assertThat(meter.take().requests()).isEqualTo(Map.of(Operation.PUT, 2));
        }
    }

    @Test
    void theRegistryIsReadAgainOnceInTwoMinutes() {
        MovedClock clock = new MovedClock();
        CostMeter meter = new CostMeter();
        FaultProxy proxy = local.proxy().measure(meter);
        try (AwsClient client = Clients.connect(ClientSettings.forEndpoint(proxy.endpoint()))) {
            LogWriter cart = LogWriter.recover(
                            fixture.log(new Dynamo(client, LocalDynamo.PATIENT, CostMeter.WITH_CAPACITY, clock)),
                            TestEvents.freshId())
                    .write(1);
            meter.take();
            cart.write(1);
            assertThat(meter.take().requests()).isEqualTo(Map.of(Operation.PUT, 1));
            clock.ahead = Duration.ofMinutes(3);
            cart.write(1);
            Cost cost = meter.take();
            assertThat(cost.requests()).isEqualTo(Map.of(Operation.BATCH_GET, 1, Operation.PUT, 1));
            assertThat(cost.reads()).isEqualTo(1);
            cart.write(1);
            assertThat(meter.take().requests()).isEqualTo(Map.of(Operation.PUT, 1));
        }
    }

    @Test
    void withoutTheIndexOfIdsListingThemIsRefusedWithTheSetting() {
        PersistenceIds ids = layout.withoutIndexes().ids(local.open(RequestListener.NONE));
        assertThat(Await.failure(ids.read(null), StoreException.Refused.class))
                .hasMessageContaining(layout.tableName())
                .hasMessageContaining("index.ids");
    }

    @Test
    void tagsAreInTheRow() {
        Event event = TestEvents.event(20);
        LogWriter.recover(fixture.log(), TestEvents.freshId())
                .write(List.of(
                        new Event(event.payload(), "", Set.of("red"), null),
                        new Event(event.payload(), "", Set.of("blue"), null)));
        assertThat(rows(index(), "cart", SliceRange.ALL).get(0).tags()).containsExactlyInAnyOrder("red", "blue");
    }

    @Test
    void missedCommitsAreReadFromTheTable() {
        String id = TestEvents.freshId();
        LogWriter writer = LogWriter.recover(fixture.log(), id).writeSingles(30);
        SliceIndex index = index();
        List<SliceRow> all = Await.result(index.between(id, 0, 31, 0, 100));
        assertThat(all).extracting(SliceRow::seqNr).hasSize(30).isSorted();
        assertThat(contents(Await.result(index.events(all)))).isEqualTo(writer.written());

        assertThat(Await.result(index.between(id, 5, 9, 0, 100)))
                .extracting(SliceRow::seqNr)
                .containsExactly(6L, 7L, 8L);
        assertThat(Await.result(index.between(id, 5, 30, 0, 2)))
                .extracting(SliceRow::seqNr)
                .containsExactly(6L, 7L);
        long since = all.get(11).timestampMicros();
        assertThat(Await.result(index.between(id, 0, 30, since, 100)))
                .extracting(SliceRow::seqNr)
                .startsWith(12L)
                .hasSize(18);
        assertThat(Await.result(index.between(id, 0, 30, EVER, 100))).isEmpty();
        assertThat(Await.result(index.between(id, 29, 30, 0, 100))).isEmpty();
    }

    @Test
    void deletedEventsAreGone() {
        String id = TestEvents.freshId();
        LogWriter.recover(fixture.log(), id).writeSingles(3).write(TestEvents.events(30, 200));
        SliceIndex index = index();
        List<SliceRow> before = rows(index, "cart", SliceRange.ALL);
        Await.result(fixture.log().deleteTo(id, 13));

        assertThat(rows(index, "cart", SliceRange.ALL))
                .extracting(SliceRow::seqNr)
                .containsExactly(4L);
        assertThat(Await.result(index.between(id, 0, 100, 0, 100)))
                .extracting(SliceRow::seqNr)
                .containsExactly(4L);
        List<List<StoredEvent>> events = Await.result(index.events(before));
        assertThat(events.get(3)).extracting(StoredEvent::seqNr).hasSize(20).startsWith(14L);
    }

    @Test
    void aNewPartitionCountIsUsedWhenReadersKnowIt() {
        String id = TestEvents.freshId();
        LogWriter.recover(fixture.log(), id).write(1);
        CommitsJournal more = with(layout.tableName(), 64);
        LogWriter.recover(more.open(local.open(RequestListener.NONE)), id).write(1);

        assertThat(partitionCounts(id)).containsExactly("16", "16");
        assertThat(Await.result(index().partitions("cart", SliceRange.ALL))).hasSize(80);
        assertThat(rows(index(), "cart", SliceRange.ALL)).hasSize(2);

        // As if it had been registered three minutes ago.
        long since = index().nowMicros() - Duration.ofMinutes(3).toMillis() * 1000;
        Await.result(local.client()
                .updateItem(update -> update.tableName(layout.tableName())
                        .key(Map.of(
                                "pid", AttributeValue.fromS("#dynajournal/registry"), "seq", AttributeValue.fromN("1")))
                        .updateExpression("ADD ks :ks")
                        .expressionAttributeValues(Map.of(":ks", AttributeValue.fromSs(List.of("64@" + since))))));
        LogWriter.recover(more.open(local.open(RequestListener.NONE)), id).write(1);
        assertThat(partitionCounts(id)).containsExactly("16", "16", "64");
        assertThat(rows(index(), "cart", SliceRange.ALL)).hasSize(3);
    }

    private List<String> partitionCounts(String id) {
        return Await.result(local.client()
                        .query(query -> query.tableName(layout.tableName())
                                .keyConditionExpression("pid = :pid")
                                .expressionAttributeValues(Map.of(":pid", AttributeValue.fromS(id)))))
                .items()
                .stream()
                .map(item -> item.getOrDefault("ix", AttributeValue.fromS("none#none#none"))
                        .s()
                        .split("#", 3)[1])
                .toList();
    }

    @Test
    void smallRowsCostNoRequestAndLargeOnesOneForAHundredCommits() {
        LogWriter.recover(fixture.log(), TestEvents.freshId()).writeSingles(5);
        CostMeter meter = new CostMeter();
        SliceIndex index = layout.slices(local.open(meter)).orElseThrow();
        SlicePartition partition = Await.result(index.partitions("cart", SliceRange.ALL)).stream()
                .filter(any -> !Await.result(index().read(any, 0, EVER, null, 10))
                        .rows()
                        .isEmpty())
                .findFirst()
                .orElseThrow();
        meter.take();
        List<SliceRow> small =
                Await.result(index.read(partition, 0, EVER, null, 10)).rows();
        Cost page = meter.take();
        assertThat(page.requests()).isEqualTo(Map.of(Operation.QUERY, 1));
        assertThat(page.reads()).isEqualTo(0.5);
        assertThat(Await.result(index.events(small))).hasSize(5);
        assertThat(meter.take().requests()).isEmpty();

        assertThat(Await.result(index.read(partition, 0, 1, null, 10)).rows()).isEmpty();
        assertThat(meter.take().reads()).isEqualTo(0.5);

        String id = TestEvents.freshId();
        LogWriter large = LogWriter.recover(fixture.log(), id);
        for (int i = 0; i < 20; i++) {
            large.write(TestEvents.events(10, 200));
        }
        List<SliceRow> rows = Await.result(index.between(id, 0, 1_000, 0, 100));
        meter.take();
        assertThat(Await.result(index.events(rows))).hasSize(20);
        Cost bodies = meter.take();
        assertThat(bodies.requests()).isEqualTo(Map.of(Operation.BATCH_GET, 1));
        assertThat(bodies.reads()).isEqualTo(20);
    }

    @Test
    void eventsAreReadUntilTheirPayloadsReachALimit() {
        String id = TestEvents.freshId();
        LogWriter writer = LogWriter.recover(fixture.log(), id);
        int third = (int) (SliceIndex.MAX_CONTENT_BYTES / 3 + 1);
        for (int i = 0; i < 5; i++) {
            writer.write(TestEvents.events(1, third));
        }
        List<SliceRow> rows = Await.result(index().between(id, 0, 1_000, 0, 100));
        assertThat(Await.result(index().events(rows))).hasSize(3);
        assertThat(Await.result(index().events(rows.subList(3, 5)))).hasSize(2);
    }

    @Test
    void withoutTheIndexThereIsNone() {
        @Nullable
        SliceIndex none =
                layout.withoutIndexes().slices(local.open(RequestListener.NONE)).orElse(null);
        assertThat(none).isNull();
    }
}
