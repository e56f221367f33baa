package io.dynajournal.cli.cost;

import io.dynajournal.cli.terminal.UsageException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a system does, as {@code workload.conf} describes it.
 *
 * @param compressible percent of an event's bytes that are redundant
 * @param snapshotEvery events of an entity between two snapshots; 0 for none
 * @param retention null: events are kept for ever
 * @param removesByExpiry whether events expire after their retention, where the layout has that; otherwise they are deleted
 * @param months after which the storage of what is kept for ever is counted
 * @param group events per transaction of a projection; 0 if it is not exactly once
 * @param utilization which share of provisioned capacity is used
 */
public record Workload(
        double eventsPerSecond,
        int eventSize,
        int manifestSize,
        int compressible,
        int batch,
        long entities,
        int idSize,
        int snapshotEvery,
        int snapshotSize,
        int keepSnapshots,
        double startsPerDay,
        @Nullable Duration retention,
        boolean removesByExpiry,
        int months,
        int projections,
        int group,
        boolean packedOffsets,
        int instances,
        boolean push,
        Duration refreshInterval,
        Duration idleRefreshInterval,
        double utilization) {

    /** More than any table takes; a larger number is a mistake. */
    private static final int MAX_EVENTS_PER_SECOND = 10_000_000;

    private static final int MAX_BYTES = 64 * 1024 * 1024;
    private static final Duration TEN_YEARS = Duration.ofDays(3660);
    private static final String RESOURCE = "workload.conf";

    /** The defaults with comments. */
    public static String defaultsText() {
        return CostSettings.resource(RESOURCE);
    }

    /**
     * A workload.
     *
     * @param measured values by key that override the defaults
     * @param file null if there is none
     * @param options values by key, which override those of the file
     * @throws UsageException if a key or a value is wrong
     */
    public static Workload of(Map<String, String> measured, @Nullable Path file, Map<String, String> options) {
        CostSettings defaults = CostSettings.defaults(RESOURCE).with(measured);
        return of((file == null ? defaults : defaults.with(file)).with(options));
    }

    private static Workload of(CostSettings settings) {
        String guarantee = settings.choice("guarantee", "at-least-once", "exactly-once", "grouped");
        int group = (int) settings.count("group", 1, 100);
        Duration refresh = interval(settings, "refresh-interval");
        Duration idle = interval(settings, "idle-refresh-interval");
        if (idle.compareTo(refresh) < 0) {
            throw new UsageException("idle-refresh-interval must not be shorter than refresh-interval");
        }
        Workload workload = new Workload(
                settings.number("events-per-second", 0.000001, MAX_EVENTS_PER_SECOND),
                settings.bytes("event-size", 1, MAX_BYTES),
                settings.bytes("manifest-size", 0, 1000),
                (int) settings.count("compressible", 0, 100),
                (int) settings.count("batch", 1, 10_000),
                settings.count("entities", 1, 1_000_000_000_000L),
                settings.bytes("id-size", 12, 1000),
                (int) settings.count("snapshot-every", 0, 1_000_000_000),
                settings.bytes("snapshot-size", 1, MAX_BYTES),
                (int) settings.count("keep-snapshots", 1, 1000),
                settings.number("starts-per-day", 0, 86_400),
                settings.duration("retention", Duration.ofHours(1), TEN_YEARS),
                settings.choice("removal", "expiry", "delete").equals("expiry"),
                (int) settings.count("months", 1, 120),
                (int) settings.count("projections", 0, 1000),
                guarantee.equals("at-least-once") ? 0 : guarantee.equals("grouped") ? group : 1,
                settings.choice("offsets", "timestamp-offset", "packed").equals("packed"),
                (int) settings.count("instances", 1, 1024),
                settings.flag("push"),
                refresh,
                idle,
                settings.number("utilization", 1, 100) / 100);
        if ((long) workload.batch * workload.eventSize > MAX_BYTES) {
            throw new UsageException("batch times event-size must be at most " + MAX_BYTES + " bytes, not "
                    + (long) workload.batch * workload.eventSize);
        }
        return workload;
    }

    private static Duration interval(CostSettings settings, String key) {
        Duration interval = settings.duration(key, Duration.ofMillis(100), Duration.ofDays(1));
        if (interval == null) {
            throw new UsageException(key + " must be a duration, not off");
        }
        return interval;
    }

    /** Atomic writes per second. */
    double writesPerSecond() {
        return eventsPerSecond / batch;
    }

    /** How long an event is stored. */
    Duration kept() {
        return retention == null ? foreverAfterMonths() : Objects.requireNonNull(retention);
    }

    Duration foreverAfterMonths() {
        return Duration.ofSeconds(Math.round(months * 365.25 / 12 * 86_400));
    }

    double startsPerSecond() {
        return entities * startsPerDay / 86_400;
    }

    double snapshotsPerSecond() {
        return snapshotEvery == 0 ? 0 : eventsPerSecond / snapshotEvery;
    }

    /** Events of an entity that are stored. */
    double eventsPerEntity() {
        return eventsPerSecond * kept().toSeconds() / entities;
    }
}
