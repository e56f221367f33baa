package io.dynajournal.cli.cost;

import io.dynajournal.internal.model.SliceRange;
import io.dynajournal.internal.slices.PollSchedule;
import io.dynajournal.internal.slices.ReadRequest;
import io.dynajournal.internal.slices.ReadRequest.IndexRead;
import io.dynajournal.internal.slices.ReadRequest.MissedCommitsRead;
import io.dynajournal.internal.slices.ReaderSettings;
import io.dynajournal.internal.slices.ResumePoint;
import io.dynajournal.internal.slices.SliceReader;
import io.dynajournal.internal.store.PageToken;
import io.dynajournal.internal.store.SlicePartition;
import io.dynajournal.internal.store.SliceRow;
import io.dynajournal.internal.store.SliceRows.RowPage;
import io.dynajournal.testkit.simulator.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * What a live query by slice reads per second. The query's own state machine polls index partitions in which rows appear at random
 * times; a page is billed as DynamoDB bills it. All of it is in virtual time, with a fixed seed.
 */
final class PolledIndex {

    /** The query's defaults, except for the intervals of its polls. */
    private static final Duration WINDOW = Duration.ofMinutes(2);

    private static final int PAGE_ROWS = 200;
    private static final int TRACKED = 100_000;
    private static final int PARALLELISM = 8;

    /** How long a request takes, and how much later than a write the index shows it: assumptions. */
    private static final long REQUEST_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    private static final long INDEX_LAG_MICROS = 10_000;

    /** Enough for backtracking to go on evenly. */
    private static final Duration WARM_UP = Duration.ofSeconds(160);

    private static final Duration MEASURED = Duration.ofMinutes(4);

    /** Rows of a simulation. Of more rows fewer partitions are simulated: they do not depend on each other. */
    private static final double MAX_ROWS = 60_000;

    private static final int MAX_PARTITIONS = 16;

    /** Twice what a partition of DynamoDB takes. Beyond it the units grow with the rows. */
    private static final double MAX_ROWS_PER_SECOND = 2000;

    private static final double READ_UNIT = 4096;
    private static final long RANDOM_SEED = 11;

    /** What one query reads: units and requests per second. */
    record Reads(double units, double requests) {}

    private record Place(int from) implements PageToken {}

    private record None() implements SliceRow.Content {}

    private final VirtualTime time = new VirtualTime(RANDOM_SEED);
    private final SplittableRandom random = new SplittableRandom(RANDOM_SEED);
    private final boolean push;
    private final double rowBytes;
    private final double rowsPerSecond;
    private final SliceReader reader;
    private final Map<SlicePartition, List<SliceRow>> rows = new HashMap<>();
    private double units;
    private long requests;
    private @Nullable Future<?> next;
    private long nextAtMicros = Long.MAX_VALUE;

    private PolledIndex(Workload workload, double rowBytes, double rowsPerSecond) {
        this.push = workload.push();
        this.rowBytes = rowBytes;
        this.rowsPerSecond = rowsPerSecond;
        this.reader = new SliceReader(
                settings(workload), SliceRange.ALL, new ResumePoint(now(), Map.of(), 0), true, row -> true);
    }

    private static ReaderSettings settings(Workload workload) {
        Duration twice = workload.idleRefreshInterval().multipliedBy(2);
        Duration quarter = WINDOW.dividedBy(4);
        return new ReaderSettings(
                WINDOW,
                quarter.compareTo(twice) > 0 ? quarter : twice,
                PAGE_ROWS,
                TRACKED,
                PARALLELISM,
                new PollSchedule(workload.refreshInterval(), workload.idleRefreshInterval()));
    }

    /**
     * The reads of one query of all partitions.
     *
     * @param rowsPerSecond of all partitions
     */
    static Reads of(Workload workload, int partitions, double rowsPerSecond, double rowBytes) {
        double each = rowsPerSecond / partitions;
        double simulated = Math.min(each, MAX_ROWS_PER_SECOND);
        double seconds = WARM_UP.plus(MEASURED).toSeconds();
        int count = (int) Math.max(
                1, Math.min(Math.min(partitions, MAX_PARTITIONS), MAX_ROWS / Math.max(1, simulated * seconds)));
        PolledIndex index = new PolledIndex(workload, rowBytes, simulated);
        index.run(count);
        double factor = (double) partitions / count * (each / simulated) / MEASURED.toSeconds();
        return new Reads(index.units * factor, index.requests * factor);
    }

    private long now() {
        return TimeUnit.MILLISECONDS.toMicros(time.clock().millis()) + time.nanoTime() / 1000 % 1000;
    }

    private void run(int partitions) {
        // Each has an entity type of its own, so that a write wakes one.
        List<SlicePartition> found = IntStream.range(0, partitions)
                .mapToObj(i -> new SlicePartition("p" + i, "p" + i, SliceRange.ALL))
                .toList();
        found.forEach(partition -> {
            rows.put(partition, new ArrayList<>());
            writeLater(partition);
        });
        lookUp(found);
        time.run(WARM_UP);
        units = 0;
        requests = 0;
        time.run(MEASURED);
    }

    /** As live queries do from time to time. */
    private void lookUp(List<SlicePartition> found) {
        reader.partitionsFound(found, now());
        time.after(TimeUnit.SECONDS.toNanos(30), () -> lookUp(found));
        step();
    }

    private void writeLater(SlicePartition partition) {
        double seconds = -Math.log(1 - random.nextDouble()) / rowsPerSecond;
        time.after((long) (Math.min(seconds, 1e6) * 1e9), () -> write(partition));
    }

    private void write(SlicePartition partition) {
        List<SliceRow> written = rows(partition);
        @Nullable SliceRow last = written.isEmpty() ? null : written.get(written.size() - 1);
        long seqNr = last == null ? 1 : last.endSeqNr() + 1;
        long at = Math.max(now(), last == null ? 0 : last.timestampMicros() + 1);
        String id = partition.entityType() + "|1";
        written.add(
                new SliceRow(id, seqNr, seqNr, at, last == null ? 0 : last.timestampMicros(), Set.of(), new None()));
        if (push) {
            time.after(REQUEST_NANOS, () -> {
                reader.wakeUp(id, now());
                step();
            });
        }
        writeLater(partition);
    }

    private List<SliceRow> rows(SlicePartition partition) {
        List<SliceRow> found = rows.get(partition);
        if (found == null) {
            throw new IllegalArgumentException("There is no partition " + partition.name());
        }
        return found;
    }

    /** Sends the reads that are due, and comes back when the next one is. */
    private void step() {
        long now = now();
        for (ReadRequest read : reader.reads(now)) {
            requests++;
            if (read instanceof IndexRead index) {
                RowPage page = page(index, now);
                units += Math.max(1, Math.ceil(page.rows().size() * rowBytes / READ_UNIT)) / 2;
                time.after(REQUEST_NANOS, () -> {
                    reader.received(index, page, now());
                    step();
                });
            } else if (read instanceof MissedCommitsRead missed) {
                units += 1;
                time.after(REQUEST_NANOS, () -> {
                    reader.received(missed, List.of());
                    step();
                });
            }
        }
        while (!reader.take(PAGE_ROWS).isEmpty()) {
            // A consumer that keeps up.
        }
        long at = reader.nextReadAt();
        if (next == null || at < nextAtMicros || nextAtMicros <= now) {
            if (next != null) {
                next.cancel(false);
            }
            nextAtMicros = at;
            next = at == Long.MAX_VALUE
                    ? null
                    : time.after(TimeUnit.MICROSECONDS.toNanos(Math.max(1, at - now)), this::step);
        }
    }

    private RowPage page(IndexRead read, long now) {
        List<SliceRow> all = rows(read.partition());
        int from = read.start() instanceof Place place ? place.from() : lowest(all, read.fromMicros());
        int to = lowest(all, Math.min(read.toMicros(), now - INDEX_LAG_MICROS) + 1);
        int end = Math.min(to, from + read.pageSize());
        return end - from < read.pageSize()
                ? new RowPage(List.copyOf(all.subList(from, Math.max(from, end))), null)
                : new RowPage(List.copyOf(all.subList(from, end)), new Place(end));
    }

    /** The first row at a time or later. */
    private static int lowest(List<SliceRow> all, long micros) {
        int low = 0;
        int high = all.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (all.get(middle).timestampMicros() < micros) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }
}
