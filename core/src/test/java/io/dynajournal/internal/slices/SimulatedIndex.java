package io.dynajournal.internal.slices;

import io.dynajournal.internal.model.SliceRange;
import io.dynajournal.internal.model.Slices;
import io.dynajournal.internal.slices.ReadRequest.IndexRead;
import io.dynajournal.internal.slices.ReadRequest.MissedCommitsRead;
import io.dynajournal.internal.store.PageToken;
import io.dynajournal.internal.store.SlicePartition;
import io.dynajournal.internal.store.SliceRow;
import io.dynajournal.internal.store.SliceRows.RowPage;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A table and its slice index in virtual time: writers with clock skew, slow writes, and rows that become visible late and in
 * any order.
 */
final class SimulatedIndex {

    /**
     * @param storedAt when the table has it
     * @param visibleAt when the index has it
     */
    record Write(SliceRow row, long storedAt, long visibleAt) {}

    /** Delays and skew in microseconds. */
    record Conditions(long lag, long skew, long requestTime, double lateShare, long lateLag) {}

    private record NoContent() implements SliceRow.Content {}

    private record After(SliceRow row) implements PageToken {}

    private static final Comparator<SliceRow> ORDER = Comparator.comparingLong(SliceRow::timestampMicros)
            .thenComparing(SliceRow::persistenceId)
            .thenComparingLong(SliceRow::seqNr);

    private final Map<String, List<Write>> logs = new LinkedHashMap<>();
    private final List<Write> writes = new ArrayList<>();
    private final int partitions;
    private final long end;

    SimulatedIndex(Random random, Conditions conditions, int ids, int commits, int partitions, long start) {
        this(random, conditions, ids, commits, partitions, start, true);
    }

    /**
     * @param hasPrevious whether rows have the time of their predecessor. If not, each row is one event, and the times of an
     *     id may go back with the clocks of its writers
     */
    SimulatedIndex(
            Random random,
            Conditions conditions,
            int ids,
            int commits,
            int partitions,
            long start,
            boolean hasPrevious) {
        this.partitions = partitions;
        long[] skews =
                random.longs(3, -conditions.skew(), conditions.skew() + 1).toArray();
        long time = start;
        for (int i = 0; i < commits; i++) {
            time += new long[] {1, 1, 50, 5_000, 50_000, 400_000, 2_000_000, 9_000_000}[random.nextInt(8)];
            String id = "cart|" + random.nextInt(ids);
            List<Write> log = logs.computeIfAbsent(id, fresh -> new ArrayList<>());
            @Nullable Write before = log.isEmpty() ? null : log.get(log.size() - 1);
            // Sometimes in the same microsecond.
            long now = (time + skews[random.nextInt(skews.length)]) / 1_000 * 1_000;
            long ts = before == null || !hasPrevious
                    ? now
                    : Math.max(now, before.row().timestampMicros() + 1);
            long seqNr = before == null ? 1 : before.row().endSeqNr() + 1;
            long storedAt = time + (random.nextInt(3) == 0 ? random.nextLong(conditions.requestTime() + 1) : 1_000);
            if (before != null) {
                storedAt = Math.max(storedAt, before.storedAt() + 1);
            }
            time = Math.max(time, storedAt);
            long lag = random.nextBoolean() ? random.nextLong(conditions.lag() + 1) : 5_000;
            if (random.nextDouble() < conditions.lateShare()) {
                lag = conditions.lateLag();
            }
            SliceRow row = new SliceRow(
                    id,
                    seqNr,
                    hasPrevious ? seqNr + random.nextInt(3) : seqNr,
                    ts,
                    before == null ? 0 : hasPrevious ? before.row().timestampMicros() : SliceRow.UNKNOWN,
                    Set.of(),
                    new NoContent());
            Write write = new Write(row, storedAt, storedAt + lag);
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
    RowPage page(IndexRead read, long at) {
        List<SliceRow> rows = writes.stream()
                .filter(write -> write.visibleAt() <= at)
                .map(Write::row)
                .filter(row -> read.partition().mayHold(row.persistenceId()))
                .filter(row -> row.timestampMicros() >= read.fromMicros() && row.timestampMicros() <= read.toMicros())
                .filter(row -> !(read.start() instanceof After after) || ORDER.compare(row, after.row()) > 0)
                .sorted(ORDER)
                .toList();
        boolean more = rows.size() > read.pageSize();
        List<SliceRow> page = more ? rows.subList(0, read.pageSize()) : rows;
        return new RowPage(page, more ? new After(page.get(page.size() - 1)) : null);
    }

    /** The missed commits that the table has at a time. */
    List<SliceRow> between(MissedCommitsRead read, long at) {
        List<SliceRow> rows = logs.getOrDefault(read.persistenceId(), List.of()).stream()
                .filter(write -> write.storedAt() <= at)
                .map(Write::row)
                .filter(row -> row.seqNr() > read.afterSeqNr() && row.seqNr() < read.beforeSeqNr())
                .toList();
        int first = rows.size();
        while (first > 0 && rows.get(first - 1).timestampMicros() >= read.fromMicros()) {
            first--;
        }
        return rows.stream().skip(first).limit(read.limit()).toList();
    }
}
