package io.dynajournal.testkit.akka1;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynajournal.layout.JournalLayout;
import io.dynajournal.layout.akka1.Akka1Journal;
import io.dynajournal.model.Event;
import io.dynajournal.model.EventBatch;
import io.dynajournal.model.Payload;
import io.dynajournal.model.StoredEvent;
import io.dynajournal.store.StoreException;
import io.dynajournal.testkit.Await;
import io.dynajournal.testkit.ErrorAnswer;
import io.dynajournal.testkit.EventLogContract;
import io.dynajournal.testkit.FaultProxy;
import io.dynajournal.testkit.Gate;
import io.dynajournal.testkit.LogFixture;
import io.dynajournal.testkit.LogReading;
import io.dynajournal.testkit.LogWriter;
import io.dynajournal.testkit.RequestMatch;
import io.dynajournal.testkit.TestEvents;
import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The layout of 1.x under the contract. What its format cannot do comes first: each overridden test says which capability
 * is missing and tests the refusal, or what happens instead.
 */
class Akka1EventLogTest extends EventLogContract {

    // Capability missing: tags and metadata.
    @Test
    @Override
    public void everyFieldOfAnEventComesBack() {
        String id = TestEvents.freshId();
        Payload payload = new Payload(-7, "manifest-ü", TestEvents.randomBytes(50));
        Event tagged = new Event(payload, "", Set.of("red"), null);
        Event replicated = new Event(payload, "", Set.of(), payload);
        LogWriter writer = LogWriter.recover(fixture().log(), id);
        for (Event refused : List.of(tagged, replicated)) {
            assertThat(Await.failure(
                            writer.send(writer.next(List.of(TestEvents.event(3), refused))),
                            StoreException.Refused.class))
                    .hasMessageContaining(id)
                    .hasMessageContaining("Number 2")
                    .hasMessageContaining(fixture().tableName());
        }
        assertThat(LogReading.highest(fixture().log(), id)).isZero();
        Event full = new Event(payload, "adapter", Set.of(), null);
        Event bare = Event.of(new Payload(Integer.MAX_VALUE, "", new byte[0]));
        writer.write(List.of(full, bare));
        List<StoredEvent> stored = LogReading.all(fixture().log(), id);
        assertThat(LogReading.contents(stored)).containsExactly(full, bare);
        assertThat(stored).allSatisfy(event -> assertThat(event.writer()).isEqualTo(writer.uuid()));
    }

    // Capability missing: timestamps.
    @Test
    @Override
    public void timesRiseFromWriteToWrite() {
        String id = TestEvents.freshId();
        LogWriter.recover(fixture().log(), id).write(2);
        assertThat(LogReading.all(fixture().log(), id))
                .allSatisfy(event -> assertThat(event.timestampMicros()).isZero());
    }

    // Capability missing: events larger than an item.
    @Test
    @Override
    public void oneLargeEventIsStored() {
        String id = TestEvents.freshId();
        LogWriter writer = LogWriter.recover(fixture().log(), id).write(1);
        EventBatch batch = writer.next(List.of(TestEvents.event(10), TestEvents.event(400_000)));
        StoreException.ItemTooLarge refused = Await.failure(writer.send(batch), StoreException.ItemTooLarge.class);
        assertThat(refused.persistenceId()).isEqualTo(id);
        assertThat(refused.seqNr()).isEqualTo(3);
        assertThat(refused)
                .hasMessageContaining(id)
                .hasMessageContaining("400000")
                .hasMessageContaining(fixture().tableName());
        writer.writeAt(4, TestEvents.events(1, 20));
        assertThat(LogReading.numbers(LogReading.all(fixture().log(), id))).containsExactly(1L, 4L);
    }

    // Capability missing: events larger than an item.
    @ParameterizedTest
    @ValueSource(ints = {900, 1_000, 1_024, 1_100, 4_000, 4_096, 5_000, 399_000, 399_700})
    @Override
    public void eventsAroundTheLimitsOfItemsComeBack(int size) {
        String id = TestEvents.freshId();
        LogWriter writer = LogWriter.recover(fixture().log(), id)
                .write(List.of(TestEvents.event(size)))
                .write(List.of(TestEvents.compressible(size), TestEvents.event(10)));
        assertThat(LogReading.contents(LogReading.all(fixture().log(), id)).equals(writer.written()))
                .isTrue();
    }

    // Capability missing: events larger than an item.
    @ParameterizedTest
    @ValueSource(ints = {20, 300_000})
    @Override
    public void aLostReplyIsNoConflictWithOneself(int size) {
        String id = TestEvents.freshId();
        FaultProxy proxy = fixture().proxy();
        proxy.when(RequestMatch.writes()).after(1).loseReply();
        LogWriter writer = LogWriter.recover(fixture().log(proxy), id).write(1);
        writer.write(List.of(TestEvents.event(size))).write(1);
        assertThat(LogReading.contents(LogReading.all(fixture().log(), id)).equals(writer.written()))
                .isTrue();
    }

    // Capability missing: events larger than an item.
    @Test
    @Override
    public void longLogsAndLargeEventsAreDeleted() {
        String id = TestEvents.freshId();
        LogWriter writer = LogWriter.recover(fixture().log(), id).writeSingles(40);
        writer.write(List.of(TestEvents.event(390_000))).writeSingles(5).write(300);
        Await.result(fixture().log().deleteTo(id, 343));
        assertThat(LogReading.numbers(LogReading.all(fixture().log(), id))).containsExactly(344L, 345L, 346L);
        assertThat(LogReading.highest(fixture().log(), id)).isEqualTo(346);
    }

    // Capability missing: telling an item that is gone from a rejected event; holes are reported and passed over.
    @Test
    @Override
    public void aMissingItemFailsTheReading() {
        String id = TestEvents.freshId();
        LogWriter.recover(fixture().log(), id).writeSingles(20);
        removeItem(id, 12);
        assertThat(LogReading.numbers(LogReading.all(fixture().log(), id)))
                .hasSize(19)
                .doesNotContain(12L);
        assertThat(LogReading.highest(fixture().log(), id)).isEqualTo(20);
    }

    // Capability missing: as above.
    @ParameterizedTest
    @ValueSource(longs = {5, 11, 12})
    @Override
    public void aMissingItemFailsTheReadingThatStartsNearIt(long from) {
        String id = TestEvents.freshId();
        LogWriter.recover(fixture().log(), id).writeSingles(20);
        removeItem(id, 12);
        assertThat(LogReading.numbers(LogReading.read(fixture().log(), id, LogReading.everythingFrom(from))))
                .isEqualTo(LongStream.rangeClosed(from, 20)
                        .filter(n -> n != 12)
                        .boxed()
                        .toList());
    }

    // Capability missing: as above.
    @Test
    @Override
    public void aMissingFirstItemFailsTheReading() {
        String id = TestEvents.freshId();
        LogWriter.recover(fixture().log(), id).writeSingles(5);
        removeItem(id, 1);
        assertThat(LogReading.numbers(LogReading.all(fixture().log(), id))).containsExactly(2L, 3L, 4L, 5L);
    }

    // Capability missing: several events in one request; three events are three.
    @Test
    @Override
    public void aLostRequestIsSentAgain() {
        String id = TestEvents.freshId();
        FaultProxy proxy = fixture().proxy();
        LogWriter writer = LogWriter.recover(fixture().log(proxy), id);
        proxy.when(RequestMatch.writes()).times(2).loseRequest();
        writer.write(3);
        assertThat(proxy.requests(RequestMatch.writes())).hasSize(5);
        assertThat(LogReading.contents(LogReading.all(fixture().log(), id))).isEqualTo(writer.written());
    }

    // Capability missing: several events in one request. What arrives late is the beginning of a write, and stays
    // unseen.
    @Test
    @Override
    public void aWriteThatArrivesLateStopsTheWriterThatDidNotSeeIt() {
        for (int size : new int[] {1, 2, 5}) {
            String id = TestEvents.freshId();
            FaultProxy proxy = fixture().proxy();
            LogWriter lost = LogWriter.recover(fixture().log(proxy, LogFixture.IMPATIENT), id);
            Gate late = proxy.when(RequestMatch.writes()).deliverLate();
            proxy.when(RequestMatch.writes()).always().loseRequest();
            EventBatch batch = lost.next(TestEvents.events(size, 20));
            Await.failure(lost.send(batch), StoreException.Unavailable.class);
            LogWriter next = LogWriter.recover(fixture().log(), id);
            late.release();
            late.awaitDelivery();
            StoreException.WriteConflict conflict =
                    Await.failure(next.send(next.next(TestEvents.events(1, 20))), StoreException.WriteConflict.class);
            assertThat(conflict.otherWriter()).isEqualTo(lost.uuid());
            assertThat(LogReading.contents(LogReading.all(fixture().log(), id)))
                    .isEqualTo(size == 1 ? batch.writes().get(0) : List.of());
            LogWriter after = LogWriter.recover(fixture().log(), id).write(2);
            assertThat(LogReading.contents(LogReading.all(fixture().log(), id)))
                    .endsWith(after.written().toArray(Event[]::new));
        }
    }

    // Fewer requests than the native layout: one for the mark, one for each 25 items.
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3})
    @Override
    public void aFailedDeleteLeavesAPrefixDeleted(int writesBeforeTheFailure) {
        String id = TestEvents.freshId();
        LogWriter.recover(fixture().log(), id).write(120);
        FaultProxy proxy = fixture().proxy();
        proxy.when(RequestMatch.writes())
                .after(writesBeforeTheFailure)
                .always()
                .answer(ErrorAnswer.of(400, "AccessDeniedException", "No."));
        Await.failure(fixture().log(proxy).deleteTo(id, 110), StoreException.Refused.class);
        List<Long> left = LogReading.numbers(LogReading.all(fixture().log(), id));
        long first = writesBeforeTheFailure == 0 ? 1 : 111;
        assertThat(left).isEqualTo(LongStream.rangeClosed(first, 120).boxed().toList());
        assertThat(LogReading.highest(fixture().log(), id)).isEqualTo(120);
        Await.result(fixture().log().deleteTo(id, 110));
        assertThat(LogReading.numbers(LogReading.all(fixture().log(), id)))
                .isEqualTo(LongStream.rangeClosed(111, 120).boxed().toList());
        Akka1Table table = new Akka1Table(local.client(), fixture().tableName());
        for (long seqNr = 1; seqNr <= 110; seqNr++) {
            assertThat(table.event(id, seqNr)).as("left behind").isEmpty();
        }
    }

    @Override
    protected JournalLayout layout(String tableName) {
        return Akka1Journal.of(tableName);
    }

    @Override
    public void removeItem(String persistenceId, long seqNr) {
        new Akka1Table(local.client(), fixture().tableName()).removeEvent(persistenceId, seqNr);
    }
}
