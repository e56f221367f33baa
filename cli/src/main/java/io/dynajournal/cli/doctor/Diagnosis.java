package io.dynajournal.cli.doctor;

import io.dynajournal.cli.run.IdWorkers;
import io.dynajournal.cli.run.LongRun;
import io.dynajournal.cli.store.IdPages;
import io.dynajournal.exception.StoreException;
import io.dynajournal.internal.projections.OffsetTable;
import io.dynajournal.internal.store.EventLog;
import io.dynajournal.internal.store.Finding;
import io.dynajournal.internal.store.FindingKind;
import io.dynajournal.internal.store.LogCheck;
import io.dynajournal.internal.store.PartsCheck;
import io.dynajournal.internal.store.SnapshotTable;
import io.dynajournal.internal.store.Stages;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Examines logs, parts and offsets, a limited number at a time. What is not sound is examined again before it is reported. */
public final class Diagnosis {

    /** Findings that wait for their second examination are in memory. */
    private static final int MAX_SUSPECTS = 1_000;

    private static final int IDS_PER_AUDIT = 500;
    private static final int FAILURES_SHOWN = 20;

    private final LongRun run;
    private final int inFlight;
    private final Suspects suspects;
    private final Consumer<String> say;
    private final AtomicLong failed = new AtomicLong();

    /**
     * A diagnosis.
     *
     * @param settle how long after the first examination the second one is
     * @param grace the same for what a slow write may be the reason of
     * @param found receives findings, one after another
     * @param say receives lines about what failed
     */
    public Diagnosis(
            LongRun run, int inFlight, Duration settle, Duration grace, Consumer<Finding> found, Consumer<String> say) {
        this.run = run;
        this.inFlight = inFlight;
        this.say = say;
        this.suspects = new Suspects(
                new Suspects.Delays(settle, grace), run::await, found, e -> failure("a second examination", e));
    }

    /**
     * What is checked in a log.
     *
     * @param log that fails at each gap
     * @param ofLayout what its layout checks
     * @param snapshots null if they are not checked
     */
    public static List<LogCheck> checks(EventLog log, List<LogCheck> ofLayout, @Nullable SnapshotTable snapshots) {
        List<LogCheck> checks = new ArrayList<>(List.of(new LogReplay(log)));
        checks.addAll(ofLayout);
        if (snapshots != null) {
            checks.add(new SnapshotAhead(snapshots, log));
        }
        return checks;
    }

    /** How many could not be examined. */
    public long failed() {
        return failed.get();
    }

    /** Examines logs. Those that are sound are recorded in the checkpoint, and left out if they are there. */
    public void logs(Iterator<String> ids, List<LogCheck> checks) {
        inChunks(ids, id -> {
            if (!run.checkpoint().isDone(id)
                    && examine(id, () -> findings(id, checks.stream().map(check -> () -> check.check(id))))) {
                run.checkpoint().done(id);
            }
        });
    }

    /** Examines the parts of a table. */
    public void parts(PartsCheck check, Predicate<String> persistenceIds) {
        inChunks(
                IdPages.of(check::ids),
                part -> examine(
                        "parts " + part,
                        () -> findings("", Stream.of(() -> check.check(part))).stream()
                                .filter(finding -> persistenceIds.test(finding.persistenceId()))
                                .toList()));
    }

    /** Compares the offsets of a projection with logs. */
    public void offsets(String projection, OffsetTable rows, EventLog log, Iterator<String> ids) {
        OffsetAhead offsets = new OffsetAhead(projection, rows, log);
        while (ids.hasNext() && !run.isStopped()) {
            List<String> some = new ArrayList<>();
            while (ids.hasNext() && some.size() < IDS_PER_AUDIT) {
                some.add(ids.next());
            }
            examine("offsets", () -> offsets(offsets, some));
            settleIfMany();
        }
        suspects.settle();
    }

    private static List<Finding> offsets(OffsetAhead offsets, List<String> some) {
        return findings("", Stream.of(() -> offsets.check(some)));
    }

    private void inChunks(Iterator<String> ids, Consumer<String> work) {
        while (ids.hasNext() && !run.isStopped()) {
            List<String> chunk = new ArrayList<>();
            while (ids.hasNext() && chunk.size() < MAX_SUSPECTS) {
                chunk.add(ids.next());
            }
            new IdWorkers(inFlight, run::isStopped).forEach(chunk.iterator(), work);
            settleIfMany();
        }
        suspects.settle();
    }

    private void settleIfMany() {
        if (suspects.size() >= MAX_SUSPECTS) {
            suspects.settle();
        }
    }

    /** Whether it is sound. */
    private boolean examine(String what, Supplier<List<Finding>> examination) {
        try {
            run.pace();
            boolean sound = suspects.isSound(examination);
            run.progress(1);
            return sound;
        } catch (LongRun.Stopped stopped) {
            return false; // The workers take no further one.
        } catch (RuntimeException e) {
            failure(what, e);
            return false;
        }
    }

    private void failure(String what, RuntimeException e) {
        if (failed.incrementAndGet() <= FAILURES_SHOWN) {
            say.accept(what + ": " + Stages.unwrap(e).getMessage());
        }
    }

    /** A damaged item is a finding wherever it is met. */
    private static List<Finding> findings(
            String persistenceId, Stream<Supplier<CompletionStage<List<Finding>>>> checks) {
        List<Finding> all = new ArrayList<>();
        for (Supplier<CompletionStage<List<Finding>>> check : checks.toList()) {
            for (Finding finding : result(persistenceId, check.get())) {
                if (all.stream().noneMatch(finding::isSameAs)) {
                    all.add(finding);
                }
            }
        }
        return all;
    }

    private static List<Finding> result(String persistenceId, CompletionStage<List<Finding>> check) {
        try {
            return check.toCompletableFuture().join();
        } catch (CompletionException e) {
            if (Stages.unwrap(e) instanceof StoreException.CorruptItem damaged) {
                return List.of(
                        Finding.of(FindingKind.DAMAGED_ITEM, persistenceId, 0, String.valueOf(damaged.getMessage())));
            }
            throw e;
        }
    }
}
