package io.dynajournal.cli.cost;

import io.dynajournal.cli.cost.LayoutUnits.Deletion;
import io.dynajournal.cli.cost.LayoutUnits.IndexShape;
import io.dynajournal.cli.cost.LayoutUnits.Snapshots;
import io.dynajournal.exception.StoreException;
import io.dynajournal.internal.layout.commits.CommitsJournal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** From the units of single operations to those of a workload. */
public final class Estimator {

    /** What one key of DynamoDB takes per second. */
    private static final double KEY_WRITES = 1000;

    /** The quota of a table on demand, unless AWS raises it. */
    private static final double TABLE_WRITES = 40_000;

    /** What a delete leaves of an event at least, if it leaves an item. */
    private static final double LEFT_BYTES = 20;

    /** How often a query looks up the partitions of its index. */
    private static final double LOOKUP_SECONDS = 30;

    private final Workload workload;
    private final LayoutChoice layout;
    private final LayoutUnits units;
    private final List<Activity> activities = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();
    private boolean whole = true;
    private double tableBytes;
    private double indexBytes;

    private Estimator(Workload workload, LayoutChoice layout, LayoutUnits units) {
        this.workload = workload;
        this.layout = layout;
        this.units = units;
    }

    /** What the workload takes on a layout, at a steady rate. */
    public static Estimate estimate(Workload workload, LayoutChoice layout) {
        @Nullable Duration retention = workload.retention();
        boolean expires = retention != null && workload.removesByExpiry();
        Optional<LayoutChoice> expiring =
                expires ? layout.expiring(Objects.requireNonNull(retention)) : Optional.empty();
        LayoutChoice used = expiring.orElse(layout);
        try (LayoutUnits units = new LayoutUnits(used, workload)) {
            return new Estimator(workload, used, units).estimate(retention != null && expiring.isEmpty());
        } catch (StoreException.ItemTooLarge e) {
            return Estimate.impossible(
                    layout.name(),
                    "an event of " + workload.eventSize() + " bytes is larger than this layout can store");
        }
    }

    private Estimate estimate(boolean deletes) {
        units.write();
        double writes = workload.writesPerSecond();
        add(units.writes().times(writes).perSecond("events"));
        double kept = workload.kept().toSeconds() * writes;
        tableBytes += kept * units.tableBytes();
        indexBytes += kept * units.indexBytes();
        double snapshotReads = snapshots();
        recoveries(snapshotReads);
        projections();
        if (deletes) {
            deletes();
        }
        limits();
        return new Estimate(layout.name(), activities, tableBytes, indexBytes, whole, notes, null);
    }

    private void add(Activity activity) {
        activities.add(activity);
    }

    /** The read units with which a recovery asks for a snapshot. */
    private double snapshots() {
        Optional<Snapshots> found = units.snapshots();
        if (found.isEmpty()) {
            if (workload.snapshotEvery() > 0) {
                notes.add("it has no snapshots: each recovery replays all events");
            }
            return 0;
        }
        Snapshots snapshots = found.get();
        if (workload.snapshotEvery() == 0) {
            return snapshots.missReads();
        }
        add(snapshots.save().times(workload.snapshotsPerSecond()).perSecond("snapshots"));
        // An entity with fewer events has no snapshot yet.
        double made = workload.eventsPerEntity() / workload.snapshotEvery();
        double stored = workload.entities() * Math.min(snapshots.kept(), made);
        tableBytes += stored * snapshots.bytes();
        indexBytes += stored * snapshots.indexBytes();
        return made >= 1 ? snapshots.loadReads() : snapshots.missReads();
    }

    private void recoveries(double snapshotReads) {
        if (workload.startsPerDay() == 0) {
            return;
        }
        boolean afterSnapshot = workload.snapshotEvery() > 0
                && layout.snapshots().isPresent()
                && workload.eventsPerEntity() >= workload.snapshotEvery();
        double replay = afterSnapshot
                ? units.recoveryReadsAfterSnapshot(workload.snapshotEvery())
                : units.recoveryReads(workload.eventsPerEntity());
        double reads = snapshotReads + replay;
        add(new Activity("recoveries", 0, 0, reads * workload.startsPerSecond()));
    }

    private void projections() {
        if (workload.projections() == 0) {
            return;
        }
        Optional<IndexShape> found = units.index();
        if (found.isEmpty()) {
            whole = false;
            notes.add("it has no index by slice: projections by slice are not possible and not counted");
            return;
        }
        IndexShape index = found.get();
        double rows = workload.writesPerSecond() * index.rowsPerBatch();
        // Instances that share a partition read it each.
        double readers = Math.max(1, (double) workload.instances() / index.partitions());
        PolledIndex.Reads polled = PolledIndex.of(workload, index.partitions(), rows, index.rowBytes());
        double lookups = index.lookupReads() * workload.instances() / LOOKUP_SECONDS;
        double reads = readers * polled.units() + rows * index.contentReads() + lookups;
        add(new Activity("projection queries", 0, 0, workload.projections() * reads));
        OffsetUnits.Offsets offsets = OffsetUnits.of(workload);
        add(offsets.perSecond().times(workload.projections()).perSecond("projection offsets"));
        tableBytes += workload.projections() * offsets.bytes();
        double perKey = units.writes().indexWrites() * workload.writesPerSecond() / index.partitions();
        if (perKey > KEY_WRITES) {
            notes.add("each of its " + index.partitions() + " index partitions would take " + Figures.number(perKey)
                    + " write units per second, and DynamoDB's limit is 1,000: use several entity types"
                    + (layout.journal() instanceof CommitsJournal ? " or more index.partitions" : ""));
        }
    }

    private void deletes() {
        Deletion deletion = units.delete();
        add(deletion.units().times(workload.eventsPerSecond()).perSecond("deletes"));
        Duration left = layout.journal() instanceof CommitsJournal commits
                ? commits.tombstoneRetention()
                : workload.foreverAfterMonths();
        // A mark of the whole log is replaced by the next delete; only what each event leaves adds up.
        if (deletion.leftTableBytes() > LEFT_BYTES) {
            double events = left.toSeconds() * workload.eventsPerSecond();
            tableBytes += events * deletion.leftTableBytes();
            indexBytes += events * deletion.leftIndexBytes();
            notes.add("a delete leaves " + Figures.number(deletion.leftTableBytes()) + " bytes per event for "
                    + left.toDays() + " days");
        }
        if (workload.removesByExpiry()) {
            notes.add("it has no expiry of events: they are deleted after their retention");
        }
    }

    private void limits() {
        double writes = activities.stream().mapToDouble(Activity::writes).sum();
        if (writes > TABLE_WRITES) {
            notes.add("more than 40,000 write units per second need a higher quota of the table");
        }
    }
}
