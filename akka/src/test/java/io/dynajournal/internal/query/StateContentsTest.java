package io.dynajournal.internal.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynajournal.internal.model.Payload;
import io.dynajournal.internal.model.SliceRange;
import io.dynajournal.internal.model.StoredState;
import io.dynajournal.internal.slices.Delivery;
import io.dynajournal.internal.slices.ResumePoint;
import io.dynajournal.internal.store.PageToken;
import io.dynajournal.internal.store.SlicePartition;
import io.dynajournal.internal.store.SliceRow;
import io.dynajournal.internal.store.StateIndex;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** States that are replaced between the read of the index and the read of the table. */
final class StateContentsTest {

    /** A table whose states the test puts; its index is not read here. */
    private static final class Table implements StateIndex {
        private final Map<String, StoredState> states = new HashMap<>();

        void put(String id, long revision, String tag) {
            states.put(id, new StoredState(id, revision, new Payload(1, "", new byte[0]), tag, 100 * revision, "w"));
        }

        @Override
        public CompletionStage<List<Optional<StoredState>>> states(List<SliceRow> rows) {
            return CompletableFuture.completedFuture(rows.stream()
                    .map(row -> Optional.ofNullable(states.get(row.persistenceId())))
                    .toList());
        }

        @Override
        public long nowMicros() {
            return 7;
        }

        @Override
        public CompletionStage<List<SlicePartition>> partitions(String entityType, SliceRange slices) {
            throw new AssertionError("the index is not read here");
        }

        @Override
        public CompletionStage<List<SlicePartition>> partitions(SliceRange slices) {
            throw new AssertionError("the index is not read here");
        }

        @Override
        public CompletionStage<RowPage> read(
                SlicePartition partition, long fromMicros, long toMicros, @Nullable PageToken start, int limit) {
            throw new AssertionError("the index is not read here");
        }

        @Override
        public CompletionStage<List<SliceRow>> between(
                String persistenceId, long afterSeqNr, long beforeSeqNr, long fromMicros, int limit) {
            throw new AssertionError("the index is not read here");
        }
    }

    private final Table table = new Table();

    private static StateContents contents(Table table, @Nullable String tag) {
        return new StateContents(table, new SliceQuery(Set.of(), SliceRange.ALL, tag, ResumePoint.BEGINNING, true));
    }

    private static Delivery row(String id, long revision) {
        long time = 100 * revision;
        return new Delivery(new SliceRow(id, 1, time, time, 0, Set.of(), new SliceRow.Content() {}), 1);
    }

    private static List<String> of(StateContents contents, Delivery... rows) {
        return contents.of(Arrays.asList(rows)).toCompletableFuture().join().elements().stream()
                .map(found -> found.state().persistenceId() + " "
                        + found.state().revision() + " at " + found.rowMicros() + " read " + found.readMicros())
                .toList();
    }

    @Test
    void aStateThatHasReplacedTheRowsOwnIsDeliveredOnceAtTheRowsTime() {
        StateContents contents = contents(table, null);
        table.put("a", 5, "");
        assertThat(of(contents, row("a", 3))).containsExactly("a 5 at 300 read 7");
        assertThat(of(contents, row("a", 4))).isEmpty();
        assertThat(of(contents, row("a", 5))).isEmpty();
        table.put("a", 6, "");
        assertThat(of(contents, row("a", 6))).containsExactly("a 6 at 600 read 7");
    }

    @Test
    void twoRowsOfAnIdDeliverItsStateOnce() {
        table.put("a", 5, "");
        table.put("b", 1, "");
        assertThat(of(contents(table, null), row("a", 4), row("b", 1), row("a", 5)))
                .containsExactly("a 5 at 400 read 7", "b 1 at 100 read 7");
    }

    @Test
    void aStateThatLostTheTagOrExpiredIsLeftOut() {
        table.put("a", 2, "blue");
        assertThat(of(contents(table, "red"), row("a", 1), row("gone", 1))).isEmpty();
        assertThat(of(contents(table, "blue"), row("a", 1))).hasSize(1);
    }
}
