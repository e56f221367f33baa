package io.dynajournal.testkit.commits;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynajournal.exception.StoreException;
import io.dynajournal.internal.dynamo.Dynamo;
import io.dynajournal.internal.layout.TimeToLive;
import io.dynajournal.internal.layout.TimeToLive.Rules;
import io.dynajournal.internal.layout.commits.CommitsJournal;
import io.dynajournal.internal.layout.commits.CommitsSnapshots;
import io.dynajournal.internal.layout.commits.CommitsStates;
import io.dynajournal.internal.model.EventBatch;
import io.dynajournal.internal.model.Payload;
import io.dynajournal.internal.model.SeqRange;
import io.dynajournal.internal.model.SnapshotCriteria;
import io.dynajournal.internal.model.StateChange;
import io.dynajournal.internal.model.StoredSnapshot;
import io.dynajournal.internal.store.EventLog;
import io.dynajournal.internal.store.LogEnd;
import io.dynajournal.internal.store.LogHead;
import io.dynajournal.internal.store.PageToken;
import io.dynajournal.internal.store.Pages;
import io.dynajournal.internal.store.SnapshotTable;
import io.dynajournal.internal.store.StateTable;
import io.dynajournal.listener.Operation;
import io.dynajournal.listener.RequestListener;
import io.dynajournal.testkit.Await;
import io.dynajournal.testkit.CostMeter;
import io.dynajournal.testkit.ErrorAnswer;
import io.dynajournal.testkit.FaultProxy;
import io.dynajournal.testkit.HeldRequest;
import io.dynajournal.testkit.LocalDynamo;
import io.dynajournal.testkit.LogReading;
import io.dynajournal.testkit.LogWriter;
import io.dynajournal.testkit.RequestMatch;
import io.dynajournal.testkit.TestEvents;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Events, snapshots and states of the native layout expire by DynamoDB's clock, which the test moves. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class CommitsTimeToLiveTest {

    private static final Duration HOUR = Duration.ofHours(1);
    private static final Duration DAY = Duration.ofDays(1);

    @RegisterExtension
    final LocalDynamo local = new LocalDynamo();

    private final CommitsJournal layout =
            new CommitsJournal(local.freshTable(), true, true, 16, false, 4096, 3, 3, Duration.ofDays(1));
    private final CommitsSnapshots snapshots = new CommitsSnapshots(local.freshTable(), true, false, 4096);
    private final CommitsStates states = CommitsStates.of(local.freshTable());
    private FaultProxy proxy;
    private Dynamo dynamo;

    CommitsTimeToLiveTest() {
        local.create(layout.table());
        local.create(snapshots.table());
        local.create(states.table());
    }

    @BeforeEach
    void connect() {
        proxy = local.proxy();
        dynamo = local.open(proxy, LocalDynamo.PATIENT, RequestListener.NONE);
    }

    private static TimeToLive events(Duration life) {
        return new TimeToLive(new Rules(true, null, life, null), Map.of());
    }

    private static TimeToLive deletes(Duration life) {
        return new TimeToLive(new Rules(true, life, null, null), Map.of());
    }

    private EventLog log(TimeToLive rules) {
        return layout.with(rules).open(dynamo);
    }

    /** The clock follows the server's from its next answer on. */
    private void moveTo(Duration ahead) {
        proxy.moveDate(ahead);
        Await.result(log(TimeToLive.none()).end("nobody"));
    }

    /** As DynamoDB does some time after the expiry, in any order. */
    private void removed(String id, long key) {
        local.client()
                .deleteItem(delete -> delete.tableName(layout.tableName())
                        .key(Map.of("pid", AttributeValue.fromS(id), "seq", AttributeValue.fromN(Long.toString(key)))))
                .join();
    }

    private static List<Long> numbers(EventLog log, String id) {
        return LogReading.numbers(LogReading.all(log, id));
    }

    private List<String> ids() {
        List<String> ids = new ArrayList<>();
        Await.result(Pages.<PageToken>drain(
                null,
                token -> layout.ids(dynamo).read(token).thenApply(page -> {
                    ids.addAll(page.ids());
                    return page.next();
                })));
        return ids;
    }

    @Test
    void eventsExpireAndTheSequenceNumberStays() {
        String id = TestEvents.freshId();
        EventLog log = log(events(HOUR));
        LogWriter.recover(log, id).write(2).write(List.of(TestEvents.event(9_000)));
        moveTo(HOUR.dividedBy(2));
        LogWriter.recover(log, id).write(1);
        assertThat(numbers(log, id)).containsExactly(1L, 2L, 3L, 4L);
        moveTo(HOUR.plusMinutes(1));
        assertThat(numbers(log, id)).containsExactly(4L);
        assertThat(LogReading.highest(log, id)).isEqualTo(4);
        removed(id, 1);
        assertThat(numbers(log, id)).containsExactly(4L);
        assertThat(LogReading.read(log, id, SeqRange.wholeWrites(4, 4, 10))).hasSize(1);
        moveTo(HOUR.multipliedBy(2));
        assertThat(numbers(log, id)).isEmpty();
        long highest = LogReading.highest(log, id);
        assertThat(highest).isBetween(4L, 104L);
        removed(id, 4);
        removed(id, 3);
        assertThat(LogReading.highest(log, id)).isEqualTo(highest);
        assertThat(ids()).filteredOn(id::equals).hasSize(1);
        // From a snapshot, too, nothing is missing.
        assertThat(Await.result(log.head(id, 3)).end().seqNr()).isEqualTo(highest);
        assertThat(LogReading.pages(log, id, SeqRange.wholeWrites(3, highest, 10), null))
                .last()
                .satisfies(page -> assertThat(page.coveredTo()).isEqualTo(highest));
        LogWriter.recover(log, id).write(2);
        assertThat(numbers(log, id)).containsExactly(highest + 1, highest + 2);
    }

    @Test
    void withoutTheCheckEventsAreShownUntilTheyAreRemoved() {
        String id = TestEvents.freshId();
        EventLog log = log(new TimeToLive(new Rules(false, null, HOUR, null), Map.of()));
        LogWriter.recover(log, id).write(1).write(1);
        moveTo(HOUR.multipliedBy(2));
        assertThat(numbers(log, id)).containsExactly(1L, 2L);
        removed(id, 1);
        assertThat(numbers(log, id)).containsExactly(2L);
    }

    /** A time to live that is set later also ends what was stored before: an entity cannot recover without its middle. */
    @Test
    void olderEventsWithoutAnExpiryEndWithTheFirstThatExpires() {
        for (boolean isRemoved : new boolean[] {false, true}) {
            String id = TestEvents.freshId();
            moveTo(Duration.ZERO);
            LogWriter.recover(log(TimeToLive.none()), id).writeSingles(7);
            EventLog log = log(events(HOUR));
            LogWriter.recover(log, id).writeSingles(2);
            moveTo(HOUR.plusMinutes(1));
            LogWriter.recover(log(TimeToLive.none()), id).writeSingles(2);
            if (isRemoved) {
                removed(id, 8);
                removed(id, 9);
            }
            // The first pages have been delivered before the expired event is found.
            assertThat(LogReading.numbers(LogReading.allAgain(log, id))).containsExactly(109L, 110L);
            assertThat(LogReading.highest(log, id)).isEqualTo(110);
            assertThat(ids()).filteredOn(id::equals).hasSize(1);
        }
    }

    /** The tombstone of an earlier delete is in the same page, and is no interrupted delete. */
    @Test
    void aHoleOfExpiredEventsAfterADeleteIsRepairedOnce() {
        String id = TestEvents.freshId();
        moveTo(Duration.ZERO);
        EventLog log = log(events(HOUR));
        LogWriter.recover(log(TimeToLive.none()), id).writeSingles(6);
        Await.result(log(TimeToLive.none()).deleteTo(id, 4));
        LogWriter.recover(log, id).writeSingles(2);
        moveTo(HOUR.plusMinutes(1));
        LogWriter.recover(log(TimeToLive.none()), id).writeSingles(1);
        removed(id, 7);
        removed(id, 8);
        assertThat(LogReading.numbers(LogReading.allAgain(log, id))).hasSize(1);
        assertThat(numbers(log, id)).hasSize(1);
    }

    /** An item is lost, of a log that has a floor. Its time to live is not over, so nothing explains it. */
    @Test
    void aGapThatNoExpiryExplainsFailsAndDeletesNothing() {
        String id = TestEvents.freshId();
        moveTo(Duration.ZERO);
        EventLog log = log(events(HOUR));
        LogWriter.recover(log, id).writeSingles(6);
        removed(id, 3);
        for (int i = 0; i < 2; i++) {
            assertThat(Await.failure(
                            LogReading.reading(log, id, LogReading.everythingFrom(1)), StoreException.LogDamaged.class))
                    .hasMessageContaining("3 to 3 are missing");
        }
        assertThat(LogReading.numbers(LogReading.read(log, id, SeqRange.wholeWrites(1, 2, 100))))
                .containsExactly(1L, 2L);
        removed(id, 1);
        removed(id, 2);
        Await.result(log.deleteTo(id, 3));
        String gap = TestEvents.freshId();
        EventLog deleting = log(deletes(HOUR));
        LogWriter.recover(deleting, gap).writeSingles(5);
        Await.result(deleting.deleteTo(gap, 5));
        LogWriter.recover(deleting, gap).writeSingles(3);
        for (long key = 1; key <= 6; key++) {
            removed(gap, key);
        }
        assertThat(Await.failure(
                        LogReading.reading(deleting, gap, LogReading.everythingFrom(1)),
                        StoreException.LogDamaged.class))
                .hasMessageContaining("found 7");
    }

    /** A recovery continues after the floor, an entity that is alive after its last event: they must meet. */
    @Test
    void oneOfTwoWritersIsRejectedAfterAllEventsWereDeleted() {
        EventLog log = log(events(HOUR));
        for (boolean livingIsFirst : new boolean[] {true, false}) {
            String id = TestEvents.freshId();
            LogWriter living = LogWriter.recover(log, id).writeSingles(3);
            Await.result(log.deleteTo(id, 3));
            LogWriter recovered = LogWriter.recover(log, id);
            LogWriter first = livingIsFirst ? living : recovered;
            LogWriter second = livingIsFirst ? recovered : living;
            first.writeSingles(2);
            Await.failure(second.send(second.next(TestEvents.events(1, 20))), StoreException.WriteConflict.class);
            first.write(1);
            assertThat(LogReading.contents(LogReading.all(log, id)))
                    .isEqualTo(first.written()
                            .subList(livingIsFirst ? 3 : 0, first.written().size()));
            LogWriter.recover(log, id).write(1);
            assertThat(numbers(log, id)).hasSize(4);
            assertThat(LogReading.highest(log, id)).isGreaterThan(first.seen().seqNr());
        }
    }

    /** Its last event counts as expired a little before it is: what follows leaves out the numbers up to the floor. */
    @Test
    void anEntityThatContinuesJustBeforeItsEventsExpireRecoversAgain() {
        String id = TestEvents.freshId();
        EventLog log = log(events(HOUR));
        LogWriter stale = LogWriter.recover(log, id).writeSingles(3);
        moveTo(HOUR.minusSeconds(30));
        LogWriter writer = LogWriter.recover(log, id).write(1);
        Await.failure(stale.send(stale.next(TestEvents.events(1, 20))), StoreException.WriteConflict.class);
        assertThat(LogReading.numbers(LogReading.allAgain(log, id))).containsExactly(102L);
        writer.write(1);
        LogWriter.recover(log, id).write(1);
        assertThat(numbers(log, id)).containsExactly(102L, 103L, 104L);
        moveTo(HOUR.plusMinutes(1));
        for (long key = 3; key >= 1; key--) {
            removed(id, key);
            assertThat(numbers(log, id)).containsExactly(102L, 103L, 104L);
        }
        assertThat(LogReading.highest(log, id)).isEqualTo(104);
    }

    /** DynamoDB removes expired items in any order. Older events have no expiry, or a later one. */
    @Test
    void olderEventsEndAlsoWhereTheNewestWereRemovedFirst() {
        EventLog log = log(events(HOUR));
        for (TimeToLive before : List.of(TimeToLive.none(), events(DAY.multipliedBy(30)))) {
            for (long from : new long[] {1, 5, 10}) {
                String id = TestEvents.freshId();
                moveTo(Duration.ZERO);
                LogWriter.recover(log(before), id).writeSingles(7);
                LogWriter.recover(log, id).writeSingles(2);
                moveTo(HOUR.plusMinutes(1));
                removed(id, 9);
                removed(id, 8);
                long highest = Await.result(log.end(id)).seqNr();
                assertThat(highest).isBetween(9L, 109L);
                // Fails once, and completes what time to live has begun.
                Await.failure(log.head(id, from), StoreException.LogMoved.class);
                assertThat(Await.result(log.head(id, from)).end().seqNr()).isEqualTo(highest);
                assertThat(numbers(log, id)).isEmpty();
                LogWriter.recover(log, id).write(1);
                assertThat(numbers(log, id)).containsExactly(highest + 1);
            }
        }
    }

    /** The same items are missing before their time is over: they are lost. */
    @Test
    void theLossOfTheNewestEventsIsReportedAndDeletesNothing() {
        String id = TestEvents.freshId();
        moveTo(Duration.ZERO);
        LogWriter.recover(log(TimeToLive.none()), id).writeSingles(2);
        EventLog log = log(events(HOUR));
        LogWriter.recover(log, id).write(1);
        removed(id, 3);
        for (long from : new long[] {1, 3}) {
            assertThat(Await.failure(log.head(id, from), StoreException.LogDamaged.class))
                    .hasMessageContaining("ended at 3");
        }
        assertThat(numbers(log(TimeToLive.none()), id)).containsExactly(1L, 2L);
    }

    /** The requests of a recovery from a snapshot show different moments: each is held while the first expiring event is stored. */
    @Test
    void theFirstExpiringEventMayBeStoredDuringARecovery() {
        for (int held = 0; held < 3; held++) {
            for (boolean before : new boolean[] {true, false}) {
                String id = TestEvents.freshId();
                moveTo(Duration.ZERO);
                LogWriter.recover(log(TimeToLive.none()), id).writeSingles(3);
                EventLog log = log(events(HOUR));
                LogWriter other = LogWriter.recover(log, id);
                FaultProxy through = local.proxy();
                FaultProxy.When when =
                        through.when(RequestMatch.reads().containing(id)).after(held);
                HeldRequest read = before ? when.hold() : when.holdReply();
                CompletableFuture<LogHead> recovery = layout.with(events(HOUR))
                        .open(local.open(through, LocalDynamo.PATIENT, RequestListener.NONE))
                        .head(id, 3)
                        .toCompletableFuture();
                read.awaitArrival();
                other.writeSingles(2);
                read.release();
                LogHead head = Await.result(recovery);
                assertThat(head.end().seqNr()).isBetween(3L, 5L);
                CompletionStage<LogEnd> next = log.append(
                        EventBatch.of(id, TestEvents.freshWriter(), head.end().seqNr() + 1, TestEvents.events(1, 20)),
                        head.end());
                if (head.end().seqNr() == 5) {
                    Await.result(next);
                } else {
                    Await.failure(next, StoreException.WriteConflict.class);
                }
                assertThat(numbers(log, id)).startsWith(1L, 2L, 3L, 4L, 5L);
            }
        }
    }

    /** An event that is stored, and fails because the floor could not be raised, is replayed: its number is used for good. */
    @Test
    void aRecoveryFromASnapshotRaisesAMissingFloor() {
        String id = TestEvents.freshId();
        EventLog log = log(events(HOUR));
        proxy.when(RequestMatch.operation("UpdateItem").containing(id))
                .times(20)
                .answer(ErrorAnswer.of(400, "com.amazon.coral.service#AccessDeniedException", "not allowed"));
        LogWriter writer = LogWriter.recover(log, id);
        Await.failure(writer.send(writer.next(TestEvents.events(1, 20))), StoreException.class);
        proxy.clear();
        EventLog next =
                layout.with(events(HOUR)).open(local.open(local.proxy(), LocalDynamo.PATIENT, RequestListener.NONE));
        assertThat(Await.result(next.head(id, 2)).end().seqNr()).isEqualTo(1);
        moveTo(HOUR.multipliedBy(3));
        removed(id, 1);
        assertThat(LogReading.highest(log, id)).isEqualTo(1);
    }

    /** A clean-up does not let events outlive later ones, which have the time to live of their type. */
    @Test
    void aCleanUpDoesNotProlongTheTimeToLiveOfEvents() {
        String id = TestEvents.freshId();
        EventLog log = log(events(HOUR));
        LogWriter.recover(log, id).writeSingles(3);
        long now = System.currentTimeMillis() / 1000;
        Await.result(log.expireTo(id, 3, now + 86_400, false));
        moveTo(HOUR.plusMinutes(1));
        assertThat(numbers(log, id)).isEmpty();
        moveTo(Duration.ZERO);
        String shortened = TestEvents.freshId();
        LogWriter.recover(log, shortened).writeSingles(3);
        Await.result(log.expireTo(shortened, 2, now + 600, false));
        moveTo(Duration.ofMinutes(20));
        assertThat(numbers(log, shortened)).containsExactly(3L);
    }

    /** The limit that docs/time-to-live.md states: what a clean-up has removed stops nobody. */
    @Test
    void aStaleWriterIsNotStoppedAfterTheShortExpiryOfACleanUp() {
        String id = TestEvents.freshId();
        EventLog log = log(TimeToLive.none());
        LogWriter stale = LogWriter.recover(log, id).writeSingles(3);
        LogWriter other = LogWriter.recover(log, id).writeSingles(3);
        Await.result(log.expireTo(id, 6, System.currentTimeMillis() / 1000 + 3600, false));
        moveTo(HOUR.plusMinutes(1));
        // Until DynamoDB removes them, they stop it.
        Await.failure(stale.send(stale.next(TestEvents.events(1, 20))), StoreException.WriteConflict.class);
        for (long key = 1; key <= 6; key++) {
            removed(id, key);
        }
        other.write(1);
        stale.write(1);
        assertThat(Await.failure(
                        LogReading.reading(log, id, LogReading.everythingFrom(1)), StoreException.LogDamaged.class))
                .hasMessageContaining("5 to 6 are missing");
        // The writer that was not stale has lost nothing.
        assertThat(LogReading.numbers(LogReading.read(log, id, LogReading.everythingFrom(5))))
                .containsExactly(7L);
    }

    /** The limit that docs/cleanup.md states: an entity that goes on after an expiry with reset cannot recover after it. */
    @Test
    void anEntityThatRunsDuringAnExpiryWithResetCannotRecoverAfterIt() {
        String id = TestEvents.freshId();
        EventLog log = log(TimeToLive.none());
        LogWriter living = LogWriter.recover(log, id).writeSingles(3);
        Await.result(log.expireTo(id, Long.MAX_VALUE, System.currentTimeMillis() / 1000 + 3600, true));
        living.write(1);
        assertThat(numbers(log, id)).containsExactly(1L, 2L, 3L, 4L);
        moveTo(HOUR.plusMinutes(1));
        assertThat(numbers(log, id)).containsExactly(4L);
        for (long key = 1; key <= 3; key++) {
            removed(id, key);
        }
        assertThat(Await.failure(
                        LogReading.reading(log, id, LogReading.everythingFrom(1)), StoreException.LogDamaged.class))
                .hasMessageContaining("found 4");
        Await.result(log.reset(id));
        LogWriter.recover(log, id).write(1);
        assertThat(numbers(log, id)).containsExactly(1L);
    }

    @Test
    void aStaleWriterIsRejectedAfterWhatItMissedHasExpired() {
        String id = TestEvents.freshId();
        EventLog log = log(events(HOUR));
        LogWriter stale = LogWriter.recover(log, id).write(3);
        LogWriter.recover(log, id).writeSingles(3);
        moveTo(HOUR.plusMinutes(1));
        for (long key = 1; key <= 6; key++) {
            removed(id, key);
        }
        Await.failure(stale.send(stale.next(TestEvents.events(1, 20))), StoreException.WriteConflict.class);
        assertThat(numbers(log, id)).isEmpty();
    }

    @Test
    void theFloorCostsOneWriteForAHundredEvents() {
        CostMeter meter = new CostMeter();
        EventLog log = layout.with(events(HOUR)).open(local.open(meter));
        LogWriter.recover(log, TestEvents.freshId()).write(1);
        LogWriter writer = LogWriter.recover(log, TestEvents.freshId());
        meter.take();
        writer.write(1);
        assertThat(meter.take().requests()).isEqualTo(Map.of(Operation.UPDATE, 1, Operation.PUT, 1));
        writer.write(50).write(50);
        assertThat(meter.take().requests()).isEqualTo(Map.of(Operation.PUT, 2));
        writer.write(1);
        assertThat(meter.take().requests()).isEqualTo(Map.of(Operation.UPDATE, 1, Operation.PUT, 1));
    }

    @Test
    void deletedEventsAreShownUntilTheyExpire() {
        String id = TestEvents.freshId();
        EventLog log = log(deletes(DAY));
        LogWriter writer = LogWriter.recover(log, id).write(2).writeSingles(3);
        Await.result(log.deleteTo(id, 4));
        Await.result(log.deleteTo(id, 1));
        assertThat(numbers(log, id)).containsExactly(1L, 2L, 3L, 4L, 5L);
        moveTo(HOUR);
        // Repeated: the first expiry stays.
        Await.result(log.deleteTo(id, 4));
        moveTo(DAY.plusMinutes(1));
        assertThat(numbers(log, id)).containsExactly(5L);
        writer.write(1);
        Await.result(log.deleteTo(id, Long.MAX_VALUE));
        moveTo(DAY.multipliedBy(3));
        assertThat(numbers(log, id)).isEmpty();
        for (long key : new long[] {6, 5, 1}) {
            removed(id, key);
            assertThat(LogReading.highest(log, id)).isEqualTo(6);
        }
        assertThat(ids()).filteredOn(id::equals).hasSize(1);
        LogWriter.recover(log, id).write(1);
        assertThat(numbers(log, id)).containsExactly(7L);
    }

    @Test
    void aCleanUpSetsAndProlongsAnExpiry() {
        String id = TestEvents.freshId();
        EventLog log = log(TimeToLive.none());
        LogWriter.recover(log, id).writeSingles(2).write(List.of(TestEvents.event(9_000)));
        long now = System.currentTimeMillis() / 1000;
        Await.result(log.expireTo(id, 2, now + 3600, false));
        Await.result(log.expireTo(id, 2, now + 7200, false));
        moveTo(HOUR.plusMinutes(5));
        assertThat(numbers(log, id)).containsExactly(1L, 2L, 3L);
        moveTo(HOUR.multipliedBy(2).plusMinutes(5));
        assertThat(numbers(log, id)).containsExactly(3L);
        // What has expired stays so.
        Await.result(log.expireTo(id, Long.MAX_VALUE, now + 86_400, true));
        assertThat(numbers(log, id)).containsExactly(3L);
        moveTo(DAY.plusMinutes(5));
        assertThat(numbers(log, id)).isEmpty();
        for (long key = 0; key <= 3; key++) {
            removed(id, key);
        }
        assertThat(LogReading.highest(log, id)).isZero();
        Await.result(log.expireTo(id, 5, now + 60, false));
        assertThat(LogReading.highest(log, id)).isZero();
    }

    private static StoredSnapshot snapshot(String id, long seqNr, int size) {
        return new StoredSnapshot(id, seqNr, 1000 + seqNr, new Payload(7, "s", TestEvents.randomBytes(size)), null);
    }

    @Test
    void snapshotsExpire() {
        String id = TestEvents.freshId();
        SnapshotTable plain = snapshots.open(dynamo);
        SnapshotTable expiring = snapshots
                .with(new TimeToLive(new Rules(true, DAY, null, HOUR), Map.of()))
                .open(dynamo);
        Await.result(plain.save(snapshot(id, 3, 10)));
        Await.result(expiring.save(snapshot(id, 5, 9_000)));
        assertThat(Await.result(plain.newestSeqNr(id))).contains(5L);
        moveTo(HOUR.plusMinutes(1));
        assertThat(Await.result(plain.load(id, SnapshotCriteria.ALL))
                        .orElseThrow()
                        .seqNr())
                .isEqualTo(3);
        // A delete lets it expire, and creates nothing where there is none.
        Await.result(expiring.delete(id, SnapshotCriteria.ALL));
        Await.result(expiring.delete(TestEvents.freshId(), SnapshotCriteria.ALL));
        assertThat(Await.result(plain.newestSeqNr(id))).contains(3L);
        moveTo(DAY.multipliedBy(2));
        assertThat(Await.result(plain.load(id, SnapshotCriteria.ALL))).isEmpty();
    }

    @Test
    void aStateExpiresUnlessItChanges() {
        String id = TestEvents.freshId();
        StateTable table = states.open(dynamo, TestEvents.freshWriter());
        Payload payload = new Payload(7, "s", new byte[] {1});
        Await.result(table.write(StateChange.update(id, 1, payload, "")));
        long now = System.currentTimeMillis() / 1000;
        Await.result(table.expire(id, now + 3600));
        Await.result(table.write(StateChange.update(id, 2, payload, "")));
        moveTo(HOUR.plusMinutes(5));
        assertThat(Await.result(table.get(id)).orElseThrow().payload()).isNotNull();
        Await.result(table.expire(id, now + 7200));
        moveTo(HOUR.multipliedBy(3));
        assertThat(Await.result(table.get(id)).orElseThrow().payload()).isNull();
        Await.result(table.write(StateChange.update(id, 3, payload, "")));
        assertThat(Await.result(table.get(id)).orElseThrow().payload()).isEqualTo(payload);
        Await.result(table.expire(TestEvents.freshId(), now));
    }
}
