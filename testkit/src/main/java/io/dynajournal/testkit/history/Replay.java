package io.dynajournal.testkit.history;

import io.dynajournal.internal.model.Payload;
import io.dynajournal.internal.model.SeqRange;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.function.LongFunction;

/** Reads events as the toolkits do: first the highest sequence number, then page by page, with pauses between them. */
final class Replay {

    private Replay() {}

    /**
     * What was read.
     *
     * @param events by sequence number, in the order of their delivery
     * @param deletedTo events up to this sequence number were deleted before
     */
    record Found(long highest, List<Map.Entry<Long, String>> events, long deletedTo) {}

    /**
     * Reads a range.
     *
     * @param range of the highest sequence number
     */
    static CompletionStage<Found> of(
            Node node, EntityHistory history, long from, Object reader, LongFunction<SeqRange> range) {
        String persistenceId = history.persistenceId();
        long deletedBefore = history.deletedTo();
        return node.journal()
                .highestSeqNr(persistenceId, from, reader)
                .thenCompose(highest -> node.think().thenCompose(done -> {
                    long deletedTo = Math.max(deletedBefore, history.deletedTo(node.name()));
                    List<Map.Entry<Long, String>> events = new ArrayList<>();
                    return node.journal()
                            .replay(persistenceId, range.apply(highest), page -> {
                                page.forEach(event -> {
                                    history.timed(event.seqNr(), event.timestampMicros());
                                    events.add(Map.entry(
                                            event.seqNr(), text(event.event().payload())));
                                });
                                return node.think();
                            })
                            .thenApply(read -> new Found(highest, events, deletedTo));
                }));
    }

    /** An event ends at the first blank; the rest only makes it larger. */
    static String text(Payload payload) {
        String text = new String(payload.bytes(), StandardCharsets.UTF_8);
        int blank = text.indexOf(' ');
        return blank < 0 ? text : text.substring(0, blank);
    }
}
