package io.dynajournal.internal.layout.commits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dynajournal.exception.StoreException;
import io.dynajournal.internal.dynamo.Item;
import io.dynajournal.internal.layout.commits.CommitItems.Entry;
import io.dynajournal.internal.model.Event;
import io.dynajournal.internal.model.EventBatch;
import io.dynajournal.internal.model.Payload;
import io.dynajournal.internal.model.SeqRange;
import io.dynajournal.internal.model.StoredEvent;
import io.dynajournal.internal.store.LogEnd;
import io.dynajournal.internal.wire.Frame;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

final class CommitWalkTest {

    private static final long NOW = 1_000_000;
    private static final WriterId WRITER = WriterId.of("w");

    /** A commit with skipped sequence numbers and atomic writes of these sizes. */
    private static Entry commit(long key, int skip, int... writes) {
        List<List<Event>> events = new ArrayList<>();
        for (int size : writes) {
            events.add(Collections.nCopies(size, Event.of(new Payload(1, "", new byte[] {1}))));
        }
        EventBatch batch = new EventBatch("p", "w", key + skip, events);
        LogEnd last = new LogEnd(key - 1, key == 1 ? 0 : 10, "w", 0);
        Item head = CommitItems.commit(batch, WRITER, last, 1_000 + key, 16);
        byte[] frame = Frame.seal(CommitFrame.encode(events), CommitItems.covered(head));
        return CommitItems.entry("t", head.bytes(CommitItems.EVENTS, frame));
    }

    private static Entry tombstone(Entry commit) {
        return CommitItems.entry("t", CommitItems.tombstone(commit));
    }

    private static Entry with(Entry entry, String name, long value) {
        return CommitItems.entry("t", entry.item().copy().number(name, value));
    }

    private static CommitWalk walk(SeqRange range, CommitWalk.State state, Entry... entries) {
        CommitWalk walk = new CommitWalk("t", "p", range, state, List.of(entries));
        for (Entry entry : entries) {
            if (!walk.isFinished()) {
                walk.accept(entry, walk.wants(entry) ? entry.payload() : new byte[0]);
            }
        }
        return walk;
    }

    private static List<Long> seqNrs(CommitWalk walk) {
        return walk.events().stream().map(StoredEvent::seqNr).toList();
    }

    private static List<Long> replay(SeqRange range, Entry... entries) {
        return seqNrs(walk(range, CommitWalk.State.atStart(NOW), entries));
    }

    private static final SeqRange ALL = SeqRange.wholeWrites(1, Long.MAX_VALUE, Long.MAX_VALUE);

    @Test
    void commitsFollowOneAnother() {
        assertThat(replay(ALL, commit(1, 0, 1), commit(2, 0, 2, 1), commit(5, 0, 1)))
                .containsExactly(1L, 2L, 3L, 4L, 5L);
    }

    @Test
    void rejectedSequenceNumbersAreNoGaps() {
        assertThat(replay(ALL, commit(1, 0, 1), commit(2, 2, 1), commit(5, 0, 1)))
                .containsExactly(1L, 4L, 5L);
    }

    @Test
    void aGapIsReportedWithWhatWasExpectedWhatWasFoundAndTheNextStep() {
        assertThatThrownBy(() -> replay(ALL, commit(1, 0, 1), commit(3, 0, 1)))
                .isInstanceOf(StoreException.LogDamaged.class)
                .hasMessageContaining("Table t")
                .hasMessageContaining("log of p")
                .hasMessageContaining("after sequence number 1 expected sequence number 2, found 3")
                .hasMessageContaining("backup")
                .hasMessageContaining("a snapshot at 3 or later");
        assertThatThrownBy(() -> replay(ALL, commit(2, 0, 1)))
                .isInstanceOf(StoreException.LogDamaged.class)
                .hasMessageContaining("at its start expected sequence number 1, found 2");
    }

    @Test
    void beforeTheHighestTombstoneNothingIsReplayedAndGapsAreLegal() {
        Entry third = commit(3, 0, 1);
        assertThat(replay(ALL, commit(1, 0, 1), tombstone(third), commit(4, 0, 1)))
                .containsExactly(4L);
        assertThat(replay(ALL, tombstone(third), commit(4, 0, 1))).containsExactly(4L);
    }

    @Test
    void aGapAfterTheHighestTombstoneIsDamage() {
        assertThatThrownBy(() -> replay(ALL, tombstone(commit(1, 0, 2)), commit(4, 0, 1)))
                .isInstanceOf(StoreException.LogDamaged.class);
    }

    @Test
    void aDeleteInsideACommitHidesItsFrontAndAllBefore() {
        assertThat(replay(ALL, commit(1, 0, 1), with(commit(2, 0, 3), "lo", 4), commit(5, 0, 1)))
                .containsExactly(4L, 5L);
    }

    @Test
    void expiredCommitsAreDeletedButKeepTheirSequenceNumbers() {
        CommitWalk walk = walk(
                ALL,
                CommitWalk.State.atStart(NOW),
                commit(1, 0, 1),
                with(commit(2, 0, 1), "exp", NOW),
                commit(3, 0, 1));
        assertThat(seqNrs(walk)).containsExactly(3L);
        assertThat(replay(ALL, with(commit(1, 0, 1), "exp", NOW + 1))).containsExactly(1L);
        CommitWalk gone = walk(ALL, CommitWalk.State.atStart(NOW), with(commit(1, 0, 1), "exp", NOW - 5));
        assertThat(seqNrs(gone)).isEmpty();
        assertThat(gone.coveredTo(false)).isEqualTo(1);
    }

    @Test
    void theFloorAllowsAnyFirstKey() {
        Entry floor = CommitItems.entry(
                "t", Item.create().text("pid", "p").number("seq", 0).number("hi", 100));
        assertThat(replay(ALL, floor, commit(7, 0, 1), commit(8, 0, 1))).containsExactly(7L, 8L);
        assertThat(walk(ALL, CommitWalk.State.atStart(NOW), floor).coveredTo(true))
                .isEqualTo(100);
    }

    @Test
    void aReplayMayStartInsideACommit() {
        SeqRange range = SeqRange.wholeWrites(3, Long.MAX_VALUE, Long.MAX_VALUE);
        CommitWalk walk = walk(range, CommitWalk.State.inside(NOW), commit(2, 0, 3), commit(5, 0, 1));
        assertThat(seqNrs(walk)).containsExactly(3L, 4L, 5L);
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
        assertThat(seqNrs(second)).containsExactly(2L);
        assertThat(second.isFinished()).isTrue();
        assertThat(second.isCut()).isTrue();
    }

    @Test
    void aGapBetweenPagesIsFound() {
        CommitWalk first = walk(ALL, CommitWalk.State.atStart(NOW), commit(1, 0, 1));
        assertThatThrownBy(() -> walk(ALL, first.state(), commit(3, 0, 1)))
                .isInstanceOf(StoreException.LogDamaged.class);
    }

    @Test
    void aTombstoneAfterDeliveredEventsFailsTheReplay() {
        CommitWalk first = walk(ALL, CommitWalk.State.atStart(NOW), commit(1, 0, 1));
        assertThatThrownBy(() -> walk(ALL, first.state(), tombstone(commit(2, 0, 1)), commit(3, 0, 1)))
                .isInstanceOf(StoreException.LogMoved.class)
                .hasMessageContaining("recover again");
    }
}
