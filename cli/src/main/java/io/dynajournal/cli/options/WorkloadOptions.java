package io.dynajournal.cli.options;

import io.dynajournal.cli.cost.Workload;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** A workload: a file, and options that override it. Both have the same keys, and are checked in one place. */
public final class WorkloadOptions {

    @Option(
            names = "--workload",
            paramLabel = "<file>",
            description = "The workload in HOCON or JSON; --print-workload prints one with the defaults.")
    private @Nullable Path file;

    @Option(names = "--events-per-second", paramLabel = "<n>", description = "Events per second of all entities.")
    private @Nullable String eventsPerSecond;

    @Option(names = "--event-size", paramLabel = "<bytes>", description = "Bytes of a serialized event.")
    private @Nullable String eventSize;

    @Option(names = "--manifest-size", paramLabel = "<bytes>", description = "Bytes of its manifest.")
    private @Nullable String manifestSize;

    @Option(
            names = "--compressible",
            paramLabel = "<percent>",
            description = "How much of an event's bytes is redundant.")
    private @Nullable String compressible;

    @Option(names = "--batch", paramLabel = "<n>", description = "Events per persist.")
    private @Nullable String batch;

    @Option(names = "--entities", paramLabel = "<n>", description = "Number of persistence ids.")
    private @Nullable String entities;

    @Option(names = "--id-size", paramLabel = "<bytes>", description = "Bytes of a persistence id.")
    private @Nullable String idSize;

    @Option(
            names = "--snapshot-every",
            paramLabel = "<n>",
            description = "Events of an entity between two snapshots; 0: none.")
    private @Nullable String snapshotEvery;

    @Option(names = "--snapshot-size", paramLabel = "<bytes>", description = "Bytes of a snapshot.")
    private @Nullable String snapshotSize;

    @Option(names = "--keep-snapshots", paramLabel = "<n>", description = "How many snapshots of an entity are kept.")
    private @Nullable String keepSnapshots;

    @Option(names = "--starts-per-day", paramLabel = "<n>", description = "How often each entity recovers per day.")
    private @Nullable String startsPerDay;

    @Option(
            names = "--retention",
            paramLabel = "<duration>",
            description = "How long events are kept, such as 30d; off: for ever.")
    private @Nullable String retention;

    @Option(names = "--removal", paramLabel = "<how>", description = "How events go: expiry or delete.")
    private @Nullable String removal;

    @Option(
            names = "--months",
            paramLabel = "<n>",
            description = "Without retention, storage after this number of months.")
    private @Nullable String months;

    @Option(names = "--projections", paramLabel = "<n>", description = "Number of projections of all events.")
    private @Nullable String projections;

    @Option(
            names = "--guarantee",
            paramLabel = "<name>",
            description = "Of projections: at-least-once, exactly-once or grouped.")
    private @Nullable String guarantee;

    @Option(names = "--group", paramLabel = "<n>", description = "Events per group of a grouped projection.")
    private @Nullable String group;

    @Option(names = "--offsets", paramLabel = "<name>", description = "Layout of offsets: timestamp-offset or packed.")
    private @Nullable String offsets;

    @Option(names = "--instances", paramLabel = "<n>", description = "Instances of each projection.")
    private @Nullable String instances;

    @Option(names = "--push", paramLabel = "<on|off>", description = "Whether writes wake live queries.")
    private @Nullable String push;

    @Option(names = "--refresh-interval", paramLabel = "<duration>", description = "How often live queries poll.")
    private @Nullable String refreshInterval;

    @Option(
            names = "--idle-refresh-interval",
            paramLabel = "<duration>",
            description = "How often they poll when it is quiet.")
    private @Nullable String idleRefreshInterval;

    @Option(
            names = "--utilization",
            paramLabel = "<percent>",
            description = "Share of provisioned capacity that is used.")
    private @Nullable String utilization;

    /** The values by key that the command line gives. */
    private Map<String, String> given() {
        Map<String, @Nullable String> all = new HashMap<>();
        all.put("events-per-second", eventsPerSecond);
        all.put("event-size", eventSize);
        all.put("manifest-size", manifestSize);
        all.put("compressible", compressible);
        all.put("batch", batch);
        all.put("entities", entities);
        all.put("id-size", idSize);
        all.put("snapshot-every", snapshotEvery);
        all.put("snapshot-size", snapshotSize);
        all.put("keep-snapshots", keepSnapshots);
        all.put("starts-per-day", startsPerDay);
        all.put("retention", retention);
        all.put("removal", removal);
        all.put("months", months);
        all.put("projections", projections);
        all.put("guarantee", guarantee);
        all.put("group", group);
        all.put("offsets", offsets);
        all.put("instances", instances);
        all.put("push", push);
        all.put("refresh-interval", refreshInterval);
        all.put("idle-refresh-interval", idleRefreshInterval);
        all.put("utilization", utilization);
        Map<String, String> given = new HashMap<>();
        all.forEach((key, value) -> {
            if (value != null) {
                given.put(key, value);
            }
        });
        return given;
    }

    /**
     * The workload.
     *
     * @param measured values by key that a running system has, which a file or an option overrides
     */
    public Workload workload(Map<String, String> measured) {
        return Workload.of(measured, file, given());
    }
}
