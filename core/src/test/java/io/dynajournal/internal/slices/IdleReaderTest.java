package io.dynajournal.internal.slices;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynajournal.internal.model.SliceRange;
import io.dynajournal.internal.model.Slices;
import io.dynajournal.internal.slices.ReadRequest.IndexRead;
import io.dynajournal.internal.store.SlicePartition;
import io.dynajournal.internal.store.SliceRow;
import io.dynajournal.internal.store.SliceRows.RowPage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** How often a reader polls while little or nothing is written; in virtual time. */
final class IdleReaderTest {

    private static final long SECOND = 1_000_000;
    private static final long START = 1_700_000_000L * SECOND;
    private static final int PARTITIONS = 16;

    private static final ReaderSettings SETTINGS = new ReaderSettings(
            Duration.ofMinutes(2),
            Duration.ofSeconds(30),
            200,
            1_000,
            8,
            new PollSchedule(Duration.ofSeconds(3), Duration.ofSeconds(12)));

    private record NoContent() implements SliceRow.Content {}

    private SliceReader reader = reader(PARTITIONS);
    private final List<SliceRow> rows = new ArrayList<>();
    private long now = START;

    private static SliceReader reader(int count) {
        SliceReader reader = new SliceReader(SETTINGS, SliceRange.ALL, ResumePoint.BEGINNING, true, row -> true);
        int width = Slices.COUNT / count;
        for (int i = 0; i < count; i++) {
            SliceRange slices = new SliceRange(i * width, (i + 1) * width - 1);
            reader.partitionsFound(List.of(new SlicePartition("p" + i, "cart", slices)), Long.MAX_VALUE / 2);
        }
        return reader;
    }

    /** How many reads it sends until then, when each is answered at once. */
    private int readsUntil(long end) {
        int sent = 0;
        while (now < end) {
            List<ReadRequest> reads = reader.reads(now);
            for (ReadRequest read : reads) {
                sent++;
                IndexRead page = (IndexRead) read;
                reader.received(page, new RowPage(shown(page), null), now);
            }
            reader.take(100);
            if (reads.isEmpty()) {
                now = Math.max(now + 1, Math.min(end, reader.nextReadAt()));
            }
        }
        return sent;
    }

    private List<SliceRow> shown(IndexRead page) {
        return rows.stream()
                .filter(row -> page.partition().mayHold(row.persistenceId()))
                .filter(row -> row.timestampMicros() >= page.fromMicros() && row.timestampMicros() <= page.toMicros())
                .toList();
    }

    private void write(long ts) {
        rows.add(new SliceRow("cart|" + rows.size(), 1, 1, ts, 0, Set.of(), new NoContent()));
    }

    @Test
    void anIdleReaderPollsEachPartitionOncePerRefreshIntervalAndLessOftenAfterMinutes() {
        readsUntil(START + 6 * SECOND);
        for (int i = 0; i < 10; i++) {
            assertThat(readsUntil(now + 3 * SECOND)).isLessThanOrEqualTo(PARTITIONS);
        }
        readsUntil(START + 300 * SECOND);
        assertThat(readsUntil(now + 12 * SECOND)).isLessThanOrEqualTo(PARTITIONS);
    }

    /** As on tables of akka-persistence-dynamodb 2.x. */
    @Test
    void aPartitionPerSliceIsPolledNoMoreOften() {
        reader = reader(Slices.COUNT);
        readsUntil(START + 6 * SECOND);
        assertThat(readsUntil(now + 3 * SECOND)).isLessThanOrEqualTo(Slices.COUNT);
        readsUntil(START + 300 * SECOND);
        assertThat(readsUntil(now + 12 * SECOND)).isLessThanOrEqualTo(Slices.COUNT);
    }

    @Test
    void anEventCostsAFewPollsAndOneBacktrack() {
        readsUntil(START + 300 * SECOND);
        int idle = readsUntil(now + 240 * SECOND);
        write(now);
        reader.wakeUp("cart|0", now);
        int withOne = readsUntil(now + 240 * SECOND);
        // Its own partition is polled more often for a while.
        assertThat(withOne - idle).isBetween(1, 60);
    }

    @Test
    void aWakeUpPollsAtOnceAndAgainSoon() {
        readsUntil(START + 300 * SECOND);
        reader.wakeUp("cart|0", now);
        List<ReadRequest> reads = reader.reads(now);
        assertThat(reads).hasSize(1);
        // The index does not show it yet.
        reader.received((IndexRead) reads.get(0), new RowPage(List.of(), null), now);
        assertThat(reader.nextReadAt() - now).isLessThan(SECOND / 10);
        write(now);
        now = reader.nextReadAt();
        IndexRead again = (IndexRead) reader.reads(now).get(0);
        reader.received(again, new RowPage(shown(again), null), now);
        assertThat(reader.take(10)).hasSize(1);
    }

    /** A partition that does not answer holds up the others before they are ahead by more than the slack. */
    @Test
    void partitionsStayTogether() {
        List<ReadRequest> reads = new ArrayList<>(reader.reads(now));
        IndexRead silent = (IndexRead) reads.remove(0);
        SliceRow late = new SliceRow("cart|0", 1, 1, START, 0, Set.of(), new NoContent());
        int delivered = 0;
        for (int i = 0; i < 200; i++) {
            for (ReadRequest read : reads) {
                IndexRead page = (IndexRead) read;
                List<SliceRow> rowsOfPage = page.partition().mayHold(late.persistenceId())
                        ? List.of(new SliceRow(
                                "cart|0", i + 1, i + 1, now, i == 0 ? 0 : now - SECOND, Set.of(), late.content()))
                        : List.of();
                reader.received(page, new RowPage(rowsOfPage, null), now);
            }
            delivered += reader.take(100).size();
            now += SECOND;
            reads = new ArrayList<>(reader.reads(now));
        }
        assertThat(silent.partition().mayHold(late.persistenceId())).isFalse();
        assertThat(delivered).as("rows of the first seconds only").isLessThanOrEqualTo(1);
    }
}
