package io.dynajournal.layout.commits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dynajournal.dynamo.Item;
import io.dynajournal.layout.commits.CommitItems.Entry;
import io.dynajournal.model.Event;
import io.dynajournal.model.EventBatch;
import io.dynajournal.model.Payload;
import io.dynajournal.model.SeqRange;
import io.dynajournal.model.StoredEvent;
import io.dynajournal.store.LogEnd;
import io.dynajournal.store.StoreException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

final class CommitWalkTest {

    private static final long NOW = 1_000_000;
    private static final WriterId WRITER = WriterId.of("w");

    /** A commit at a key with a number of skipped numbers and atomic writes of these sizes. */
    private static Entry commit(long key, int skip, int... writes) {
        List<List<Event>> events = new ArrayList<>();
        for (int size : writes) {
            events.add(Collections.nCopies(size, Event.of(new Payload(1, "", new byte[] {1}))));
        }
        EventBatch batch = new EventBatch("p", "w", key + skip, events);
        LogEnd last = new LogEnd(key - 1, key == 1 ? 0 : 10, "w", 0);
        return CommitItems.entry(CommitItems.commit(batch, WRITER, last, 1_000 + key, 16)
                .bytes(CommitItems.EV, CommitFrame.encode(events)));
    }

    private static Entry stub(Entry commit) {
        return CommitItems.entry(CommitItems.stub(commit));
    }

    private static Entry with(Entry entry, String name, long value) {
        return CommitItems.entry(entry.item().copy().number(name, value));
    }

    private static CommitWalk walk(SeqRange range, CommitWalk.State state, Entry... entries) {
        CommitWalk walk = new CommitWalk("p", range, state, List.of(entries));
        for (Entry entry : entries) {
            if (!walk.isFinished()) {
                walk.accept(entry, walk.wants(entry) ? entry.payload() : new byte[0]);
            }
        }
        return walk;
    }

    private static List<Long> numbers(CommitWalk walk) {
        return walk.events().stream().map(StoredEvent::seqNr).toList();
    }

    private static List<Long> replay(SeqRange range, Entry... entries) {
        return numbers(walk(range, CommitWalk.State.atStart(NOW), entries));
    }

    private static final SeqRange ALL = SeqRange.wholeWrites(1, Long.MAX_VALUE, Long.MAX_VALUE);

    @Test
    void commitsFollowOneAnother() {
        assertThat(replay(ALL, commit(1, 0, 1), commit(2, 0, 2, 1), commit(5, 0, 1)))
                .containsExactly(1L, 2L, 3L, 4L, 5L);
    }

    @Test
    void rejectedNumbersAreNoHoles() {
        assertThat(replay(ALL, commit(1, 0, 1), commit(2, 2, 1), commit(5, 0, 1)))
                .containsExactly(1L, 4L, 5L);
    }

    @Test
    void aHoleNamesBothNeighboursAndTheWayOut() {
        assertThatThrownBy(() -> replay(ALL, commit(1, 0, 1), commit(3, 0, 1)))
                .isInstanceOf(StoreException.LogDamaged.class)
                .hasMessageContaining("after number 1")
                .hasMessageContaining("with 3")
                .hasMessageContaining("backup");
        assertThatThrownBy(() -> replay(ALL, commit(2, 0, 1)))
                .isInstanceOf(StoreException.LogDamaged.class)
                .hasMessageContaining("begins with 2");
    }

    @Test
    void belowTheHighestStubNothingIsReplayedAndHolesAreLegal() {
        Entry third = commit(3, 0, 1);
        assertThat(replay(ALL, commit(1, 0, 1), stub(third), commit(4, 0, 1))).containsExactly(4L);
        assertThat(replay(ALL, stub(third), commit(4, 0, 1))).containsExactly(4L);
    }

    @Test
    void aHoleAboveTheHighestStubIsDamage() {
        assertThatThrownBy(() -> replay(ALL, stub(commit(1, 0, 2)), commit(4, 0, 1)))
                .isInstanceOf(StoreException.LogDamaged.class);
    }

    @Test
    void aDeleteInsideACommitHidesItsFrontAndAllBelow() {
        assertThat(replay(ALL, commit(1, 0, 1), with(commit(2, 0, 3), "lo", 4), commit(5, 0, 1)))
                .containsExactly(4L, 5L);
    }

    @Test
    void expiredCommitsAreDeletedButStillCount() {
        CommitWalk walk = walk(
                ALL,
                CommitWalk.State.atStart(NOW),
                commit(1, 0, 1),
                with(commit(2, 0, 1), "exp", NOW),
                commit(3, 0, 1));
        assertThat(numbers(walk)).containsExactly(3L);
        assertThat(replay(ALL, with(commit(1, 0, 1), "exp", NOW + 1))).containsExactly(1L);
        CommitWalk gone = walk(ALL, CommitWalk.State.atStart(NOW), with(commit(1, 0, 1), "exp", NOW - 5));
        assertThat(numbers(gone)).isEmpty();
        assertThat(gone.coveredTo(false)).isEqualTo(1);
    }

    @Test
    void theFloorAllowsAnyFirstKey() {
        Entry floor = CommitItems.entry(
                Item.create().text("pid", "p").number("seq", 0).number("hi", 100));
        assertThat(replay(ALL, floor, commit(7, 0, 1), commit(8, 0, 1))).containsExactly(7L, 8L);
        assertThat(walk(ALL, CommitWalk.State.atStart(NOW), floor).coveredTo(true))
                .isEqualTo(100);
    }

    @Test
    void aReplayMayStartInsideACommit() {
        SeqRange range = SeqRange.wholeWrites(3, Long.MAX_VALUE, Long.MAX_VALUE);
        CommitWalk walk = walk(range, CommitWalk.State.inside(NOW), commit(2, 0, 3), commit(5, 0, 1));
        assertThat(numbers(walk)).containsExactly(3L, 4L, 5L);
    }

    @Test
    void anUpperBoundNeverCutsAnAtomicWrite() {
        Entry[] log = {commit(1, 0, 1), commit(2, 0, 3), commit(5, 0, 1)};
        assertThat(replay(SeqRange.wholeWrites(1, 3, 99), log)).containsExactly(1L);
        assertThat(replay(SeqRange.wholeWrites(1, 4, 99), log)).containsExactly(1L, 2L, 3L, 4L);
        assertThat(replay(SeqRange.wholeWrites(1, 99, 3), log)).containsExactly(1L);
        assertThat(replay(SeqRange.wholeWrites(1, 99, 4), log)).containsExactly(1L, 2L, 3L, 4L);
        assertThat(replay(SeqRange.singleEvents(1, 3, 99), log)).containsExactly(1L, 2L, 3L);
        assertThat(replay(SeqRange.singleEvents(1, 99, 3), log)).containsExactly(1L, 2L, 3L);
    }

    @Test
    void writesOfOneCommitAreCutApart() {
        Entry merged = commit(1, 0, 1, 2, 1);
        assertThat(replay(SeqRange.wholeWrites(1, 2, 99), merged)).containsExactly(1L);
        assertThat(replay(SeqRange.wholeWrites(1, 3, 99), merged)).containsExactly(1L, 2L, 3L);
        assertThat(replay(SeqRange.wholeWrites(1, 99, 2), merged)).containsExactly(1L);
    }

    @Test
    void theCountGoesOnFromPageToPage() {
        SeqRange range = SeqRange.wholeWrites(1, Long.MAX_VALUE, 2);
        CommitWalk first = walk(range, CommitWalk.State.atStart(NOW), commit(1, 0, 1));
        CommitWalk second = walk(range, first.state(), commit(2, 0, 1), commit(3, 0, 1));
        assertThat(numbers(second)).containsExactly(2L);
        assertThat(second.isFinished()).isTrue();
        assertThat(second.isCut()).isTrue();
    }

    @Test
    void aHoleBetweenPagesIsFound() {
        CommitWalk first = walk(ALL, CommitWalk.State.atStart(NOW), commit(1, 0, 1));
        assertThatThrownBy(() -> walk(ALL, first.state(), commit(3, 0, 1)))
                .isInstanceOf(StoreException.LogDamaged.class);
    }

    @Test
    void aStubAfterDeliveredEventsFailsTheReplay() {
        CommitWalk first = walk(ALL, CommitWalk.State.atStart(NOW), commit(1, 0, 1));
        assertThatThrownBy(() -> walk(ALL, first.state(), stub(commit(2, 0, 1)), commit(3, 0, 1)))
                .isInstanceOf(StoreException.LogMoved.class)
                .hasMessageContaining("recover again");
    }
}
