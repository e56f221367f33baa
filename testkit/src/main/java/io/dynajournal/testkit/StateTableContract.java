package io.dynajournal.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dynajournal.exception.StoreException;
import io.dynajournal.internal.dynamo.Item;
import io.dynajournal.internal.layout.StateLayout;
import io.dynajournal.internal.model.Payload;
import io.dynajournal.internal.model.StateChange;
import io.dynajournal.internal.model.StoredState;
import io.dynajournal.internal.store.PageToken;
import io.dynajournal.internal.store.Pages;
import io.dynajournal.internal.store.PersistenceIds.IdPage;
import io.dynajournal.internal.store.StateTable;
import io.dynajournal.listener.Lane;
import io.dynajournal.listener.RequestListener;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The contract of every layout for durable states. A layout's test extends this class and returns the layout. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class StateTableContract {

    @RegisterExtension
    protected final LocalDynamo local = new LocalDynamo();

    protected final String tableName = local.freshTable();
    private final String writer = TestEvents.freshWriter();
    private final String otherWriter = TestEvents.freshWriter();

    /** The layout under test, for a table of this name. */
    protected abstract StateLayout layout(String tableName);

    /** The size of the largest state in bytes. */
    protected int largeStateSize() {
        return 10 << 20;
    }

    @BeforeAll
    void createTable() {
        local.create(layout(tableName).table());
    }

    protected StateTable table() {
        return layout(tableName).open(local.open(RequestListener.NONE), writer);
    }

    private StateTable other() {
        return layout(tableName).open(local.open(RequestListener.NONE), otherWriter);
    }

    private StateTable through(FaultProxy proxy) {
        return layout(tableName).open(local.open(proxy, LocalDynamo.PATIENT, RequestListener.NONE), writer);
    }

    protected static StateChange update(String id, long revision, int size) {
        return StateChange.update(id, revision, new Payload(7, "state", TestEvents.randomBytes(size)), "");
    }

    private static StoredState state(StateTable table, String id) {
        return Await.result(table.get(id)).orElseThrow();
    }

    private static void assertHas(StateTable table, StateChange change) {
        StoredState stored = state(table, change.persistenceId());
        assertThat(stored.revision()).isEqualTo(change.revision());
        assertThat(stored.payload()).isEqualTo(change.payload());
        assertThat(stored.tag()).isEqualTo(change.tag());
    }

    private static StoreException.RevisionConflict conflict(CompletionStage<?> stage) {
        return Await.failure(stage, StoreException.RevisionConflict.class);
    }

    @Test
    void allRequestsOfAnOperationAreInItsLane() {
        SeenLanes lanes = new SeenLanes();
        StateTable laned = layout(tableName).open(local.open(lanes), writer);
        String id = TestEvents.freshId();
        Await.result(laned.write(update(id, 1, largeStateSize())));
        Await.result(laned.write(update(id, 2, 20)));
        // Of a process that has not seen the state.
        Await.result(layout(tableName).open(local.open(lanes), otherWriter).write(update(id, 3, 20)));
        assertThat(lanes.take()).containsExactly(Lane.WRITE);
        Await.result(laned.get(id));
        assertThat(lanes.take()).containsExactly(Lane.RECOVERY);
        Await.result(laned.delete(id));
        assertThat(lanes.take()).containsExactly(Lane.WRITE);
        Await.result(laned.reset(id));
        assertThat(lanes.take()).containsExactly(Lane.MAINTENANCE);
    }

    @Test
    void unknownIdHasNoState() {
        assertThat(Await.result(table().get(TestEvents.freshId()))).isEqualTo(Optional.empty());
    }

    @Test
    void stateIsWhatWasWrittenLast() {
        String id = TestEvents.freshId();
        StateTable table = table();
        long time = 0;
        for (int revision = 1; revision <= 3; revision++) {
            StateChange change = update(id, revision, 100 * revision);
            Await.result(table.write(change));
            assertHas(other(), change);
            assertThat(state(other(), id).timestampMicros()).isGreaterThan(time);
            time = state(other(), id).timestampMicros();
        }
    }

    @Test
    void manifestAndTagAreStored() {
        String id = TestEvents.freshId();
        StateChange change = StateChange.update(id, 1, new Payload(-3, "ünï", new byte[0]), "big order");
        Await.result(table().write(change));
        assertHas(other(), change);
    }

    @Test
    void deleteKeepsTheRevisionAndTheNextStateContinuesWithIt() {
        String id = TestEvents.freshId();
        StateTable table = table();
        Await.result(table.write(update(id, 1, 10)));
        Await.result(table.write(StateChange.delete(id, 2)));

        StoredState deleted = state(other(), id);
        assertThat(deleted.isDeleted()).isTrue();
        assertThat(deleted.revision()).isEqualTo(2);

        StateChange again = update(id, 3, 20);
        Await.result(other().write(again));
        assertHas(table(), again);
    }

    @Test
    void aResetRemovesTheRevisionToo() {
        for (boolean deletedBefore : new boolean[] {false, true}) {
            String id = TestEvents.freshId();
            StateTable alive = table();
            Await.result(alive.write(update(id, 1, 10)));
            Await.result(alive.write(update(id, 2, largeStateSize())));
            if (deletedBefore) {
                Await.result(alive.delete(id));
            }
            Await.result(other().reset(id));
            assertThat(Await.result(table().get(id))).isEmpty();
            // The entity that knew the state is stopped.
            conflict(alive.write(update(id, deletedBefore ? 4 : 3, 10)));
            Await.result(other().reset(id));
            StateChange again = update(id, 1, 20);
            Await.result(other().write(again));
            assertHas(table(), again);
        }
    }

    /** The first run removes what it read, a state that is written in between is read again. */
    @Test
    void aResetRemovesTheStateWhateverItsRevision() {
        String id = TestEvents.freshId();
        Await.result(table().write(update(id, 1, 10)));
        FaultProxy proxy = local.proxy();
        HeldRequest held = proxy.when(RequestMatch.operation("DeleteItem")).hold();
        CompletionStage<Void> reset = through(proxy).reset(id);
        held.awaitArrival();
        Await.result(other().write(update(id, 2, 10)));
        held.release();
        Await.result(reset);
        assertThat(Await.result(table().get(id))).isEmpty();
    }

    @Test
    void deletedStatesAreListedOnRequest() {
        String living = TestEvents.freshId();
        String deleted = TestEvents.freshId();
        Await.result(table().write(update(living, 1, 10)));
        Await.result(table().write(update(deleted, 1, 10)));
        Await.result(table().delete(deleted));
        assertThat(ids(true)).contains(living, deleted);
        assertThat(ids(false)).contains(living).doesNotContain(deleted);
    }

    private List<String> ids(boolean deletedToo) {
        List<String> ids = new ArrayList<>();
        Await.result(Pages.<PageToken>drain(
                null,
                token -> table().ids(token, 10, deletedToo).thenApply(page -> {
                    ids.addAll(page.ids());
                    return page.next();
                })));
        return ids;
    }

    @Test
    void deleteWithoutARevisionUsesTheNextOne() {
        String id = TestEvents.freshId();
        Await.result(table().write(update(id, 1, 10)));
        Await.result(other().delete(id));
        assertThat(state(table(), id).revision()).isEqualTo(2);
        assertThat(state(table(), id).isDeleted()).isTrue();
        Await.result(other().delete(id));
        assertThat(state(table(), id).revision()).isEqualTo(2);
        Await.result(table().delete(TestEvents.freshId()));
    }

    @Test
    void lateWriterIsRejectedAlsoAfterADelete() {
        String id = TestEvents.freshId();
        StateTable late = table();
        Await.result(late.write(update(id, 1, 10)));
        Await.result(other().write(StateChange.delete(id, 2)));

        StoreException.RevisionConflict conflict = conflict(late.write(update(id, 2, 10)));
        assertThat(conflict.storedRevision()).isEqualTo(2);
        assertThat(state(table(), id).isDeleted()).isTrue();
        conflict(table().write(update(id, 1, 10)));
    }

    @Test
    void oneOfTwoWritersIsRejectedAndTheErrorNamesBoth() {
        String id = TestEvents.freshId();
        StateTable one = table();
        StateTable two = other();
        StateChange first = update(id, 1, 10);
        Await.result(one.write(first));
        assertHas(two, first);
        StateChange second = update(id, 2, 10);
        Await.result(two.write(second));

        StoreException.RevisionConflict conflict = conflict(one.write(update(id, 2, 10)));
        assertThat(conflict).hasMessageContainingAll(id, "revision 2", writer, otherWriter);
        assertThat(conflict.revision()).isEqualTo(2);
        assertThat(conflict.storedRevision()).isEqualTo(2);
        assertHas(table(), second);
    }

    @Test
    void firstWriteOfAnExistingStateIsRejected() {
        String id = TestEvents.freshId();
        StateChange first = update(id, 1, 10);
        Await.result(table().write(first));
        assertThat(conflict(other().write(update(id, 1, 10))).storedRevision()).isEqualTo(1);
        assertHas(table(), first);
    }

    @Test
    void revisionThatSkipsOneIsRejected() {
        String id = TestEvents.freshId();
        assertThat(conflict(table().write(update(id, 2, 10)))).hasMessageContaining("no state to follow");
        assertThat(Await.result(table().get(id))).isEmpty();
        Await.result(table().write(update(id, 1, 10)));
        assertThat(conflict(table().write(update(id, 3, 10))).storedRevision()).isEqualTo(1);
        assertThatThrownBy(() -> StateChange.delete(id, 0)).hasMessageContaining("revisions start at 1");
    }

    @Test
    void manyWritersOfOneRevisionLeaveOneWinner() throws ExecutionException, InterruptedException {
        String id = TestEvents.freshId();
        Await.result(table().write(update(id, 1, 10)));
        var threads = Executors.newFixedThreadPool(8);
        try {
            List<Future<Boolean>> outcomes = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                StateTable table = i % 2 == 0 ? table() : other();
                outcomes.add(threads.submit(() -> {
                    try {
                        Await.result(table.write(update(id, 2, 10)));
                        return true;
                    } catch (StoreException.RevisionConflict e) {
                        return false;
                    }
                }));
            }
            int winners = 0;
            for (var outcome : outcomes) {
                winners += outcome.get() ? 1 : 0;
            }
            assertThat(winners).isEqualTo(1);
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void lostReplyOfOurOwnWriteIsASuccess() {
        String id = TestEvents.freshId();
        FaultProxy proxy = local.proxy();
        StateTable table = through(proxy);
        Await.result(table.write(update(id, 1, 10)));
        proxy.when(RequestMatch.writes()).loseReply();
        StateChange second = update(id, 2, 10);
        Await.result(table.write(second));
        assertHas(other(), second);
        proxy.when(RequestMatch.writes()).loseReply();
        Await.result(table.write(StateChange.delete(id, 3)));
        StateChange again = update(id, 4, 10);
        Await.result(table.write(again));
        assertHas(other(), again);
    }

    @Test
    void lostReplyOfTheFirstWriteIsASuccess() {
        String id = TestEvents.freshId();
        FaultProxy proxy = local.proxy();
        proxy.when(RequestMatch.writes()).loseReply();
        StateChange first = update(id, 1, 10);
        Await.result(through(proxy).write(first));
        assertHas(other(), first);
    }

    @Test
    void largeStatesReplaceOneAnother() {
        String id = TestEvents.freshId();
        StateTable table = table();
        StateChange first = update(id, 1, largeStateSize());
        Await.result(table.write(first));
        assertHas(other(), first);
        StateChange second = update(id, 2, largeStateSize() / 2);
        Await.result(other().write(second));
        assertHas(table(), second);
        StateChange small = update(id, 3, 10);
        Await.result(table().write(small));
        assertHas(other(), small);
        assertThat(itemsOf(id)).hasSize(1);
    }

    @Test
    void rejectedLargeStateLeavesNoItems() {
        String id = TestEvents.freshId();
        Await.result(table().write(update(id, 1, 10)));
        conflict(other().write(update(id, 1, largeStateSize() / 4)));
        assertThat(itemsOf(id)).hasSize(1);
    }

    /** The items of a persistence id: its own, and those of its parts. */
    protected List<Item> itemsOf(String id) {
        return Await.result(local.client().scan(scan -> scan.tableName(tableName))).items().stream()
                .filter(item -> item.values().stream().anyMatch(value -> id.equals(value.s())))
                .map(Item::of)
                .toList();
    }

    @Test
    void columnsAreStoredAndReplacedWithTheState() {
        String id = TestEvents.freshId();
        StateTable table = table();
        StateChange plain = update(id, 1, 10);
        Await.result(table.write(
                new StateChange(id, 1, plain.payload(), "", Map.of("city", "Köln", "total", 42, "open", true))));
        Item item = itemsOf(id).get(0);
        assertThat(item.text("city")).isEqualTo("Köln");
        assertThat(item.number("total")).isEqualTo(42);
        assertThat(item.isTrue("open")).isTrue();
        Await.result(table.write(update(id, 2, 10)));
        assertThat(itemsOf(id)).hasSize(1).noneMatch(found -> found.has("city"));
    }

    @Test
    void idsListsEachStateOnce() {
        StateTable table = table();
        Set<String> ids = new HashSet<>();
        for (int i = 0; i < 7; i++) {
            String id = TestEvents.freshId();
            Await.result(table.write(update(id, 1, 10)));
            ids.add(id);
        }
        String gone = TestEvents.freshId();
        Await.result(table.write(update(gone, 1, 10)));
        Await.result(table.write(StateChange.delete(gone, 2)));

        List<String> found = new ArrayList<>();
        PageToken next = null;
        do {
            IdPage page = Await.result(table.ids(next, 3));
            assertThat(page.ids()).hasSizeLessThanOrEqualTo(3);
            found.addAll(page.ids());
            next = page.next();
        } while (next != null);
        assertThat(found).doesNotHaveDuplicates().containsAll(ids).doesNotContain(gone);

        String third = found.get(2);
        List<String> behind = new ArrayList<>();
        PageToken start = table.after(third);
        while (start != null) {
            IdPage page = Await.result(table.ids(start, 100));
            behind.addAll(page.ids());
            start = page.next();
        }
        assertThat(behind).containsAll(found.subList(3, found.size())).doesNotContainAnyElementsOf(found.subList(0, 3));
    }

    @Test
    void deleteKeepsTheTag() {
        String id = TestEvents.freshId();
        StateTable table = table();
        Await.result(table.write(StateChange.update(id, 1, new Payload(1, "", new byte[0]), "red")));
        Await.result(table.write(StateChange.delete(id, 2)));
        assertThat(state(other(), id).tag()).isEqualTo("red");
    }
}
