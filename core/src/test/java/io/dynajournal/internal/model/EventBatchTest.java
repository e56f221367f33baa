package io.dynajournal.internal.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

final class EventBatchTest {

    private static final Event EVENT = Event.of(new Payload(1, "", new byte[] {1}));

    private static List<String> without(EventBatch batch, long seqNr) {
        return batch.without(seqNr).stream()
                .map(rest -> rest.persistenceId() + " " + rest.writer() + " " + rest.firstSeqNr() + "-"
                        + rest.lastSeqNr() + " in " + rest.writes().size())
                .toList();
    }

    @Test
    void aWriteIsTakenOutOfABatch() {
        EventBatch batch = new EventBatch(
                "id", "w", 5, List.of(List.of(EVENT), List.of(EVENT, EVENT, EVENT), List.of(EVENT, EVENT)));
        assertThat(without(batch, 5)).containsExactly("id w 6-10 in 2");
        for (long seqNr = 6; seqNr <= 8; seqNr++) {
            assertThat(without(batch, seqNr)).containsExactly("id w 5-5 in 1", "id w 9-10 in 1");
        }
        assertThat(without(batch, 10)).containsExactly("id w 5-8 in 2");
        assertThat(without(EventBatch.of("id", "w", 5, List.of(EVENT)), 5)).isEmpty();
    }

    @Test
    void badBatchesAreRefused() {
        assertThatThrownBy(() -> EventBatch.of("cart-7", "w", 0, List.of(EVENT)))
                .hasMessageContaining("cart-7")
                .hasMessageContaining("0");
        assertThatThrownBy(() -> EventBatch.of("cart-7", "w", 12, List.of()))
                .hasMessageContaining("cart-7")
                .hasMessageContaining("12");
    }
}
