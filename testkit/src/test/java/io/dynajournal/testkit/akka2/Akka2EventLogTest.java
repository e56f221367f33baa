package io.dynajournal.testkit.akka2;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynajournal.layout.JournalLayout;
import io.dynajournal.layout.akka2.Akka2Journal;
import io.dynajournal.model.Event;
import io.dynajournal.model.Payload;
import io.dynajournal.model.SeqRange;
import io.dynajournal.model.StoredEvent;
import io.dynajournal.store.StoreException;
import io.dynajournal.testkit.Await;
import io.dynajournal.testkit.ErrorAnswer;
import io.dynajournal.testkit.EventLogContract;
import io.dynajournal.testkit.FaultProxy;
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

/** The layout of akka-persistence-dynamodb 2.x; what its format cannot do stands first. */
class Akka2EventLogTest extends EventLogContract {

    /** Missing: the manifest of an event adapter, which the predecessor drops; all else comes back. */
    @Test
    @Override
    public void everyFieldOfAnEventComesBack() {
        String id = TestEvents.freshId();
        Payload payload = new Payload(-7, "manifest-ü", TestEvents.randomBytes(50));
        Payload metadata = new Payload(Integer.MIN_VALUE, "replicated", TestEvents.randomBytes(9));
        Set<String> tags = Set.of("red", "grün", "tag with space");
        Event bare = Event.of(new Payload(Integer.MAX_VALUE, "", new byte[0]));
        LogWriter writer = LogWriter.recover(fixture().log(), id)
                .write(List.of(new Event(payload, "adapter", tags, metadata), bare));
        List<StoredEvent> stored = LogReading.all(fixture().log(), id);
        assertThat(LogReading.contents(stored)).containsExactly(new Event(payload, "", tags, metadata), bare);
        assertThat(stored).allSatisfy(event -> {
            assertThat(event.persistenceId()).isEqualTo(id);
            assertThat(event.writer()).isEqualTo(writer.uuid());
        });
        assertThat(writer.seen()
                        .sameAs(Await.result(fixture().log().head(id, 1)).end()))
                .isTrue();
    }

    /** Missing: one time for all events of a write; the predecessor's queries need a time of its own for each. */
    @ParameterizedTest
    @ValueSource(ints = {1, 10, 100, 101, 1_000})
    @Override
    public void anyNumberOfEventsIsOneAtomicWrite(int count) {
        String id = TestEvents.freshId();
        LogWriter writer = LogWriter.recover(fixture().log(), id)
                .write(1)
                .write(TestEvents.events(count, 100))
                .write(1);
        List<StoredEvent> stored = LogReading.all(fixture().log(), id);
        assertThat(LogReading.contents(stored)).isEqualTo(writer.written());
        assertThat(LogReading.numbers(stored))
                .isEqualTo(LongStream.rangeClosed(1, count + 2L).boxed().toList());
        assertThat(stored.stream().map(StoredEvent::timestampMicros).toList())
                .isSorted()
                .doesNotHaveDuplicates();
    }

    /** Missing: items larger than 400 KB; the event is refused before it is sent, with all that helps to find it. */
    @Test
    @Override
    public void oneLargeEventIsStored() {
        String id = TestEvents.freshId();
        FaultProxy proxy = fixture().proxy();
        LogWriter writer = LogWriter.recover(fixture().log(proxy), id).write(1);
        int before = proxy.requests(RequestMatch.writes()).size();
        StoreException.Refused refused = Await.failure(
                writer.send(writer.next(List.of(TestEvents.event(20), TestEvents.event(409_600)))),
                StoreException.Refused.class);
        assertThat(refused)
                .hasMessageContaining(id)
                .hasMessageContaining("Event 3")
                .hasMessageContaining("409600")
                .hasMessageContaining("4097");
        assertThat(proxy.requests(RequestMatch.writes())).hasSize(before);
        writer.write(1);
        assertThat(LogReading.highest(fixture().log(), id)).isEqualTo(2);
    }

    /** Missing: items larger than 400 KB. */
    @ParameterizedTest
    @ValueSource(ints = {900, 1_000, 1_024, 1_100, 4_096, 5_000, 399_000, 409_000})
    @Override
    public void eventsAroundTheLimitsOfItemsComeBack(int size) {
        String id = TestEvents.freshId();
        LogWriter writer = LogWriter.recover(fixture().log(), id)
                .write(List.of(TestEvents.event(size)))
                .write(List.of(TestEvents.compressible(size), TestEvents.event(10)));
        assertThat(LogReading.contents(LogReading.all(fixture().log(), id)).equals(writer.written()))
                .isTrue();
    }

    /** Missing: items larger than 400 KB; many of them, more than a transaction takes, are one atomic write. */
    @ParameterizedTest
    @ValueSource(ints = {20, 390_000})
    @Override
    public void aLostReplyIsNoConflictWithOneself(int size) {
        for (int count : new int[] {1, 12}) {
            String id = TestEvents.freshId();
            FaultProxy proxy = fixture().proxy();
            LogWriter writer = LogWriter.recover(fixture().log(proxy), id).write(1);
            proxy.when(RequestMatch.writes()).loseReply();
            writer.write(TestEvents.events(count, size)).write(1);
            assertThat(LogReading.contents(LogReading.all(fixture().log(), id)).equals(writer.written()))
                    .isTrue();
        }
    }

    /** Missing: items larger than 400 KB. */
    @Test
    @Override
    public void longLogsAndLargeEventsAreDeleted() {
        String id = TestEvents.freshId();
        LogWriter writer = LogWriter.recover(fixture().log(), id).writeSingles(40);
        writer.write(TestEvents.events(8, 390_000)).writeSingles(5);
        Await.result(fixture().log().deleteTo(id, 50));
        assertThat(LogReading.numbers(LogReading.all(fixture().log(), id))).containsExactly(51L, 52L, 53L);
        assertThat(LogReading.highest(fixture().log(), id)).isEqualTo(53);
    }

    /** Missing: the numbers of rejected events; a number without an item is passed over with a warning. */
    @Test
    @Override
    public void aMissingItemFailsTheReading() {
        assertPassedOver(1);
    }

    /** Missing: the numbers of rejected events. */
    @ParameterizedTest
    @ValueSource(longs = {5, 11, 12})
    @Override
    public void aMissingItemFailsTheReadingThatStartsNearIt(long from) {
        assertPassedOver(from);
    }

    private void assertPassedOver(long from) {
        String id = TestEvents.freshId();
        LogWriter.recover(fixture().log(), id).writeSingles(20);
        removeItem(id, 12);
        assertThat(LogReading.numbers(LogReading.read(fixture().log(), id, LogReading.everythingFrom(from))))
                .isEqualTo(LongStream.rangeClosed(from, 20)
                        .filter(n -> n != 12)
                        .boxed()
                        .toList());
        // A recovery up to the missing number gets there, because the log goes on behind it.
        assertThat(LogReading.replay(fixture().journal(), id, SeqRange.wholeWrites(from, 12, Long.MAX_VALUE)))
                .hasSize((int) (12 - from));
    }

    /** Missing: the numbers of rejected events. */
    @Test
    @Override
    public void aMissingFirstItemFailsTheReading() {
        String id = TestEvents.freshId();
        LogWriter.recover(fixture().log(), id).writeSingles(5);
        removeItem(id, 1);
        assertThat(LogReading.numbers(LogReading.all(fixture().log(), id))).containsExactly(2L, 3L, 4L, 5L);
    }

    /** Missing: deletes by single requests; a hundred events go in one, or none of them. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    @Override
    public void aFailedDeleteLeavesAPrefixDeleted(int writesBeforeTheFailure) {
        String id = TestEvents.freshId();
        LogWriter.recover(fixture().log(), id).write(90).write(90).write(90);
        FaultProxy proxy = fixture().proxy();
        proxy.when(RequestMatch.writes())
                .after(writesBeforeTheFailure)
                .always()
                .answer(ErrorAnswer.of(400, "AccessDeniedException", "No."));
        Await.failure(fixture().log(proxy).deleteTo(id, 268), StoreException.Refused.class);
        assertThat(LogReading.numbers(LogReading.all(fixture().log(), id)))
                .isEqualTo(LongStream.rangeClosed(100L * writesBeforeTheFailure + 1, 270)
                        .boxed()
                        .toList());
        assertThat(LogReading.highest(fixture().log(), id)).isEqualTo(270);
        Await.result(fixture().log().deleteTo(id, 268));
        assertThat(LogReading.numbers(LogReading.all(fixture().log(), id))).containsExactly(269L, 270L);
    }

    @Override
    protected JournalLayout layout(String tableName) {
        return Akka2Journal.of(tableName);
    }

    @Override
    public void removeItem(String persistenceId, long seqNr) {
        RawItems.remove(local.client(), fixture().tableName(), persistenceId, seqNr);
    }
}
