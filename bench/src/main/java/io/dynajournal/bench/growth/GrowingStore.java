package io.dynajournal.bench.growth;

import io.dynajournal.internal.dynamo.AwsClient;
import io.dynajournal.internal.dynamo.Dynamo;
import io.dynajournal.internal.dynamo.TableAdmin;
import io.dynajournal.internal.dynamo.TableSpec;
import io.dynajournal.internal.layout.commits.CommitsJournal;
import io.dynajournal.internal.layout.commits.CommitsSnapshots;
import io.dynajournal.internal.model.Event;
import io.dynajournal.internal.model.EventBatch;
import io.dynajournal.internal.model.Payload;
import io.dynajournal.internal.model.SliceRange;
import io.dynajournal.internal.model.SnapshotCriteria;
import io.dynajournal.internal.model.StoredEvent;
import io.dynajournal.internal.model.StoredSnapshot;
import io.dynajournal.internal.projections.OffsetTable;
import io.dynajournal.internal.projections.Position;
import io.dynajournal.internal.projections.ProjectionOffsets;
import io.dynajournal.internal.projections.SeqNrRow;
import io.dynajournal.internal.projections.StoredOffsets;
import io.dynajournal.internal.store.EventLog;
import io.dynajournal.internal.store.LogEnd;
import io.dynajournal.internal.store.LogHead;
import io.dynajournal.internal.store.PageToken;
import io.dynajournal.internal.store.PersistenceIds;
import io.dynajournal.internal.store.SliceIndex;
import io.dynajournal.internal.store.SlicePartition;
import io.dynajournal.internal.store.SliceRow;
import io.dynajournal.internal.store.SliceRows;
import io.dynajournal.internal.store.SnapshotTable;
import io.dynajournal.listener.RequestListener;
import io.dynajournal.testkit.Await;
import io.dynajournal.testkit.Cost;
import io.dynajournal.testkit.LocalDynamo;
import io.dynajournal.testkit.LogReading;
import io.dynajournal.testkit.TestEvents;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;

/** Measures operations of the native layout in tables with both indexes, which are deleted at the end. */
final class GrowingStore implements AutoCloseable {

    private static final int EVENT_BYTES = 100;
    private static final int REPETITIONS = 5;
    private static final int ROWS = 200;

    private final TableAdmin admin;
    private final CommitsJournal journal = CommitsJournal.of("growth_" + UUID.randomUUID());
    private final CommitsSnapshots snapshotLayout = CommitsSnapshots.of("growth_" + UUID.randomUUID());
    private final ReportedCost consistent = ReportedCost.consistent();
    private final ReportedCost eventual = ReportedCost.eventual();
    private final EventLog filling;
    private final EventLog log;
    private final SnapshotTable snapshots;
    private final SliceIndex slices;
    private final PersistenceIds ids;
    private final TableSpec offsetTable = ProjectionOffsets.table("growth_" + UUID.randomUUID());
    private final OffsetTable filledOffsets;
    private final OffsetTable offsets;

    GrowingStore(DynamoDbAsyncClient client) {
        this.admin = new TableAdmin(client);
        Await.result(admin.create(journal.table()));
        Await.result(admin.create(snapshotLayout.table()));
        Await.result(admin.create(offsetTable));
        Dynamo counted = dynamo(client, consistent);
        Dynamo indexed = dynamo(client, eventual);
        this.filling = journal.open(dynamo(client, RequestListener.NONE));
        this.log = journal.open(counted);
        this.snapshots = snapshotLayout.open(counted);
        this.slices = journal.slices(indexed).orElseThrow();
        this.ids = journal.ids(indexed);
        this.filledOffsets = new OffsetTable(dynamo(client, RequestListener.NONE), offsetTable.name(), "growth", null);
        this.offsets = new OffsetTable(counted, offsetTable.name(), "growth", null);
    }

    private static Dynamo dynamo(DynamoDbAsyncClient client, RequestListener listener) {
        return new Dynamo(AwsClient.of(client), LocalDynamo.PATIENT, listener, Clock.systemUTC());
    }

    long nowMicros() {
        return slices.nowMicros();
    }

    /** Appends one atomic write. */
    CompletionStage<LogEnd> append(String id, String writer, LogEnd seen, int events) {
        List<Event> write = new ArrayList<>(events);
        for (int i = 0; i < events; i++) {
            write.add(Event.of(new Payload(1, "", TestEvents.randomBytes(EVENT_BYTES))));
        }
        return filling.append(EventBatch.of(id, writer, seen.seqNr() + 1, write), seen);
    }

    void saveSnapshot(String id, long seqNr) {
        Await.result(snapshots.save(
                new StoredSnapshot(id, seqNr, 1, new Payload(1, "", TestEvents.randomBytes(EVENT_BYTES)), null)));
    }

    /** A recovery: the latest snapshot, the end of the log, and the events after the snapshot. */
    Point recovery(String id, int expected) {
        return measured(true, () -> {
            long from = Await.result(snapshots.load(id, SnapshotCriteria.ALL))
                            .map(StoredSnapshot::seqNr)
                            .orElse(0L)
                    + 1;
            LogHead head = Await.result(log.head(id, from));
            check(
                    expected,
                    LogReading.read(log, id, LogReading.everythingFrom(from), head.firstPage())
                            .size());
        });
    }

    /** A recovery without a snapshot: the end of the log and all its events. */
    Point replay(String id, long expected) {
        return measured(false, () -> {
            LogHead head = Await.result(log.head(id, 1));
            check(
                    expected,
                    LogReading.pages(log, id, LogReading.everythingFrom(1), head.firstPage()).stream()
                            .mapToLong(page -> page.events().size())
                            .sum());
        });
    }

    /** The highest sequence number without events, as for a recovery that replays nothing. */
    Point highest(String id, long expected) {
        return measured(true, () -> check(expected, Await.result(log.end(id)).seqNr()));
    }

    /** The highest sequence number as a recovery without a snapshot reads it, together with the first events. */
    Point firstEvents(String id, long expected) {
        return measured(
                true, () -> check(expected, Await.result(log.head(id, 1)).end().seqNr()));
    }

    Point delete(String id, long to) {
        return measured(false, () -> Await.result(log.deleteTo(id, to)));
    }

    Point listing(long expected) {
        return measured(false, () -> {
            long count = 0;
            PersistenceIds.IdPage page = Await.result(ids.read(null));
            count += page.ids().size();
            for (PageToken next = page.next(); next != null; next = page.next()) {
                page = Await.result(ids.read(next));
                count += page.ids().size();
            }
            check(expected, count);
        });
    }

    /** Stores that a projection has handled the first event of some ids. */
    void project(List<String> persistenceIds) {
        Map<String, SeqNrRow> rows = new HashMap<>();
        Map<Integer, io.dynajournal.internal.projections.SliceRow> slicesOfIds = new HashMap<>();
        for (String id : persistenceIds) {
            Position first = new Position(id, 1, nowMicros());
            rows.put(id, new SeqNrRow(1, first.micros(), 0));
            slicesOfIds.put(first.slice(), io.dynajournal.internal.projections.SliceRow.NONE.with(first));
        }
        Await.result(filledOffsets.putSeqNrs(rows));
        Await.result(filledOffsets.putSlices(slicesOfIds));
    }

    /** The start of a projection over all slices: its offsets are read, and it becomes their owner. */
    Point projectionStart() {
        return measured(true, () -> {
            StoredOffsets found = Await.result(offsets.read(SliceRange.ALL));
            Await.result(offsets.own(SliceRange.ALL, found.row(0), found.owner(), "growth"));
        });
    }

    /** The offsets of events of different ids, read and stored as a projection does it. */
    Point projectedEvents(List<String> persistenceIds) {
        return measured(true, () -> {
            Map<String, SeqNrRow> rows = Await.result(offsets.seqNrs(persistenceIds));
            check(persistenceIds.size(), rows.size());
            Await.result(offsets.putSeqNrs(rows));
        });
    }

    /** Reads all index partitions from a time on, and the events of the rows. */
    Point slicesFrom(long fromMicros, int expected) {
        return measured(true, () -> {
            List<SliceRow> rows = new ArrayList<>();
            for (SlicePartition partition : Await.result(slices.partitions(SliceRange.ALL))) {
                SliceRows.RowPage page = null;
                do {
                    PageToken start = page == null ? null : page.next();
                    page = Await.result(slices.read(partition, fromMicros, Long.MAX_VALUE, start, ROWS));
                    rows.addAll(page.rows());
                } while (page.next() != null);
            }
            List<List<StoredEvent>> events = Await.result(slices.events(rows));
            check(expected, events.stream().mapToInt(List::size).sum());
        });
    }

    private static void check(long expected, long found) {
        if (expected != found) {
            throw new IllegalStateException("found " + found + " instead of " + expected);
        }
    }

    /** The cost of one execution, and the median time of several if the operation is repeatable. */
    private Point measured(boolean repeatable, Runnable operation) {
        List<Double> millis = new ArrayList<>();
        Cost first = Cost.NONE;
        Cost second = first;
        for (int i = 0; i < (repeatable ? REPETITIONS : 1); i++) {
            consistent.take();
            eventual.take();
            long begin = System.nanoTime();
            operation.run();
            millis.add((System.nanoTime() - begin) / 1e6);
            first = consistent.take();
            second = eventual.take();
        }
        millis.sort(Double::compare);
        return new Point(
                first.totalRequests() + second.totalRequests(),
                first.reads() + second.reads(),
                first.writes() + second.writes(),
                millis.get(millis.size() / 2));
    }

    @Override
    public void close() {
        Await.result(admin.delete(journal.tableName()));
        Await.result(admin.delete(snapshotLayout.tableName()));
        Await.result(admin.delete(offsetTable.name()));
    }
}
