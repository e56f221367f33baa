package io.dynajournal.slices;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynajournal.model.SliceRange;
import io.dynajournal.model.Slices;
import io.dynajournal.store.SlicePartition;
import io.dynajournal.store.SliceRow;
import io.dynajournal.store.SliceRows.RowPage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** How often a reader looks when nothing, or little, happens; in virtual time. */
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
            new Pace(Duration.ofSeconds(3), Duration.ofSeconds(12)));

    private record NoContent() implements SliceRow.Content {}

    private SliceReader reader = reader(PARTITIONS);
    private final List<SliceRow> rows = new ArrayList<>();
    private long now = START;

    private static SliceReader reader(int count) {
        SliceReader reader = new SliceReader(SETTINGS, SliceRange.ALL, Start.BEGINNING, true, row -> true);
        int width = Slices.COUNT / count;
        for (int i = 0; i < count; i++) {
            SliceRange slices = new SliceRange(i * width, (i + 1) * width - 1);
            reader.add(List.of(new SlicePartition("p" + i, "cart", slices)));
        }
        return reader;
    }

    /** How many times it asks until then, with answers that come at once. */
    private int asksUntil(long end) {
        int asked = 0;
        while (now < end) {
            List<Ask> asks = reader.asks(now);
            for (Ask ask : asks) {
                asked++;
                Ask.OfIndex page = (Ask.OfIndex) ask;
                reader.answered(page, new RowPage(shown(page), null), now);
            }
            reader.take(100);
            if (asks.isEmpty()) {
                now = Math.max(now + 1, Math.min(end, reader.askAt()));
            }
        }
        return asked;
    }

    private List<SliceRow> shown(Ask.OfIndex page) {
        return rows.stream()
                .filter(row -> page.partition().mayHold(row.persistenceId()))
                .filter(row -> row.timestampMicros() >= page.fromMicros() && row.timestampMicros() <= page.toMicros())
                .toList();
    }

    private void write(long ts) {
        rows.add(new SliceRow("cart|" + rows.size(), 1, 1, ts, 0, Set.of(), new NoContent()));
    }

    @Test
    void idleItAsksOncePerPartitionAndRefreshIntervalAndLessAfterMinutes() {
        asksUntil(START + 6 * SECOND);
        for (int i = 0; i < 10; i++) {
            assertThat(asksUntil(now + 3 * SECOND)).isLessThanOrEqualTo(PARTITIONS);
        }
        asksUntil(START + 300 * SECOND);
        assertThat(asksUntil(now + 12 * SECOND)).isLessThanOrEqualTo(PARTITIONS);
    }

    /** As on tables of 2.x. */
    @Test
    void aPartitionForEachSliceIsLookedAtAsSeldom() {
        reader = reader(Slices.COUNT);
        asksUntil(START + 6 * SECOND);
        assertThat(asksUntil(now + 3 * SECOND)).isLessThanOrEqualTo(Slices.COUNT);
        asksUntil(START + 300 * SECOND);
        assertThat(asksUntil(now + 12 * SECOND)).isLessThanOrEqualTo(Slices.COUNT);
    }

    @Test
    void anEventCostsAFewLooksAndOneSecondReading() {
        asksUntil(START + 300 * SECOND);
        int idle = asksUntil(now + 240 * SECOND);
        write(now);
        reader.woken("cart|0", now);
        int withOne = asksUntil(now + 240 * SECOND);
        // Its own partition is looked at more often for a while.
        assertThat(withOne - idle).isBetween(1, 60);
    }

    @Test
    void aWriteIsLookedForAtOnceAndAgainSoon() {
        asksUntil(START + 300 * SECOND);
        reader.woken("cart|0", now);
        List<Ask> asks = reader.asks(now);
        assertThat(asks).hasSize(1);
        // The index does not show it yet.
        reader.answered((Ask.OfIndex) asks.get(0), new RowPage(List.of(), null), now);
        assertThat(reader.askAt() - now).isLessThan(SECOND / 10);
        write(now);
        now = reader.askAt();
        Ask.OfIndex again = (Ask.OfIndex) reader.asks(now).get(0);
        reader.answered(again, new RowPage(shown(again), null), now);
        assertThat(reader.take(10)).hasSize(1);
    }

    /** One partition that does not answer holds up the others before they are further ahead than the slack. */
    @Test
    void partitionsStayTogether() {
        List<Ask> asks = new ArrayList<>(reader.asks(now));
        Ask.OfIndex silent = (Ask.OfIndex) asks.remove(0);
        SliceRow late = new SliceRow("cart|0", 1, 1, START, 0, Set.of(), new NoContent());
        int delivered = 0;
        for (int i = 0; i < 200; i++) {
            for (Ask ask : asks) {
                Ask.OfIndex page = (Ask.OfIndex) ask;
                List<SliceRow> answer = page.partition().mayHold(late.persistenceId())
                        ? List.of(new SliceRow(
                                "cart|0", i + 1, i + 1, now, i == 0 ? 0 : now - SECOND, Set.of(), late.content()))
                        : List.of();
                reader.answered(page, new RowPage(answer, null), now);
            }
            delivered += reader.take(100).size();
            now += SECOND;
            asks = new ArrayList<>(reader.asks(now));
        }
        assertThat(silent.partition().mayHold(late.persistenceId())).isFalse();
        assertThat(delivered).as("rows of the first seconds only").isLessThanOrEqualTo(1);
    }
}
