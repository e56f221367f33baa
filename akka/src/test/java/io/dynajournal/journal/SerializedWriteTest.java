package io.dynajournal.journal;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynajournal.internal.model.Event;
import io.dynajournal.internal.model.EventBatch;
import io.dynajournal.internal.model.Payload;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class SerializedWriteTest {

    private static final Event EVENT = Event.of(new Payload(1, "", new byte[] {1}));

    private static SerializedWrite write(String id, String writer, long first, int count) {
        return new SerializedWrite(id, writer, first, Collections.nCopies(count, EVENT), Optional.empty());
    }

    private static SerializedWrite rejected(long first) {
        return new SerializedWrite("id", "w", first, List.of(), Optional.of(new IllegalStateException()));
    }

    private static List<String> batches(SerializedWrite... writes) {
        return SerializedWrite.batches(List.of(writes)).stream()
                .map(SerializedWriteTest::text)
                .toList();
    }

    private static String text(EventBatch batch) {
        return batch.persistenceId() + " " + batch.writer() + " " + batch.firstSeqNr() + "-" + batch.lastSeqNr()
                + " in " + batch.writes().size();
    }

    @Test
    void contiguousWritesShareABatch() {
        assertThat(batches(write("id", "w", 1, 1), write("id", "w", 2, 3), write("id", "w", 5, 1)))
                .containsExactly("id w 1-5 in 3");
    }

    @Test
    void aRejectionEndsABatch() {
        assertThat(batches(write("id", "w", 1, 2), rejected(3), write("id", "w", 4, 1), write("id", "w", 5, 1)))
                .containsExactly("id w 1-2 in 1", "id w 4-5 in 2");
        assertThat(batches(rejected(1), write("id", "w", 2, 1), rejected(3))).containsExactly("id w 2-2 in 1");
        assertThat(batches(rejected(1))).isEmpty();
    }

    @Test
    void idsAndWritersDoNotShareABatch() {
        assertThat(batches(write("id", "w", 1, 1), write("id", "v", 2, 1), write("other", "v", 3, 1)))
                .containsExactly("id w 1-1 in 1", "id v 2-2 in 1", "other v 3-3 in 1");
    }
}
