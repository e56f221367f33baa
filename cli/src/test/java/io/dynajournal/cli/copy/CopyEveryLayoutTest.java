package io.dynajournal.cli.copy;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynajournal.internal.catalog.Layout;
import io.dynajournal.internal.dynamo.Dynamo;
import io.dynajournal.internal.dynamo.RetrySettings;
import io.dynajournal.internal.layout.EventFormat;
import io.dynajournal.internal.layout.JournalLayout;
import io.dynajournal.internal.model.StoredEvent;
import io.dynajournal.internal.store.EventLog;
import io.dynajournal.listener.RequestListener;
import io.dynajournal.testkit.Await;
import io.dynajournal.testkit.FaultProxy;
import io.dynajournal.testkit.LocalDynamo;
import io.dynajournal.testkit.LogReading;
import io.dynajournal.testkit.LogWriter;
import io.dynajournal.testkit.RequestMatch;
import io.dynajournal.testkit.TestEvents;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Every layout to the native one and back: the copy is killed in the middle and resumed while entities write, and ends equal. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CopyEveryLayoutTest {

    private static final int IDS = 4;

    /** All, so that one timeout kills the copy. */
    private static final int IDS_IN_FLIGHT = IDS + 1;

    private static final int ROUNDS_BEFORE_THE_KILL = 20;
    private static final int ROUNDS_AFTER = 6;

    /** An event has about 300 KB, so that a page of 1 MB has three or four. */
    private static final int EVENTS_PER_PAGE = 4;

    private static final RetrySettings DYING = new RetrySettings(
            Duration.ofSeconds(2), Duration.ofSeconds(1), Duration.ofMillis(50), Duration.ofMillis(500));

    @RegisterExtension
    final LocalDynamo local = new LocalDynamo();

    private final TestStores stores = new TestStores(local);
    private final Dynamo dynamo = local.open(RequestListener.NONE);

    static Stream<Arguments> directions() {
        return Stream.of(Layout.values())
                .flatMap(layout -> layout == Layout.COMMITS
                        ? Stream.of(Arguments.of(layout, layout))
                        : Stream.of(Arguments.of(layout, Layout.COMMITS), Arguments.of(Layout.COMMITS, layout)));
    }

    private static String id(int i) {
        return "busy|" + i;
    }

    private Copy copy(JournalLayout from, JournalLayout to, Checkpoint checkpoint, Dynamo target) {
        return new Copy(
                Store.ofEvents(Store.Journal.open(from, dynamo)),
                Store.ofEvents(Store.Journal.open(to, target)),
                checkpoint,
                IDS_IN_FLIGHT,
                () -> false,
                () -> 0);
    }

    @ParameterizedTest(name = "{0} to {1}")
    @MethodSource("directions")
    void aKilledCopyIsResumedWhileEntitiesWriteAndEndsEqual(Layout from, Layout to) {
        JournalLayout source = stores.createJournal(from);
        JournalLayout target = stores.createJournal(to);
        EventLog log = source.open(dynamo);
        LogWriter large = LogWriter.recover(log, "large|1");
        for (int i = 0; i < 2 * EVENTS_PER_PAGE; i++) {
            large.write(TestEvents.events(1, 300_000));
        }
        List<LogWriter> entities = IntStream.range(0, IDS)
                .mapToObj(i -> LogWriter.recover(log, id(i)).writeSingles(3))
                .toList();
        CompletableFuture<Boolean> killedOnce = new CompletableFuture<>();
        CompletableFuture<Void> writing = CompletableFuture.runAsync(() -> {
                    write(entities, ROUNDS_BEFORE_THE_KILL);
                    Await.result(log.deleteTo(id(0), 5));
                })
                .thenAcceptBothAsync(killedOnce, (written, killed) -> {
                    write(entities, ROUNDS_AFTER);
                    Await.result(log.deleteTo(id(0), 8));
                });

        TestStores.Positions positions = new TestStores.Positions();
        Map<String, Long> reached = new HashMap<>();
        Map<String, Long> stored = new HashMap<>();
        FaultProxy proxy = local.proxy();
        // Events without times go together into few commits.
        int writes = source.format().microsPerTick() == 0 ? 6 : 14;
        proxy.when(RequestMatch.writes()).after(writes).always().loseRequest();
        Copy killed = copy(source, target, positions, local.open(proxy, DYING, RequestListener.NONE));
        killed.pass();
        for (String id : ids()) {
            reached.put(id, positions.reached(id));
            stored.put(id, LogReading.highest(target.open(dynamo), id));
        }
        killedOnce.complete(true);
        assertThat(killed.report().failures()).isNotEmpty();
        // What was stored and not recorded is copied again: one page at most for each id under way.
        assertThat(ids())
                .allSatisfy(id -> assertThat(stored.getOrDefault(id, 0L) - reached.getOrDefault(id, 0L))
                        .as(id)
                        .isBetween(0L, id.startsWith("large") ? EVENTS_PER_PAGE : Long.MAX_VALUE));

        Copy again = copy(source, target, positions, dynamo);
        while (!writing.isDone()) {
            again.pass();
        }
        writing.join();
        assertThat(again.finish(Duration.ofMillis(1))).isEmpty();
        assertThat(again.report().failures()).isEmpty();
        // Events that the killed copy had stored are compared, and not stored a second time.
        long before = stored.values().stream().mapToLong(Long::longValue).sum();
        assertThat(before).isPositive();

        assertThat(differences(source, target)).isEmpty();
        EventFormat kept = target.format();
        for (String id : ids()) {
            List<StoredEvent> expected = LogReading.all(log, id).stream()
                    .map(source.format()::kept)
                    .map(kept::kept)
                    .toList();
            List<StoredEvent> found = LogReading.all(target.open(dynamo), id).stream()
                    .map(source.format()::kept)
                    .toList();
            assertThat(found).as(id).isEqualTo(expected);
            // An entity goes on after what was copied.
            LogWriter.recover(target.open(dynamo), id).write(1);
        }
    }

    private static void write(List<LogWriter> entities, int rounds) {
        for (int round = 0; round < rounds; round++) {
            entities.forEach(entity -> entity.writeSingles(1));
        }
    }

    private static List<String> ids() {
        List<String> ids = new ArrayList<>(
                IntStream.range(0, IDS).mapToObj(CopyEveryLayoutTest::id).toList());
        ids.add("large|1");
        return ids;
    }

    private List<String> differences(JournalLayout one, JournalLayout other) {
        List<String> found = new ArrayList<>();
        new StoreComparison(
                        Store.ofEvents(Store.Journal.open(one, dynamo)),
                        Store.ofEvents(Store.Journal.open(other, dynamo)),
                        IDS_IN_FLIGHT,
                        () -> false,
                        difference -> found.add(difference.toString()))
                .run();
        return found;
    }
}
