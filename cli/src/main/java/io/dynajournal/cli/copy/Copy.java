package io.dynajournal.cli.copy;

import io.dynajournal.cli.copy.LogCopy.Deletes;
import io.dynajournal.cli.copy.Store.Journal;
import io.dynajournal.cli.copy.Store.Snapshots;
import io.dynajournal.cli.copy.Store.States;
import io.dynajournal.cli.run.IdWorkers;
import io.dynajournal.cli.store.IdPages;
import io.dynajournal.internal.store.LogEnd;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Copies a store into another one, of any layout, while the source may be in use. Many persistence ids are under way at a time, each
 * page by page. A pass may be repeated at any time: it copies what is new, and compares what is there. The target must have no
 * writer but this.
 */
public final class Copy {

    /** Longer than a predecessor's write takes with its retries, and than clocks differ. */
    private static final Duration LONGEST_WRITE = Duration.ofMinutes(2);

    private final Store source;
    private final Store target;
    private final Checkpoint checkpoint;
    private final int idsInFlight;
    private final BooleanSupplier stopped;
    private final LongSupplier finalBeforeMicros;
    private final Deletes deletes;
    private final CopyReport report = new CopyReport();

    /** The end of each log that has a gap which was not final, when it was copied. */
    private final Map<String, Long> openGaps = new ConcurrentHashMap<>();

    /**
     * @param idsInFlight how many persistence ids are copied concurrently; each has two pages in memory at most
     * @param stopped ends the copy cleanly once it is true
     */
    public Copy(Store source, Store target, Checkpoint checkpoint, int idsInFlight, BooleanSupplier stopped) {
        this(
                source,
                target,
                checkpoint,
                idsInFlight,
                stopped,
                () -> TimeUnit.MILLISECONDS.toMicros(System.currentTimeMillis() - LONGEST_WRITE.toMillis()),
                Deletes.WITH_NEW_EVENTS);
    }

    /** @param finalBeforeMicros nothing appears any more before events that are older than this */
    Copy(
            Store source,
            Store target,
            Checkpoint checkpoint,
            int idsInFlight,
            BooleanSupplier stopped,
            LongSupplier finalBeforeMicros) {
        this(source, target, checkpoint, idsInFlight, stopped, finalBeforeMicros, Deletes.WITH_NEW_EVENTS);
    }

    private Copy(
            Store source,
            Store target,
            Checkpoint checkpoint,
            int idsInFlight,
            BooleanSupplier stopped,
            LongSupplier finalBeforeMicros,
            Deletes deletes) {
        this.source = source;
        this.target = target;
        this.checkpoint = checkpoint;
        this.idsInFlight = idsInFlight;
        this.stopped = stopped;
        this.finalBeforeMicros = finalBeforeMicros;
        this.deletes = deletes;
    }

    /** The same copy, which deletes nothing in the target: what is missing in the source may never have been in it. */
    public Copy withoutDeletes() {
        return new Copy(source, target, checkpoint, idsInFlight, stopped, finalBeforeMicros, Deletes.NEVER);
    }

    public CopyReport report() {
        return report;
    }

    /** What the target cannot hold, in words; to be shown before the copy starts. */
    public static List<String> losses(Store source, Store target) {
        List<String> losses = new ArrayList<>();
        if (source.journal() != null && target.journal() != null) {
            losses.addAll(target.journal().format().losesOf(source.journal().format()));
        }
        if (source.snapshots() != null && target.snapshots() != null) {
            if (target.snapshots().newestOnly() && !source.snapshots().newestOnly()) {
                losses.add("all snapshots of a persistence id but the newest");
            }
            if (source.snapshots().metadata() && !target.snapshots().metadata()) {
                losses.add("metadata of replicated entities' snapshots");
            }
        }
        if (source.states() != null && target.states() != null) {
            losses.add("additional columns of durable states");
        }
        return losses;
    }

    /** One pass over everything. */
    public void pass() {
        pass(false);
    }

    /** @param last looks for deletes too, and misses no log that was begun before */
    private void pass(boolean last) {
        Journal journal = source.journal();
        if (journal != null) {
            Iterator<String> ids = IdPages.of(last ? journal.idsOfTable() : journal.ids());
            forEach(ids, id -> copyLog(id, last ? Deletes.ALWAYS : deletes, isFinalByNow(journal)));
        }
        States states = source.states();
        States into = target.states();
        if (states != null && into != null) {
            StateCopy copy = new StateCopy(states, into);
            forEach(IdPages.of(states.states()), id -> {
                if (copy.copy(id)) {
                    report.state();
                }
            });
        }
    }

    private void forEach(Iterator<String> ids, Consumer<String> work) {
        new IdWorkers(idsInFlight, stopped).forEach(ids, id -> {
            try {
                work.accept(id);
                report.id();
            } catch (RuntimeException e) {
                report.failure(id, e);
            }
        });
    }

    /** In a log that is in use a gap is final only before an event that is old. */
    private LogCopy.Gaps isFinalByNow(Journal journal) {
        return (id, next) -> {
            if (!journal.outOfOrder()) {
                return true;
            }
            LogEnd end = Blocking.result(journal.log().end(id));
            long time = next == null ? end.timestampMicros() : next.timestampMicros();
            // Without a time it may be recent.
            boolean isOld = (time == 0 ? Long.MAX_VALUE : time) <= finalBeforeMicros.getAsLong();
            if (!isOld) {
                openGaps.put(id, end.seqNr());
            }
            return isOld;
        };
    }

    /** A log that has not changed while it was quiet has no writes in flight. */
    private void copyOpenGaps() {
        Map<String, Long> ends = Map.copyOf(openGaps);
        forEach(ends.keySet().iterator(), id -> {
            long end = ends.getOrDefault(id, 0L);
            copyLog(id, Deletes.ALWAYS, (of, next) -> next == null || next.seqNr() <= end);
        });
    }

    private void copyLog(String id, Deletes which, LogCopy.Gaps gaps) {
        Journal from = source.journal();
        Journal to = target.journal();
        if (from != null && to != null) {
            Position copied = new LogCopy(from, to, checkpoint, report::events, stopped, which, gaps).copy(id);
            if (copied.count() > 0) {
                new LogCheck(from, to).check(id, copied);
                report.verified();
            }
        }
        Snapshots snapshots = source.snapshots();
        Snapshots into = target.snapshots();
        if (snapshots != null && into != null && !stopped.getAsBoolean()) {
            SnapshotCopy copy = new SnapshotCopy(snapshots, into);
            report.snapshots(copy.copy(id));
            if (which == Deletes.ALWAYS) {
                copy.checkNotNewer(id);
            }
        }
    }

    /** Passes, with a pause after each, until stopped. */
    public void follow(Duration pause) {
        while (!stopped.getAsBoolean()) {
            pass();
            Pause.of(pause, stopped);
        }
    }

    /**
     * The last pass, which looks for deletes everywhere and reads persistence ids from the table itself, and then a check whether
     * anything was written to the source or deleted while nothing should be.
     *
     * @param quiet for how long the source must not change
     * @return the persistence ids that have changed meanwhile, and how; the switch is safe if there are none, and nothing failed
     */
    public List<String> finish(Duration quiet) {
        openGaps.clear();
        pass(true);
        Pause.of(quiet, stopped);
        copyOpenGaps();
        return new QuietCheck(source, target, checkpoint, this::forEach).changes();
    }

    /** Waits, and looks now and then whether to stop. */
    private static final class Pause {
        private static final long STEP_MILLIS = 100;

        private Pause() {}

        static void of(Duration length, BooleanSupplier stopped) {
            long end = System.nanoTime() + length.toNanos();
            while (!stopped.getAsBoolean() && System.nanoTime() < end) {
                try {
                    TimeUnit.MILLISECONDS.sleep(STEP_MILLIS);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    return;
                }
            }
        }
    }
}
