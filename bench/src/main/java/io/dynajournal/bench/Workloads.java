package io.dynajournal.bench;

import io.dynajournal.bench.Recovering.Events;
import io.dynajournal.bench.Recovering.Snapshot;
import java.util.List;

/** What is measured. */
final class Workloads {

    /** The size of an event where none is told. */
    static final int EVENT_BYTES = 200;

    static final String STUB = "persist-one-stub";
    static final int STUB_ENTITIES = 256;

    static final int ENTITIES = 50;
    private static final int BURSTING = 20;
    /** To read a log is cheap beside writing it. */
    private static final int LONG_WARM_UPS = 3;

    private static final int KB = 1024;

    /** In a round, of what is nearly the same for all and so is measured most closely. */
    private static final int TURNS = 2;

    private Workloads() {}

    /** All that run on DynamoDB. */
    static List<Workload> on(Scale scale) {
        int sizedWrites = Math.max(2, scale.sized() / 2);
        Events longByTen = new Events("persistAll", scale.longLog() / 10, 10);
        return List.of(
                new Recovering("recover-new", 5 * scale.recovered(), List.of(), 0),
                new Recovering("recover-50", scale.recovered(), List.of(new Events("persist", 50, 1)), 1),
                new Recovering(
                        "recover-snapshot",
                        scale.recovered(),
                        List.of(new Events("persistAll", 4, 10), new Snapshot(KB), new Events("persist", 10, 1)),
                        1),
                new Recovering(
                        "recover-10000",
                        scale.longLogs(),
                        List.of(new Events("persist", scale.longLog(), 1)),
                        LONG_WARM_UPS),
                new Recovering("recover-10000-by-10", scale.longLogs(), List.of(longByTen), LONG_WARM_UPS),
                new Recovering(
                        "recover-10000-snapshot",
                        scale.longLogs(),
                        List.of(longByTen, new Snapshot(100 * KB), new Events("persist", 10, 1)),
                        1),
                // Behind the recoveries, which have warmed up the server: here the speeds are nearly the same.
                new Writing("persist-one", ENTITIES, "persist", scale.writes(), 1, EVENT_BYTES, scale.warmUps(), TURNS),
                new Writing(
                        "persist-all-10",
                        ENTITIES,
                        "persistAll",
                        scale.groups(),
                        10,
                        EVENT_BYTES,
                        scale.warmUps(),
                        TURNS),
                new Recovering("wake-10000", scale.woken(), List.of(new Events("persistAll", 1, 5)), 0),
                new Writing("event-100b", scale.sized(), "persist", 5 * sizedWrites, 1, 100, 1, 1),
                new Writing("event-1k", scale.sized(), "persist", 5 * sizedWrites, 1, KB, 1, 1),
                new Writing("event-10k", scale.sized(), "persist", 5 * sizedWrites, 1, 10 * KB, 1, 1),
                new Writing("event-300k", scale.sized(), "persist", sizedWrites, 1, 300 * KB, 1, 1),
                new Saving("snapshot-1k", scale.sized(), KB),
                new Saving("snapshot-100k", scale.sized(), 100 * KB),
                new Saving("snapshot-1m", scale.sized(), KB * KB),
                // Last: together no more than 512 writes, or a predecessor's queue is full and it writes nothing more.
                new Writing("persist-async", BURSTING, "persistAsync", scale.bursts(), 20, EVENT_BYTES, 1, 1));
    }
}
