package io.dynajournal.slices;

import io.dynajournal.model.SliceRange;
import io.dynajournal.model.Slices;
import io.dynajournal.store.PageToken;
import io.dynajournal.store.SlicePartition;
import io.dynajournal.store.SliceRow;
import io.dynajournal.store.SliceRows.RowPage;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A table and its slice index in virtual time: writers with clocks that differ, writes that take long, rows that show late
 * and in any order.
 */
final class SimulatedIndex {

    /**
     * @param lands when the table has it
     * @param shows when the index has it
     */
    record Write(SliceRow row, long lands, long shows) {}

    /** What can go wrong, in microseconds. */
    record Weather(long lag, long skew, long requestTime, double lateShare, long lateLag) {}

    private record NoContent() implements SliceRow.Content {}

    private record After(SliceRow row) implements PageToken {}

    private static final Comparator<SliceRow> ORDER = Comparator.comparingLong(SliceRow::timestampMicros)
            .thenComparing(SliceRow::persistenceId)
            .thenComparingLong(SliceRow::seqNr);

    private final Map<String, List<Write>> logs = new LinkedHashMap<>();
    private final List<Write> writes = new ArrayList<>();
    private final int partitions;
    private final long end;

    SimulatedIndex(Random random, Weather weather, int ids, int commits, int partitions, long start) {
        this(random, weather, ids, commits, partitions, start, true);
    }

    /**
     * @param told whether rows tell the time of their predecessor; if not, each is one event, and the times of an id may go
     *     back with the clocks of its writers
     */
    SimulatedIndex(Random random, Weather weather, int ids, int commits, int partitions, long start, boolean told) {
        this.partitions = partitions;
        long[] skews = random.longs(3, -weather.skew(), weather.skew() + 1).toArray();
        long time = start;
        for (int i = 0; i < commits; i++) {
            time += new long[] {1, 1, 50, 5_000, 50_000, 400_000, 2_000_000, 9_000_000}[random.nextInt(8)];
            String id = "cart|" + random.nextInt(ids);
            List<Write> log = logs.computeIfAbsent(id, fresh -> new ArrayList<>());
            @Nullable Write before = log.isEmpty() ? null : log.get(log.size() - 1);
            // Of the same microsecond now and then.
            long now = (time + skews[random.nextInt(skews.length)]) / 1_000 * 1_000;
            long ts = before == null || !told ? now : Math.max(now, before.row().timestampMicros() + 1);
            long seqNr = before == null ? 1 : before.row().endSeqNr() + 1;
            long lands = time + (random.nextInt(3) == 0 ? random.nextLong(weather.requestTime() + 1) : 1_000);
            if (before != null) {
                lands = Math.max(lands, before.lands() + 1);
            }
            time = Math.max(time, lands);
            long lag = random.nextBoolean() ? random.nextLong(weather.lag() + 1) : 5_000;
            if (random.nextDouble() < weather.lateShare()) {
                lag = weather.lateLag();
            }
            SliceRow row = new SliceRow(
                    id,
                    seqNr,
                    told ? seqNr + random.nextInt(3) : seqNr,
                    ts,
                    before == null ? 0 : told ? before.row().timestampMicros() : SliceRow.UNKNOWN,
                    Set.of(),
                    new NoContent());
            Write write = new Write(row, lands, lands + lag);
            log.add(write);
            writes.add(write);
        }
        this.end = time;
    }

    long end() {
        return end;
    }

    Map<String, List<Write>> logs() {
        return logs;
    }

    List<SlicePartition> partitions() {
        List<SlicePartition> all = new ArrayList<>();
        int width = Slices.COUNT / partitions;
        for (int i = 0; i < partitions; i++) {
            all.add(new SlicePartition("p" + i, "cart", new SliceRange(i * width, (i + 1) * width - 1)));
        }
        return all;
    }

    /** A page as the index shows it at a time. */
    RowPage page(Ask.OfIndex ask, long at) {
        List<SliceRow> rows = writes.stream()
                .filter(write -> write.shows() <= at)
                .map(Write::row)
                .filter(row -> ask.partition().mayHold(row.persistenceId()))
                .filter(row -> row.timestampMicros() >= ask.fromMicros() && row.timestampMicros() <= ask.toMicros())
                .filter(row -> !(ask.start() instanceof After after) || ORDER.compare(row, after.row()) > 0)
                .sorted(ORDER)
                .toList();
        boolean more = rows.size() > ask.limit();
        List<SliceRow> page = more ? rows.subList(0, ask.limit()) : rows;
        return new RowPage(page, more ? new After(page.get(page.size() - 1)) : null);
    }

    /** What the table has at a time. */
    List<SliceRow> between(Ask.OfTable ask, long at) {
        List<SliceRow> rows = logs.getOrDefault(ask.persistenceId(), List.of()).stream()
                .filter(write -> write.lands() <= at)
                .map(Write::row)
                .filter(row -> row.seqNr() > ask.afterSeqNr() && row.seqNr() < ask.beforeSeqNr())
                .toList();
        int first = rows.size();
        while (first > 0 && rows.get(first - 1).timestampMicros() >= ask.fromMicros()) {
            first--;
        }
        return rows.stream().skip(first).limit(ask.limit()).toList();
    }
}
