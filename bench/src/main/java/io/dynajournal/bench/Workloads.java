package io.dynajournal.bench;

import io.dynajournal.bench.RecoveryWorkload.Events;
import io.dynajournal.bench.RecoveryWorkload.Snapshot;
import java.util.List;
import java.util.stream.Stream;

/** The workloads and their sizes. */
final class Workloads {

    /** The size of an event unless the workload states another. */
    static final int EVENT_BYTES = 200;

    static final String STUB = "persist-one-stub";
    static final int STUB_ENTITIES = 256;

    static final int ENTITIES = 50;
    private static final int BURST_ENTITIES = 20;
    /** Reading a log is cheap in comparison with writing it. */
    private static final int LONG_LOG_WARM_UPS = 3;

    private static final int KB = 1024;

    /** Turns per round where the plugins are nearly equal, so that more samples are needed. */
    private static final int CLOSE_TURNS = 2;

    private Workloads() {}

    /** The names of all workloads, on every server. */
    static List<String> names() {
        return Stream.of(
                        Stream.of(STUB),
                        CloudWorkload.all().stream().map(CloudWorkload::name),
                        Stream.of(StormWorkload.NAME),
                        on(Scale.QUICK).stream().map(Workload::name))
                .flatMap(names -> names)
                .toList();
    }

    /** The workloads that run on DynamoDB. */
    static List<Workload> on(Scale scale) {
        int sizedWrites = Math.max(2, scale.sized() / 2);
        Events longByTen = new Events("persistAll", scale.longLog() / 10, 10);
        return List.of(
                new RecoveryWorkload("recover-new", 5 * scale.recovered(), List.of(), 0),
                new RecoveryWorkload("recover-50", scale.recovered(), List.of(new Events("persist", 50, 1)), 1),
                new RecoveryWorkload(
                        "recover-snapshot",
                        scale.recovered(),
                        List.of(new Events("persistAll", 4, 10), new Snapshot(KB), new Events("persist", 10, 1)),
                        1),
                new RecoveryWorkload(
                        "recover-10000",
                        scale.longLogs(),
                        List.of(new Events("persist", scale.longLog(), 1)),
                        LONG_LOG_WARM_UPS),
                new RecoveryWorkload("recover-10000-by-10", scale.longLogs(), List.of(longByTen), LONG_LOG_WARM_UPS),
                new RecoveryWorkload(
                        "recover-10000-snapshot",
                        scale.longLogs(),
                        List.of(longByTen, new Snapshot(100 * KB), new Events("persist", 10, 1)),
                        1),
                // After the recoveries, which have warmed up the server: here the plugins are nearly equal.
                new WriteWorkload(
                        "persist-one",
                        ENTITIES,
                        "persist",
                        scale.writes(),
                        1,
                        EVENT_BYTES,
                        scale.warmUps(),
                        CLOSE_TURNS),
                new WriteWorkload(
                        "persist-all-10",
                        ENTITIES,
                        "persistAll",
                        scale.batches(),
                        10,
                        EVENT_BYTES,
                        scale.warmUps(),
                        CLOSE_TURNS),
                new RecoveryWorkload("wake-10000", scale.woken(), List.of(new Events("persistAll", 1, 5)), 0),
                new ProjectionWorkload("project-at-least-once", "at-least-once", scale.projected()),
                new ProjectionWorkload("project-exactly-once", "exactly-once", scale.projected()),
                new ProjectionWorkload("project-grouped", "grouped", scale.projected()),
                new WriteWorkload("event-100b", scale.sized(), "persist", 5 * sizedWrites, 1, 100, 1, 1),
                new WriteWorkload("event-1k", scale.sized(), "persist", 5 * sizedWrites, 1, KB, 1, 1),
                new WriteWorkload("event-10k", scale.sized(), "persist", 5 * sizedWrites, 1, 10 * KB, 1, 1),
                new WriteWorkload("event-300k", scale.sized(), "persist", sizedWrites, 1, 300 * KB, 1, 1),
                new SnapshotWorkload("snapshot-1k", scale.sized(), KB),
                new SnapshotWorkload("snapshot-100k", scale.sized(), 100 * KB),
                new SnapshotWorkload("snapshot-1m", scale.sized(), KB * KB),
                // Last, and no more than 512 writes together: a full queue stops j5ik2o's journal for good.
                new WriteWorkload(
                        "persist-async", BURST_ENTITIES, "persistAsync", scale.bursts(), 20, EVENT_BYTES, 1, 1));
    }
}
