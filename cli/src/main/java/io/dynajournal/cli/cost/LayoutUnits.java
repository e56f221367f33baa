package io.dynajournal.cli.cost;

import io.dynajournal.cli.cost.CountingDynamo.Stored;
import io.dynajournal.internal.layout.SnapshotLayout;
import io.dynajournal.internal.model.Event;
import io.dynajournal.internal.model.EventBatch;
import io.dynajournal.internal.model.Payload;
import io.dynajournal.internal.model.SeqRange;
import io.dynajournal.internal.model.SliceRange;
import io.dynajournal.internal.model.SnapshotCriteria;
import io.dynajournal.internal.model.StoredSnapshot;
import io.dynajournal.internal.store.EventLog;
import io.dynajournal.internal.store.EventPage;
import io.dynajournal.internal.store.LogEnd;
import io.dynajournal.internal.store.LogHead;
import io.dynajournal.internal.store.PageToken;
import io.dynajournal.internal.store.SliceIndex;
import io.dynajournal.internal.store.SlicePartition;
import io.dynajournal.internal.store.SliceRow;
import io.dynajournal.internal.store.SnapshotTable;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.function.LongToDoubleFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Counts what the operations of a layout take: an entity with the events of the workload writes, recovers and deletes through the
 * layout's own code. Close it. Not thread-safe.
 */
final class LayoutUnits implements AutoCloseable {

    /** Whole cycles of a layout that does something after each 100 events, whatever the size of a batch. */
    private static final int BATCHES = 100;

    private static final long SAMPLE_BYTES = 24L * 1024 * 1024;
    private static final String TYPE = "Sample";
    private static final int SERIALIZER = 20;
    private static final int ROWS = 100;

    /** Where between two snapshots the recoveries of a sample begin. */
    private static final double[] POINTS = {0.1, 0.3, 0.5, 0.7, 0.9};

    /**
     * What a live query reads.
     *
     * @param partitions of the index
     * @param rowsPerBatch rows of one atomic write
     * @param rowBytes of a row
     * @param contentReads read units per row to read its events from the table
     * @param lookupReads read units of one look-up of the partitions
     */
    record IndexShape(int partitions, double rowsPerBatch, double rowBytes, double contentReads, double lookupReads) {}

    private final CountingDynamo store = new CountingDynamo();
    private final SplittableRandom random = new SplittableRandom(7);
    private final LayoutChoice layout;
    private final Workload workload;
    private final EventLog log;
    private final String table;
    private final String id;
    private final String writer;
    private final int batches;
    private LogEnd end;
    private Units writes = Units.NONE;
    private double tableBytes;
    private double indexBytes;

    LayoutUnits(LayoutChoice layout, Workload workload) {
        this.layout = layout;
        this.workload = workload;
        this.table = layout.journal().table().name();
        this.id = id("a");
        this.writer = incarnation();
        long batchBytes = Math.max(1, (long) workload.batch() * workload.eventSize());
        this.batches = (int) Math.max(2, Math.min(BATCHES, SAMPLE_BYTES / batchBytes));
        store.create(layout.journal().table());
        this.log = layout.journal().open(store.dynamo());
        this.end = store.await(log.head(id, 1)).end();
    }

    /** An id of the workload's size. */
    private String id(String first) {
        String name = TYPE + "|" + first;
        return name + "0".repeat(Math.max(0, workload.idSize() - name.length()));
    }

    /** Each recovery begins a new one. */
    private String incarnation() {
        return new UUID(random.nextLong(), random.nextLong()).toString();
    }

    private byte[] bytes(int size) {
        byte[] bytes = new byte[size];
        int redundant = (int) ((long) size * workload.compressible() / 100);
        byte[] incompressible = new byte[size - redundant];
        random.nextBytes(incompressible);
        System.arraycopy(incompressible, 0, bytes, 0, incompressible.length);
        Arrays.fill(bytes, incompressible.length, size, (byte) 'x');
        return bytes;
    }

    private Event event() {
        return Event.of(new Payload(SERIALIZER, "m".repeat(workload.manifestSize()), bytes(workload.eventSize())));
    }

    private LogEnd append(EventLog to, String by, String persistenceId, LogEnd seen) {
        store.pause();
        List<Event> events =
                IntStream.range(0, workload.batch()).mapToObj(i -> event()).toList();
        return store.await(to.append(EventBatch.of(persistenceId, by, seen.seqNr() + 1, events), seen));
    }

    /** Writes the sample, after what an entity and a new entity type take only once. */
    void write() {
        end = append(log, writer, id, end);
        store.settle();
        end = append(log, writer, id, end);
        Stored before = store.stored(table);
        store.take();
        for (int i = 0; i < batches; i++) {
            end = append(log, writer, id, end);
        }
        writes = store.take().times(1.0 / batches);
        Stored added = store.stored(table).minus(before);
        tableBytes = (double) added.table() / batches;
        indexBytes = (double) added.indexes() / batches;
    }

    /** Units of an atomic write. */
    Units writes() {
        return writes;
    }

    /** Stored bytes of an atomic write in the table. */
    double tableBytes() {
        return tableBytes;
    }

    double indexBytes() {
        return indexBytes;
    }

    /** The read units of a recovery that replays all events of an entity. */
    double recoveryReads(double events) {
        return beyondSample(Math.max(1, Math.round(events)), this::recoverAll);
    }

    /** The read units of a recovery after a snapshot, on average over the number of events after it. */
    double recoveryReadsAfterSnapshot(double eventsPerSnapshot) {
        double sum = 0;
        for (double point : POINTS) {
            sum += beyondSample(Math.round(point * eventsPerSnapshot), this::recoverLast);
        }
        return sum / POINTS.length;
    }

    /** Beyond the sample a recovery takes as much more for each event as in its second half. */
    private double beyondSample(long events, LongToDoubleFunction reads) {
        long sample = (long) batches * workload.batch();
        if (events <= sample) {
            return reads.applyAsDouble(events);
        }
        double whole = reads.applyAsDouble(sample);
        double half = reads.applyAsDouble(sample / 2);
        return whole + (events - sample) * (whole - half) / (sample - sample / 2);
    }

    private double recoverAll(long events) {
        String entity = id("d" + events);
        LogEnd seen = store.await(log.head(entity, 1)).end();
        while (seen.seqNr() < events) {
            seen = append(log, writer, entity, seen);
        }
        return recovery(entity, 1).reads();
    }

    private double recoverLast(long events) {
        Recovery recovery = recovery(id, Math.max(1, end.seqNr() - events + 1));
        end = recovery.end;
        return recovery.reads;
    }

    private record Recovery(double reads, LogEnd end) {}

    /** By a process that has written before, with the first write after the recovery, which some layouts read for. */
    private Recovery recovery(String entity, long from) {
        EventLog process = layout.journal().open(store.dynamo());
        String other = id("b");
        append(
                process,
                incarnation(),
                other,
                store.await(process.head(other, 1)).end());
        store.take();
        LogHead head = store.await(process.head(entity, from));
        long to = head.end().seqNr();
        @Nullable PageToken next = head.firstPage();
        while (from <= to && next != null) {
            EventPage page = store.await(process.read(entity, SeqRange.wholeWrites(from, to, Long.MAX_VALUE), next));
            next = page.next();
        }
        LogEnd written = append(process, incarnation(), entity, head.end());
        return new Recovery(Math.max(0, store.take().reads() - writes.reads()), written);
    }

    /** The index that projections read; empty if the layout has none. */
    Optional<IndexShape> index() {
        Optional<SliceIndex> found = layout.journal().slices(store.dynamo());
        return found.map(this::shape);
    }

    private IndexShape shape(SliceIndex index) {
        store.take();
        List<SlicePartition> partitions = store.await(index.partitions(TYPE, SliceRange.ALL));
        double lookup = store.take().reads();
        SlicePartition own = partitions.stream()
                .filter(partition -> partition.mayHold(id))
                .findFirst()
                .orElseThrow();
        List<SliceRow> rows = store.await(index.read(own, 0, Long.MAX_VALUE / 1000, null, ROWS))
                .rows();
        store.take();
        int read = store.await(index.events(rows)).size();
        double content = store.take().reads() / Math.max(1, read);
        SliceRow last = rows.get(rows.size() - 1);
        double rowEvents = last.endSeqNr() - last.seqNr() + 1;
        double rowsPerBatch = workload.batch() / rowEvents;
        return new IndexShape(
                partitions.size(),
                rowsPerBatch,
                Math.max(1, indexBytes / rowsPerBatch - CountingDynamo.STORED_OVERHEAD),
                content,
                lookup);
    }

    /** What a delete of one event takes, and what it leaves stored. */
    record Deletion(Units units, double leftTableBytes, double leftIndexBytes) {}

    /** Deletes about half of the sample. */
    Deletion delete() {
        long to = end.seqNr() / 2 / workload.batch() * workload.batch();
        Stored before = store.stored(table);
        store.take();
        store.await(log.deleteTo(id, to));
        Units units = store.take().times(1.0 / to);
        Stored removed = before.minus(store.stored(table));
        return new Deletion(
                units,
                Math.max(0, tableBytes / workload.batch() - (double) removed.table() / to),
                Math.max(0, indexBytes / workload.batch() - (double) removed.indexes() / to));
    }

    /**
     * What snapshots take.
     *
     * @param save of one, with the delete of the oldest
     * @param loadReads of one
     * @param missReads of one that is not there
     * @param bytes of one, as stored
     */
    record Snapshots(Units save, double loadReads, double missReads, double bytes, double indexBytes, int kept) {}

    Optional<Snapshots> snapshots() {
        return layout.snapshots().map(this::snapshots);
    }

    private Snapshots snapshots(SnapshotLayout snapshots) {
        store.create(snapshots.table());
        String name = snapshots.table().name();
        SnapshotTable saved = snapshots.open(store.dynamo());
        boolean newestOnly = snapshots.keepsNewestOnly();
        save(saved, 1);
        Stored one = store.stored(name);
        save(saved, 2);
        store.take();
        save(saved, 3);
        Units save = store.take();
        double load = reads(saved, id);
        if (!newestOnly) {
            store.await(saved.delete(id, new SnapshotCriteria(0, seqNr(1), 0, Long.MAX_VALUE)));
            save = save.plus(store.take());
        }
        return new Snapshots(
                save,
                load,
                reads(saved, id("c")),
                one.table(),
                one.indexes(),
                newestOnly ? 1 : workload.keepSnapshots());
    }

    private double reads(SnapshotTable saved, String persistenceId) {
        store.take();
        store.await(saved.load(persistenceId, SnapshotCriteria.ALL));
        return store.take().reads();
    }

    private long seqNr(int snapshot) {
        return (long) Math.max(1, workload.snapshotEvery()) * (snapshot + 10);
    }

    private void save(SnapshotTable saved, int number) {
        store.pause();
        store.await(saved.save(new StoredSnapshot(
                id,
                seqNr(number),
                store.dynamo().nowMicros() / 1000,
                new Payload(SERIALIZER, "m".repeat(workload.manifestSize()), bytes(workload.snapshotSize())),
                null)));
    }

    @Override
    public void close() {
        store.close();
    }
}
