package io.dynajournal.cli.copy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dynajournal.internal.catalog.Layout;
import io.dynajournal.internal.dynamo.Dynamo;
import io.dynajournal.internal.dynamo.RetrySettings;
import io.dynajournal.internal.layout.JournalLayout;
import io.dynajournal.internal.layout.LayoutSettings;
import io.dynajournal.internal.layout.StateLayout;
import io.dynajournal.internal.model.DeletedRange;
import io.dynajournal.internal.model.Event;
import io.dynajournal.internal.model.EventBatch;
import io.dynajournal.internal.model.Payload;
import io.dynajournal.internal.model.SnapshotCriteria;
import io.dynajournal.internal.model.StateChange;
import io.dynajournal.internal.model.StoredEvent;
import io.dynajournal.internal.model.StoredSnapshot;
import io.dynajournal.internal.model.StoredState;
import io.dynajournal.internal.store.EventLog;
import io.dynajournal.internal.store.LogEnd;
import io.dynajournal.internal.store.SnapshotTable;
import io.dynajournal.internal.store.StateTable;
import io.dynajournal.listener.RequestListener;
import io.dynajournal.testkit.Await;
import io.dynajournal.testkit.FaultProxy;
import io.dynajournal.testkit.LocalDynamo;
import io.dynajournal.testkit.LogReading;
import io.dynajournal.testkit.LogWriter;
import io.dynajournal.testkit.RequestMatch;
import io.dynajournal.testkit.TestEvents;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;

/** Copies between layouts: what is kept, what happens to gaps and deletes, and what a second writer causes. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CopyTest {

    private static final Duration NO_QUIET = Duration.ofMillis(1);

    @RegisterExtension
    final LocalDynamo local = new LocalDynamo();

    private final TestStores stores = new TestStores(local);
    private final Dynamo dynamo = local.open(RequestListener.NONE);

    /** Long enough for a slow machine while the server is there. */
    private static final RetrySettings DYING = new RetrySettings(
            Duration.ofSeconds(4), Duration.ofSeconds(3), Duration.ofMillis(50), Duration.ofMillis(500));

    /** No test but that of gaps has writes in flight. */
    private long finalBeforeMicros = Long.MAX_VALUE;

    private Copy copy(JournalLayout from, JournalLayout to, Checkpoint checkpoint) {
        return copy(from, to, checkpoint, dynamo);
    }

    private Copy copy(JournalLayout from, JournalLayout to, Checkpoint checkpoint, Dynamo target) {
        return new Copy(
                Store.ofEvents(Store.Journal.open(from, dynamo)),
                Store.ofEvents(Store.Journal.open(to, target)),
                checkpoint,
                3,
                () -> false,
                () -> finalBeforeMicros);
    }

    private List<String> differences(JournalLayout one, JournalLayout other) {
        List<String> found = new ArrayList<>();
        new StoreComparison(
                        Store.ofEvents(Store.Journal.open(one, dynamo)),
                        Store.ofEvents(Store.Journal.open(other, dynamo)),
                        1,
                        () -> false,
                        difference -> found.add(difference.toString()))
                .run();
        return found;
    }

    private void copyWhole(JournalLayout from, JournalLayout to) {
        Copy copy = copy(from, to, new TestStores.Positions());
        copy.pass();
        assertThat(copy.report().failures()).isEmpty();
        assertThat(differences(from, to)).isEmpty();
    }

    private static Event event(String text, String... tags) {
        return new Event(new Payload(20, "m", text.getBytes(StandardCharsets.UTF_8)), "", Set.of(tags), null);
    }

    @ParameterizedTest
    @EnumSource(Layout.class)
    void gapsDeletesAndEndsAreCopiedFromAndToEachLayout(Layout layout) {
        JournalLayout source = stores.createJournal(Layout.COMMITS);
        EventLog log = source.open(dynamo);
        LogWriter.recover(log, "gaps|1")
                .writeSingles(3)
                .writeAt(7, List.of(event("x")))
                .writeSingles(2);
        LogWriter.recover(log, "front|1").writeSingles(8);
        Await.result(log.deleteTo("front|1", 5));
        LogWriter.recover(log, "gone|1").writeSingles(4);
        Await.result(log.deleteTo("gone|1", 4));
        LogWriter.recover(log, "two|1").write(3);
        LogWriter.recover(log, "two|1").write(2);

        JournalLayout middle = stores.createJournal(layout);
        copyWhole(source, middle);
        EventLog moved = middle.open(dynamo);
        assertThat(LogReading.numbers(LogReading.all(moved, "gaps|1"))).containsExactly(1L, 2L, 3L, 7L, 8L, 9L);
        assertThat(LogReading.numbers(LogReading.all(moved, "front|1"))).containsExactly(6L, 7L, 8L);
        assertThat(LogReading.highest(moved, "gone|1")).isEqualTo(4);
        assertThat(LogReading.all(moved, "gone|1")).isEmpty();

        JournalLayout back = stores.createJournal(Layout.COMMITS);
        copyWhole(middle, back);
        for (String id : List.of("gaps|1", "front|1", "gone|1", "two|1")) {
            List<StoredEvent> original = LogReading.all(log, id);
            List<StoredEvent> returned = LogReading.all(back.open(dynamo), id);
            assertThat(LogReading.numbers(returned)).isEqualTo(LogReading.numbers(original));
            assertThat(LogReading.contents(returned)).isEqualTo(LogReading.contents(original));
            assertThat(returned)
                    .extracting(StoredEvent::writer)
                    .isEqualTo(original.stream().map(StoredEvent::writer).toList());
        }
        // Entities go on after what was copied.
        EventLog reopened = back.open(dynamo);
        LogWriter.recover(reopened, "gone|1").write(1);
        assertThat(LogReading.numbers(LogReading.all(reopened, "gone|1"))).containsExactly(5L);
        LogWriter.recover(reopened, "front|1").write(1);
        assertThat(LogReading.numbers(LogReading.all(reopened, "front|1"))).containsExactly(6L, 7L, 8L, 9L);
    }

    @ParameterizedTest
    @EnumSource(
            value = Layout.class,
            names = {"COMMITS", "AKKA2", "J5IK2O"})
    void timesWritersTagsManifestsAndMetadataAreKept(Layout layout) {
        JournalLayout source = stores.createJournal(layout);
        EventLog log = source.open(dynamo);
        String writer = TestEvents.freshWriter();
        Event full = new Event(
                new Payload(20, "m", new byte[] {1}), "", Set.of("red", "blue"), new Payload(7, "meta", new byte[] {2
                }));
        LogEnd end = Await.result(log.append(
                new EventBatch("full|1", writer, 1, List.of(List.of(full, event("b"))), 1_700_000_000_123_456L), null));
        Await.result(log.append(
                new EventBatch("full|1", writer, 3, List.of(List.of(event("c"))), 1_700_000_001_000_000L), end));
        JournalLayout target = stores.createJournal(Layout.COMMITS);
        copyWhole(source, target);
        List<StoredEvent> moved = LogReading.all(target.open(dynamo), "full|1");
        assertThat(moved).isEqualTo(LogReading.all(log, "full|1"));
        assertThat(moved.get(0).timestampMicros() / 1_000_000).isEqualTo(1_700_000_000L);
        assertThat(moved.get(0).writer()).isEqualTo(writer);
        assertThat(moved.get(0).event()).isEqualTo(full);
        assertThat(moved.get(2).timestampMicros()).isEqualTo(1_700_000_001_000_000L);
    }

    @Test
    void whatTheTargetCannotHoldIsNamedBeforeTheCopy() {
        JournalLayout commits = stores.createJournal(Layout.COMMITS);
        assertThat(losses(commits, Layout.AKKA1.journal(settings("journal-table"))))
                .containsExactly("the times of events", "tags", "metadata of replicated events");
        assertThat(losses(commits, Layout.AKKA2.journal(settings("journal.table"))))
                .containsExactly("manifests of event adapters");
        assertThat(losses(commits, Layout.J5IK2O.journal(settings("table-name"))))
                .containsExactly("the microseconds of times");
        assertThat(losses(Layout.AKKA2.journal(settings("journal.table")), commits))
                .isEmpty();
    }

    private List<String> losses(JournalLayout from, JournalLayout to) {
        return Copy.losses(
                Store.ofEvents(Store.Journal.open(from, dynamo)), Store.ofEvents(Store.Journal.open(to, dynamo)));
    }

    private static LayoutSettings settings(String table) {
        return new LayoutSettings(Map.of(table, "any"));
    }

    @Test
    void killedCopyRepeatsAtMostOnePage() {
        JournalLayout source = stores.createJournal(Layout.AKKA2);
        // Pages of 1 MB: about three events of 300 KB each.
        LogWriter writer = LogWriter.recover(source.open(dynamo), "large|1");
        for (int i = 0; i < 12; i++) {
            writer.write(TestEvents.events(1, 300_000));
        }
        JournalLayout target = stores.createJournal(Layout.COMMITS);
        FaultProxy proxy = local.proxy();
        // The target dies after the registry and seven events, and stays dead.
        proxy.when(RequestMatch.writes()).after(8).always().loseRequest();
        TestStores.Positions positions = new TestStores.Positions();
        Copy killed = copy(source, target, positions, local.open(proxy, DYING, RequestListener.NONE));
        killed.pass();
        assertThat(killed.report().failures()).singleElement().asString().contains("large|1");
        long stored = LogReading.highest(target.open(dynamo), "large|1");
        assertThat(stored).isEqualTo(7);
        assertThat(positions.reached("large|1")).isBetween(stored - 4, stored);

        Copy resumed = copy(source, target, positions);
        resumed.pass();
        assertThat(resumed.report().failures()).isEmpty();
        assertThat(resumed.report().events()).isEqualTo(12 - stored);
        assertThat(resumed.report().verifiedLogs()).isEqualTo(1);
        assertThat(differences(source, target)).isEmpty();
    }

    @Test
    void copyFollowsWritesAndDeletesUntilTheSwitch() {
        JournalLayout source = stores.createJournal(Layout.J5IK2O);
        JournalLayout target = stores.createJournal(Layout.COMMITS);
        EventLog log = source.open(dynamo);
        LogWriter one = LogWriter.recover(log, "one|1").writeSingles(4);
        Copy copy = copy(source, target, new TestStores.Positions());
        copy.pass();
        assertThat(copy.report().events()).isEqualTo(4);

        one.writeSingles(4);
        Await.result(log.deleteTo("one|1", 6));
        LogWriter.recover(log, "two|1").writeSingles(2);
        copy.pass();
        assertThat(copy.report().failures()).isEmpty();
        assertThat(copy.report().events()).isEqualTo(8);
        assertThat(differences(source, target)).isEmpty();
        assertThat(LogReading.numbers(LogReading.all(target.open(dynamo), "one|1")))
                .containsExactly(7L, 8L);

        Await.result(log.deleteTo("one|1", 7));
        assertThat(copy.finish(NO_QUIET)).isEmpty();
        assertThat(copy.report().failures()).isEmpty();
        assertThat(differences(source, target)).isEmpty();
    }

    /** The predecessors store the events of a batch independently of each other, so one may be visible before its predecessors. */
    @ParameterizedTest
    @EnumSource(
            value = Layout.class,
            names = {"J5IK2O", "SCLASEN"})
    void eventThatAppearsBeforeOthersIsCopiedAfterAll(Layout layout) {
        JournalLayout source = stores.createJournal(layout);
        EventLog log = source.open(dynamo);
        LogWriter.recover(log, "late|1").writeSingles(6);
        LogWriter.recover(log, "late|2").writeSingles(3);
        List<Map<String, AttributeValue>> inFlight =
                List.of(take(source, "late|1", 5), take(source, "late|2", 1), take(source, "late|2", 2));
        JournalLayout target = stores.createJournal(Layout.COMMITS);
        finalBeforeMicros = 1;
        try {
            Copy copy = copy(source, target, new TestStores.Positions());
            copy.pass();
            assertThat(LogReading.numbers(LogReading.all(target.open(dynamo), "late|1")))
                    .containsExactly(1L, 2L, 3L, 4L);
            assertThat(LogReading.highest(target.open(dynamo), "late|2")).isZero();

            inFlight.subList(0, 2)
                    .forEach(item -> local.client()
                            .putItem(put -> put.tableName(source.table().name()).item(item))
                            .join());
            copy.pass();
            assertThat(LogReading.highest(target.open(dynamo), "late|1")).isEqualTo(6);
            assertThat(LogReading.numbers(LogReading.all(target.open(dynamo), "late|2")))
                    .containsExactly(1L);

            // Sequence number 2 was rejected: after the writers have stopped, nothing can appear any more.
            assertThat(copy.finish(NO_QUIET)).isEmpty();
            assertThat(copy.report().failures()).isEmpty();
            assertThat(differences(source, target)).isEmpty();
            assertThat(LogReading.numbers(LogReading.all(target.open(dynamo), "late|2")))
                    .containsExactly(1L, 3L);
        } finally {
            finalBeforeMicros = Long.MAX_VALUE;
        }
    }

    /** Removes the item of an event, as if its write were still in flight. */
    private Map<String, AttributeValue> take(JournalLayout journal, String persistenceId, long seqNr) {
        String table = journal.table().name();
        List<String> keys = local.client().describeTable(d -> d.tableName(table)).join().table().keySchema().stream()
                .map(KeySchemaElement::attributeName)
                .toList();
        Map<String, AttributeValue> item = local.client().scan(s -> s.tableName(table)).join().items().stream()
                .filter(found -> isEvent(found, persistenceId, seqNr))
                .findFirst()
                .orElseThrow();
        Map<String, AttributeValue> key = new HashMap<>(item);
        key.keySet().retainAll(keys);
        local.client().deleteItem(d -> d.tableName(table).key(key)).join();
        return item;
    }

    private static boolean isEvent(Map<String, AttributeValue> item, String persistenceId, long seqNr) {
        boolean hasPayload = item.containsKey("payload") || item.containsKey("message");
        return hasPayload
                && item.values().stream()
                        .anyMatch(value -> value.s() != null && value.s().contains(persistenceId))
                && item.values().stream()
                        .anyMatch(value -> String.valueOf(seqNr).equals(value.n())
                                || String.valueOf(value.s()).endsWith("-" + seqNr));
    }

    @Test
    void copyWhileOthersWriteEndsEqual() {
        JournalLayout source = stores.createJournal(Layout.COMMITS);
        JournalLayout target = stores.createJournal(Layout.AKKA2);
        EventLog log = source.open(dynamo);
        AtomicBoolean written = new AtomicBoolean();
        CompletableFuture<Void> writers = CompletableFuture.runAsync(() -> {
            List<LogWriter> entities = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                entities.add(LogWriter.recover(log, "busy|" + i));
            }
            for (int round = 0; round < 12; round++) {
                entities.forEach(entity -> entity.write(2));
                if (round == 6) {
                    Await.result(log.deleteTo("busy|0", 9));
                }
            }
            written.set(true);
        });
        Copy copy = copy(source, target, new TestStores.Positions());
        while (!written.get() && !writers.isDone()) {
            copy.pass();
        }
        writers.join();
        assertThat(copy.finish(NO_QUIET)).isEmpty();
        assertThat(copy.report().failures()).isEmpty();
        assertThat(differences(source, target)).isEmpty();
        assertThat(LogReading.highest(target.open(dynamo), "busy|3")).isEqualTo(24);
    }

    @Test
    void finishNamesTheWriterThatIsStillActive() {
        JournalLayout source = stores.createJournal(Layout.COMMITS);
        LogWriter writer = LogWriter.recover(source.open(dynamo), "active|1").write(1);
        LogWriter.recover(source.open(dynamo), "idle|1").write(1);
        JournalLayout target = stores.createJournal(Layout.COMMITS);
        TestStores.Positions positions = new TestStores.Positions();
        // Writes between the last pass and the check.
        Copy copy = copy(source, target, new Checkpoint() {
            private boolean wrote;

            @Override
            public long reached(String persistenceId) {
                return positions.reached(persistenceId);
            }

            @Override
            public synchronized void reached(String persistenceId, long seqNr) {
                positions.reached(persistenceId, seqNr);
                if (persistenceId.equals("active|1") && seqNr == 1 && !wrote) {
                    wrote = true;
                    writer.write(1);
                }
            }
        });
        assertThat(copy.finish(NO_QUIET)).containsExactly("active|1, sequence number 2, writer " + writer.uuid());
        assertThat(copy.finish(NO_QUIET)).isEmpty();
        assertThat(differences(source, target)).isEmpty();
    }

    /** The positions of a copy during which something happens to the source after a log was copied. */
    private static Checkpoint afterCopying(String id, Runnable action) {
        TestStores.Positions positions = new TestStores.Positions();
        AtomicBoolean happened = new AtomicBoolean();
        return new Checkpoint() {
            @Override
            public long reached(String persistenceId) {
                return positions.reached(persistenceId);
            }

            @Override
            public void reached(String persistenceId, long seqNr) {
                positions.reached(persistenceId, seqNr);
                if (persistenceId.equals(id) && seqNr > 0 && happened.compareAndSet(false, true)) {
                    action.run();
                }
            }
        };
    }

    @Test
    void finishNamesLogsThatWereDeletedFromMeanwhile() {
        JournalLayout source = stores.createJournal(Layout.COMMITS);
        EventLog log = source.open(dynamo);
        LogWriter.recover(log, "cut|1").writeSingles(4);
        LogWriter.recover(log, "idle|1").writeSingles(4);
        Await.result(log.deleteTo("idle|1", 2));
        JournalLayout target = stores.createJournal(Layout.AKKA2);
        Copy copy = copy(source, target, afterCopying("cut|1", () -> Await.result(log.deleteTo("cut|1", 3))));
        assertThat(copy.finish(NO_QUIET)).containsExactly("cut|1, whose events up to sequence number 3 were deleted");
        assertThat(copy.finish(NO_QUIET)).isEmpty();
        assertThat(copy.report().failures()).isEmpty();
        assertThat(differences(source, target)).isEmpty();
    }

    @Test
    void finishNamesLogsThatAreGoneFromTheSource() {
        JournalLayout source = stores.createJournal(Layout.COMMITS);
        EventLog log = source.open(dynamo);
        LogWriter.recover(log, "gone|1").writeSingles(2);
        LogWriter.recover(log, "idle|1").writeSingles(2);
        JournalLayout target = stores.createJournal(Layout.COMMITS);
        copyWhole(source, target);
        Await.result(log.reset("gone|1"));

        Copy copy = copy(source, target, new TestStores.Positions());
        assertThat(copy.finish(NO_QUIET)).singleElement().asString().contains("gone|1, whose log is gone");
        Await.result(target.open(dynamo).reset("gone|1"));
        assertThat(copy.finish(NO_QUIET)).isEmpty();
    }

    /** The index of ids shows a new log late; a pass may miss it, the last one must not. */
    @Test
    void finishFindsLogsThatTheIndexDoesNotShowYet() {
        JournalLayout source = stores.createJournal(Layout.COMMITS);
        LogWriter.recover(source.open(dynamo), "late|1").writeSingles(2);
        LogWriter.recover(source.open(dynamo), "shown|1").writeSingles(2);
        local.client()
                .updateItem(update -> update.tableName(source.table().name())
                        .key(Map.of("pid", AttributeValue.fromS("late|1"), "seq", AttributeValue.fromN("1")))
                        .updateExpression("REMOVE id"))
                .join();
        JournalLayout target = stores.createJournal(Layout.COMMITS);
        Copy copy = copy(source, target, new TestStores.Positions());
        copy.pass();
        assertThat(LogReading.highest(target.open(dynamo), "late|1")).isZero();
        assertThat(copy.finish(NO_QUIET)).isEmpty();
        assertThat(LogReading.highest(target.open(dynamo), "late|1")).isEqualTo(2);
    }

    @Test
    void finishNamesStatesAndSnapshotsThatHaveChanged() {
        TestStores.Tables source = stores.create(Layout.COMMITS);
        TestStores.Tables target = stores.create(Layout.COMMITS);
        LogWriter.recover(source.journal().open(dynamo), "a|1").write(3);
        SnapshotTable snapshots = source.snapshots().open(dynamo);
        StateLayout states = stores.createStates(Layout.COMMITS);
        StateLayout copied = stores.createStates(Layout.COMMITS);
        StateTable written = states.open(dynamo, "w");
        Await.result(written.write(StateChange.update("s|1", 1, new Payload(1, "", new byte[] {1}), "")));
        Store from = source.open(dynamo).with(Store.States.open(states, dynamo));
        Store to = target.open(dynamo).with(Store.States.open(copied, dynamo));
        Checkpoint checkpoint =
                afterCopying("a|1", () -> Await.result(snapshots.save(snapshot("a|1", 3, 1_700_000_000_000L))));
        Copy copy = new Copy(from, to, checkpoint, 1, () -> false);
        // The snapshot is saved after the events were copied and before the snapshots are: this pass copies it.
        assertThat(copy.finish(NO_QUIET)).isEmpty();
        Await.result(snapshots.delete("a|1", SnapshotCriteria.ALL));
        Await.result(written.reset("s|1"));
        assertThat(copy.finish(NO_QUIET))
                .anySatisfy(change -> assertThat(change).startsWith("a|1, whose newest snapshot is deleted"))
                .anySatisfy(change -> assertThat(change).startsWith("s|1, whose state is gone"));
    }

    @Test
    void differentEventsInTheTargetAreNeverOverwritten() {
        JournalLayout source = stores.createJournal(Layout.COMMITS);
        JournalLayout target = stores.createJournal(Layout.COMMITS);
        LogWriter.recover(source.open(dynamo), "same|1").write(1);
        LogWriter other = LogWriter.recover(target.open(dynamo), "same|1").write(1);
        LogWriter.recover(target.open(dynamo), "more|1").write(2);
        LogWriter.recover(source.open(dynamo), "more|1").write(1);
        Copy copy = copy(source, target, new TestStores.Positions());
        copy.pass();
        assertThat(copy.report().failed()).isEqualTo(2);
        assertThat(copy.report().failures())
                .anySatisfy(failure -> assertThat(failure).contains("same|1, event 1: the writer is"))
                .anySatisfy(failure ->
                        assertThat(failure).contains("more|1, event 2: the source ends at 1, the target at 2"));
        assertThat(LogReading.contents(LogReading.all(target.open(dynamo), "same|1")))
                .isEqualTo(other.written());
    }

    @Test
    void verifyReportsTheFirstDifferenceOfEachId() {
        JournalLayout one = stores.createJournal(Layout.COMMITS);
        JournalLayout other = stores.createJournal(Layout.COMMITS);
        for (String id : List.of("equal|1", "payload|1", "longer|1", "shorter|1", "deleted|1")) {
            LogWriter.recover(one.open(dynamo), id).writeSingles(3);
        }
        copyWhole(one, other);
        LogWriter.recover(one.open(dynamo), "payload|1")
                .write(List.of(event("a")))
                .write(List.of(event("c")));
        String writer = Await.result(one.open(dynamo).end("payload|1")).writer();
        long time = Await.result(one.open(dynamo).end("payload|1")).timestampMicros();
        Await.result(other.open(dynamo)
                .append(
                        new EventBatch("payload|1", writer, 4, List.of(List.of(event("b"))), time - 1),
                        lastOf(other, "payload|1")));
        LogWriter.recover(one.open(dynamo), "longer|1").write(1);
        LogWriter.recover(other.open(dynamo), "shorter|1").write(1);
        LogWriter.recover(other.open(dynamo), "new|1").write(1);
        Await.result(other.open(dynamo).deleteTo("deleted|1", 2));
        List<String> found = differences(one, other);
        assertThat(found).hasSize(5);
        assertThat(found)
                .anySatisfy(text -> assertThat(text)
                        .startsWith("payload|1, event 4: the payload is")
                        .contains("other bytes"))
                .anySatisfy(text -> assertThat(text).startsWith("longer|1, event 4: only in table"))
                .anySatisfy(text -> assertThat(text).startsWith("shorter|1, event 4: only in table"))
                .anySatisfy(text -> assertThat(text).startsWith("new|1, event 1: only in table"))
                .anySatisfy(text -> assertThat(text).startsWith("deleted|1, event 1: only in table"));
    }

    private LogEnd lastOf(JournalLayout layout, String id) {
        return Await.result(layout.open(dynamo).end(id));
    }

    @Test
    void tombstoneOfMissingEventsNeverReplacesACommit() {
        JournalLayout layout = stores.createJournal(Layout.COMMITS);
        EventLog log = layout.open(dynamo);
        LogEnd empty = lastOf(layout, "taken|1");
        DeletedRange deleted = new DeletedRange("taken|1", 5, TestEvents.freshWriter(), 0);
        LogEnd end = Await.result(log.markDeleted(deleted, empty));
        assertThat(end.seqNr()).isEqualTo(5);
        assertThat(Await.result(log.markDeleted(deleted, empty)).seqNr()).isEqualTo(5);
        LogWriter.recover(log, "other|1").write(5);
        assertThatThrownBy(() -> Await.result(
                        log.markDeleted(new DeletedRange("other|1", 5, TestEvents.freshWriter(), 0), empty)))
                .hasMessageContaining("other|1");
        assertThat(LogReading.all(log, "other|1")).hasSize(5);
    }

    @Test
    void snapshotsAreCopiedAsTheTargetKeepsThem() {
        TestStores.Tables source = stores.create(Layout.COMMITS);
        LogWriter.recover(source.journal().open(dynamo), "s|1").write(9);
        for (long seqNr : new long[] {3, 6, 9}) {
            Await.result(source.snapshots()
                    .open(dynamo)
                    .save(new StoredSnapshot(
                            "s|1",
                            seqNr,
                            1_700_000_000_000L + seqNr,
                            new Payload(1, "m", new byte[] {(byte) seqNr}),
                            null)));
        }
        for (Layout layout : List.of(Layout.AKKA1, Layout.AKKA2, Layout.J5IK2O, Layout.COMMITS)) {
            TestStores.Tables target = stores.create(layout);
            Copy copy = new Copy(source.open(dynamo), target.open(dynamo), new TestStores.Positions(), 2, () -> false);
            copy.pass();
            assertThat(copy.report().failures()).as(layout.spelled()).isEmpty();
            assertThat(copy.report().snapshots()).as(layout.spelled()).isEqualTo(layout == Layout.AKKA2 ? 1 : 3);
            copy.pass();
            assertThat(copy.report().snapshots()).as(layout.spelled()).isEqualTo(layout == Layout.AKKA2 ? 1 : 3);
            List<String> found = new ArrayList<>();
            new StoreComparison(
                            source.open(dynamo),
                            target.open(dynamo),
                            1,
                            () -> false,
                            difference -> found.add(difference.toString()))
                    .run();
            assertThat(found).as(layout.spelled()).isEmpty();
        }
    }

    @Test
    void laterSnapshotOfTheSameSequenceNumberReplacesTheEarlierOne() {
        TestStores.Tables source = stores.create(Layout.AKKA1);
        TestStores.Tables target = stores.create(Layout.COMMITS);
        LogWriter.recover(source.journal().open(dynamo), "again|1").write(3);
        SnapshotTable old = source.snapshots().open(dynamo);
        Await.result(old.save(snapshot("again|1", 3, 1_700_000_000_000L)));
        copySnapshots(source, target).pass();
        Await.result(old.save(snapshot("again|1", 3, 1_700_000_000_500L)));

        Copy second = copySnapshots(source, target);
        second.pass();
        assertThat(second.report().failures()).isEmpty();
        assertThat(Await.result(target.snapshots().open(dynamo).load("again|1", SnapshotCriteria.ALL)))
                .hasValueSatisfying(found -> assertThat(found.timestamp()).isEqualTo(1_700_000_000_500L));

        Await.result(old.save(snapshot("again|1", 3, 1_600_000_000_000L)));
        Copy earlier = copySnapshots(source, target);
        earlier.pass();
        assertThat(earlier.report().failures()).singleElement().asString().contains("snapshot 3");
    }

    @Test
    void finishReportsSnapshotsThatWereDeletedInTheSource() {
        TestStores.Tables source = stores.create(Layout.COMMITS);
        TestStores.Tables target = stores.create(Layout.COMMITS);
        EventLog log = source.journal().open(dynamo);
        LogWriter.recover(log, "erased|1").write(3);
        SnapshotTable old = source.snapshots().open(dynamo);
        Await.result(old.save(snapshot("erased|1", 3, 1_700_000_000_000L)));
        copySnapshots(source, target).pass();

        Await.result(log.deleteTo("erased|1", 3));
        Await.result(old.delete("erased|1", SnapshotCriteria.ALL));
        Copy last = copySnapshots(source, target);
        last.finish(NO_QUIET);
        assertThat(last.report().failures())
                .singleElement()
                .asString()
                .contains("erased|1, snapshot 3")
                .contains("is none, because it was deleted");
    }

    private Copy copySnapshots(TestStores.Tables source, TestStores.Tables target) {
        return new Copy(source.open(dynamo), target.open(dynamo), new TestStores.Positions(), 2, () -> false);
    }

    private static StoredSnapshot snapshot(String persistenceId, long seqNr, long timestamp) {
        byte[] bytes = Long.toString(timestamp).getBytes(StandardCharsets.UTF_8);
        return new StoredSnapshot(persistenceId, seqNr, timestamp, new Payload(1, "m", bytes), null);
    }

    /** A persistence id that was not handled must not look as if it were. */
    @Test
    void errorEndsTheCopy() {
        JournalLayout source = stores.createJournal(Layout.COMMITS);
        LogWriter.recover(source.open(dynamo), "large|1").write(1);
        Copy copy = copy(source, stores.createJournal(Layout.COMMITS), new Checkpoint() {
            @Override
            public long reached(String persistenceId) {
                throw new OutOfMemoryError("simulated");
            }

            @Override
            public void reached(String persistenceId, long seqNr) {}
        });
        assertThatThrownBy(copy::pass)
                .hasMessageContaining("Not all persistence ids were handled")
                .hasMessageContaining("simulated");
    }

    @ParameterizedTest
    @EnumSource(
            value = Layout.class,
            names = {"COMMITS", "J5IK2O"})
    void statesKeepRevisionTimeAndWriter(Layout layout) {
        StateLayout from = stores.createStates(layout);
        StateLayout to = stores.createStates(layout == Layout.COMMITS ? Layout.J5IK2O : Layout.COMMITS);
        String writer = TestEvents.freshWriter();
        StateTable source = from.open(dynamo, writer);
        StateTable target = to.open(dynamo, TestEvents.freshWriter());
        for (int revision = 1; revision <= 3; revision++) {
            Await.result(source.write(
                    StateChange.update("state|1", revision, new Payload(1, "m", new byte[] {(byte) revision}), "tag")));
        }
        Await.result(source.write(StateChange.update("dead|1", 1, new Payload(1, "", new byte[] {1}), "")));
        Await.result(source.delete("dead|1"));
        Copy copy = states(from, to);
        copy.pass();
        assertThat(copy.report().failures()).isEmpty();
        StoredState original = Await.result(source.get("state|1")).orElseThrow();
        assertThat(Await.result(target.get("state|1"))).contains(original);
        assertThat(Await.result(target.get("dead|1")).orElseThrow().isDeleted()).isTrue();
        assertThat(stateDifferences(from, to)).isEmpty();

        Await.result(source.write(StateChange.update("state|1", 4, new Payload(1, "m", new byte[] {4}), "")));
        assertThat(stateDifferences(from, to)).singleElement().asString().contains("the revision is 4 and 3");
        Await.result(source.write(StateChange.update("state|1", 5, new Payload(1, "m", new byte[] {5}), "")));
        assertThat(states(from, to).finish(NO_QUIET)).isEmpty();
        assertThat(stateDifferences(from, to)).isEmpty();

        Await.result(target.get("state|1"));
        Await.result(target.write(StateChange.update("state|1", 6, new Payload(1, "m", new byte[] {6}), "")));
        Copy behind = states(from, to);
        behind.pass();
        assertThat(behind.report().failures())
                .singleElement()
                .asString()
                .contains("state|1, state, revision 5: the revision is 5 and 6");
    }

    private Copy states(StateLayout from, StateLayout to) {
        Store none = new Store(null, null, null);
        return new Copy(
                none.with(Store.States.open(from, dynamo)),
                none.with(Store.States.open(to, dynamo)),
                new TestStores.Positions(),
                2,
                () -> false);
    }

    private List<String> stateDifferences(StateLayout from, StateLayout to) {
        Store none = new Store(null, null, null);
        List<String> found = new ArrayList<>();
        new StoreComparison(
                        none.with(Store.States.open(from, dynamo)),
                        none.with(Store.States.open(to, dynamo)),
                        2,
                        () -> false,
                        difference -> found.add(difference.toString()))
                .run();
        return found;
    }
}
