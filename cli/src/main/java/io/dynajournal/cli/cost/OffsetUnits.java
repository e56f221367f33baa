package io.dynajournal.cli.cost;

import io.dynajournal.internal.model.SliceRange;
import io.dynajournal.internal.model.Slices;
import io.dynajournal.internal.projections.BatchLog;
import io.dynajournal.internal.projections.OffsetTable;
import io.dynajournal.internal.projections.Position;
import io.dynajournal.internal.projections.ProjectionOffsets;
import io.dynajournal.internal.projections.SeqNrRow;
import io.dynajournal.internal.projections.SequenceReset;
import io.dynajournal.internal.projections.SliceRow;
import io.dynajournal.internal.projections.StoredOffsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** Counts what the offsets of one projection take, by the requests of the projections' own tables. */
final class OffsetUnits {

    /** The toolkits save the offset of a projection after this many events, or after this time if there are fewer. */
    private static final int SAVE_AFTER_EVENTS = 100;

    private static final double SAVE_AFTER_SECONDS = 0.5;

    /** The setting flush-interval. */
    private static final double FLUSH_SECONDS = 30;

    /** The setting tracked-entities. */
    private static final double TRACKED = 100_000;

    /** The setting packed-window. */
    private static final double WINDOW_SECONDS = 300;

    private static final String TABLE = "offsets";
    private static final String OWNER = "0e9a6a1f-7a0e-4d33-8d53-3d1b0c9e55aa";

    /**
     * What a projection stores.
     *
     * @param perSecond units per second
     * @param bytes that are stored
     */
    record Offsets(Units perSecond, double bytes) {}

    private final Workload workload;
    private final CountingDynamo store;
    private final OffsetTable table;
    private final SliceRange range;

    private OffsetUnits(Workload workload, CountingDynamo store) {
        this.workload = workload;
        this.store = store;
        this.table = new OffsetTable(store.dynamo(), TABLE, "projection", null);
        this.range = new SliceRange(0, Math.max(1, Slices.COUNT / workload.instances()) - 1);
    }

    static Offsets of(Workload workload) {
        try (CountingDynamo store = new CountingDynamo()) {
            store.create(ProjectionOffsets.table(TABLE));
            OffsetUnits units = new OffsetUnits(workload, store);
            return workload.packedOffsets() ? units.packed() : units.rows();
        }
    }

    /** Events that are stored together. */
    private double together() {
        return workload.group() > 0
                ? workload.group()
                : Math.max(
                        1,
                        Math.min(
                                SAVE_AFTER_EVENTS,
                                workload.eventsPerSecond() / workload.instances() * SAVE_AFTER_SECONDS));
    }

    /** The number of entities that these events belong to: those of a batch have one. */
    private int entities(double events) {
        return (int) Math.max(1, Math.min(workload.entities(), Math.round(events / workload.batch())));
    }

    private double savesPerSecond() {
        return workload.eventsPerSecond() / together();
    }

    private Map<String, SeqNrRow> entityRows(int count, long seqNr) {
        store.pause();
        Map<String, SeqNrRow> rows = new HashMap<>();
        for (int i = 0; i < count; i++) {
            rows.put(id(i), new SeqNrRow(seqNr, store.dynamo().nowMicros() + i, 0));
        }
        return rows;
    }

    /** Ids that have nothing in common but their entity type: a packed row is compressed. */
    private String id(int number) {
        SplittableRandom random = new SplittableRandom(number);
        StringBuilder id = new StringBuilder("Sample|");
        while (id.length() < workload.idSize()) {
            id.append(Long.toHexString(random.nextLong()));
        }
        id.setLength(workload.idSize());
        return id.toString();
    }

    private Offsets rows() {
        int entities = entities(together());
        Map<String, SeqNrRow> known = entityRows(entities, 100);
        store.await(table.putSeqNrs(known));
        double rowBytes = (double) store.stored(TABLE).table() / entities;
        store.take();
        Map<String, SeqNrRow> now = entityRows(entities, 101);
        if (workload.group() == 0) {
            store.await(table.putSeqNrs(now));
        } else {
            store.await(table.commit(
                    List.of(),
                    now.entrySet().stream()
                            .map(row -> new OffsetTable.Write(
                                    new Position(
                                            row.getKey(),
                                            row.getValue().seqNr(),
                                            row.getValue().micros()),
                                    row.getValue(),
                                    known.get(row.getKey())))
                            .toList()));
        }
        Units saves = store.take().times(savesPerSecond());
        double share = Math.max(0, 1 - TRACKED * workload.instances() / workload.entities());
        Units unknown = new Units(0, 0, share * entities * savesPerSecond());
        Units all = saves.plus(flush(touchedSlices(), null)).plus(unknown);
        return new Offsets(all, rowBytes * (workload.entities() + Slices.COUNT));
    }

    /** How many slices of an instance have events between two flushes. */
    private int touchedSlices() {
        double slices = (double) Slices.COUNT / workload.instances();
        double entities = Math.min(
                (double) workload.entities() / workload.instances(),
                workload.writesPerSecond() / workload.instances() * FLUSH_SECONDS);
        return (int) Math.max(1, Math.round(slices * (1 - Math.pow(1 - 1 / Math.max(1.0001, slices), entities))));
    }

    /** The owner's row, and the rows of further slices. */
    private Units flush(int slices, @Nullable String expected) {
        store.pause();
        store.await(table.own(range, row(), expected, OWNER));
        Map<Integer, SliceRow> rows = new HashMap<>();
        for (int slice = 1; slice < slices; slice++) {
            rows.put(slice, row());
        }
        store.take();
        store.await(table.putOwned(range, row(), OWNER));
        store.await(table.putSlices(rows));
        // Without events nothing is stored.
        double perSecond = Math.min(1 / FLUSH_SECONDS, workload.writesPerSecond() / workload.instances());
        return store.take().times(perSecond * workload.instances());
    }

    private SliceRow row() {
        return SliceRow.NONE.with(new Position(
                "Sample|" + "1".repeat(workload.idSize()), 100, store.dynamo().nowMicros()));
    }

    private Offsets packed() {
        store.await(table.own(range, row(), null, OWNER));
        store.await(table.ownLogs(List.of(range), OWNER));
        StoredOffsets stored = store.await(table.read(range));
        BatchLog log = store.await(BatchLog.read(table, stored, OWNER, SequenceReset.NEVER));
        int entities = entities(together());
        store.await(log.append(entityRows(entities, 100)));
        long before = store.stored(TABLE).table();
        store.take();
        Map<String, SeqNrRow> rows = entityRows(entities, 101);
        store.await(workload.group() == 0 ? log.append(rows) : log.commit(List.of(), rows));
        Units saves = store.take();
        double batchBytes = store.stored(TABLE).table() - before;
        long newest = rows.values().stream().mapToLong(SeqNrRow::micros).min().orElseThrow();
        // The first batch is older than this, the second is not.
        store.await(log.forget(newest));
        Units all = saves.plus(store.take()).times(savesPerSecond()).plus(flush(1, OWNER));
        return new Offsets(all, batchBytes * savesPerSecond() * WINDOW_SECONDS);
    }
}
