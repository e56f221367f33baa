package io.dynajournal.journal;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynajournal.model.Event;
import io.dynajournal.model.EventBatch;
import io.dynajournal.model.Payload;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class BatchesTest {

    private static final Event EVENT = Event.of(new Payload(1, "", new byte[] {1}));

    private static SerializedWrite write(String id, String writer, long first, int count) {
        return new SerializedWrite(id, writer, first, Collections.nCopies(count, EVENT), Optional.empty());
    }

    private static SerializedWrite rejected(long first) {
        return new SerializedWrite("id", "w", first, List.of(), Optional.of(new IllegalStateException()));
    }

    private static List<String> batches(SerializedWrite... writes) {
        return Batches.of(List.of(writes)).stream().map(BatchesTest::text).toList();
    }

    private static String text(EventBatch batch) {
        return batch.persistenceId() + " " + batch.writer() + " " + batch.firstSeqNr() + "-" + batch.lastSeqNr()
                + " in " + batch.writes().size();
    }

    @Test
    void writesThatFollowOneAnotherGoTogether() {
        assertThat(batches(write("id", "w", 1, 1), write("id", "w", 2, 3), write("id", "w", 5, 1)))
                .containsExactly("id w 1-5 in 3");
    }

    @Test
    void rejectionPartsTheBatch() {
        assertThat(batches(write("id", "w", 1, 2), rejected(3), write("id", "w", 4, 1), write("id", "w", 5, 1)))
                .containsExactly("id w 1-2 in 1", "id w 4-5 in 2");
        assertThat(batches(rejected(1), write("id", "w", 2, 1), rejected(3))).containsExactly("id w 2-2 in 1");
        assertThat(batches(rejected(1))).isEmpty();
    }

    @Test
    void aWriteIsTakenOutOfABatch() {
        EventBatch batch = new EventBatch(
                "id", "w", 5, List.of(List.of(EVENT), List.of(EVENT, EVENT, EVENT), List.of(EVENT, EVENT)));
        assertThat(Batches.without(batch, 5).stream().map(BatchesTest::text)).containsExactly("id w 6-10 in 2");
        for (long seqNr = 6; seqNr <= 8; seqNr++) {
            assertThat(Batches.without(batch, seqNr).stream().map(BatchesTest::text))
                    .containsExactly("id w 5-5 in 1", "id w 9-10 in 1");
        }
        assertThat(Batches.without(batch, 10).stream().map(BatchesTest::text)).containsExactly("id w 5-8 in 2");
        assertThat(Batches.without(EventBatch.of("id", "w", 5, List.of(EVENT)), 5))
                .isEmpty();
    }

    @Test
    void idsAndWritersStayApart() {
        assertThat(batches(write("id", "w", 1, 1), write("id", "v", 2, 1), write("other", "v", 3, 1)))
                .containsExactly("id w 1-1 in 1", "id v 2-2 in 1", "other v 3-3 in 1");
    }
}
