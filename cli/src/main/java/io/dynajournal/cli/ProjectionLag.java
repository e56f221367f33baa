package io.dynajournal.cli;

import io.dynajournal.internal.model.SliceRange;
import io.dynajournal.internal.store.PageToken;
import io.dynajournal.internal.store.Pages;
import io.dynajournal.internal.store.SlicePartition;
import io.dynajournal.internal.store.SliceRow;
import io.dynajournal.internal.store.SliceRows;
import io.dynajournal.internal.store.Stages;
import java.util.concurrent.CompletionStage;

/** Counts the events that wait for a projection. Thread-safe. */
final class ProjectionLag {

    private static final int PAGE_ROWS = 1000;

    private final SliceRows rows;
    private final String entityType;
    private final long maxEvents;

    /**
     * The lag behind an index.
     *
     * @param maxEvents once this number is reached, no further page of a partition is read
     */
    ProjectionLag(SliceRows rows, String entityType, long maxEvents) {
        this.rows = rows;
        this.entityType = entityType;
        this.maxEvents = maxEvents;
    }

    /**
     * The events after the stored progress.
     *
     * @param oldestMicros the time of the oldest one; 0 if there is none
     * @param complete whether all were counted
     */
    record Waiting(long events, long oldestMicros, boolean complete) {

        static final Waiting NONE = new Waiting(0, 0, true);

        private Waiting with(SliceRow row) {
            long oldest = oldestMicros == 0 ? row.timestampMicros() : Math.min(oldestMicros, row.timestampMicros());
            return new Waiting(events + row.endSeqNr() - row.seqNr() + 1, oldest, complete);
        }

        private Waiting cut() {
            return new Waiting(events, oldestMicros, false);
        }
    }

    /** Counts the events of some slices after a time. Eventually consistent; half a read unit per 4 KB of the index. */
    CompletionStage<Waiting> after(SliceRange slices, long micros) {
        Count count = new Count(slices, micros + 1, rows.nowMicros());
        return rows.partitions(entityType, slices)
                .thenCompose(partitions -> Stages.inOrder(partitions, count::read))
                .thenApply(done -> count.waiting);
    }

    /** Pages are counted one after another. */
    private final class Count {
        private final SliceRange slices;
        private final long fromMicros;
        private final long toMicros;
        private volatile Waiting waiting = Waiting.NONE;

        Count(SliceRange slices, long fromMicros, long toMicros) {
            this.slices = slices;
            this.fromMicros = fromMicros;
            this.toMicros = toMicros;
        }

        CompletionStage<Boolean> read(SlicePartition partition) {
            return Pages.<PageToken>drain(
                            null,
                            start -> rows.read(partition, fromMicros, toMicros, start, PAGE_ROWS)
                                    .thenApply(page -> {
                                        add(page);
                                        boolean isFull = waiting.events() >= maxEvents && page.next() != null;
                                        waiting = isFull ? waiting.cut() : waiting;
                                        return isFull ? null : page.next();
                                    }))
                    .thenApply(done -> true);
        }

        private void add(SliceRows.RowPage page) {
            Waiting counted = waiting;
            for (SliceRow row : page.rows()) {
                counted = slices.contains(row.persistenceId()) ? counted.with(row) : counted;
            }
            waiting = counted;
        }
    }
}
