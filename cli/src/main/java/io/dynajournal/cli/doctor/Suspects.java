package io.dynajournal.cli.doctor;

import io.dynajournal.exception.StoreException;
import io.dynajournal.internal.store.Finding;
import io.dynajournal.internal.store.Finding.Repair;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * What was found once. Writes in flight look like damage, so a finding is reported only if a second examination some time later finds
 * it again. Thread-safe.
 */
final class Suspects {

    /** How long after an examination it is repeated. */
    record Delays(Duration usual, Duration slowWrites) {}

    private record Suspect(Supplier<List<Finding>> examination, List<Finding> findings, long seenNanos) {

        boolean mayBeSlowWrite() {
            return findings.stream().anyMatch(finding -> finding.kind().mayBeSlowWrite());
        }

        List<Finding> confirmed() {
            return examination.get().stream()
                    .filter(again -> findings.stream().anyMatch(again::isSameAs))
                    .map(this::repairedIfStillThere)
                    .toList();
        }

        /** Between a report and its repair the log may have been reset, or repaired by somebody else. */
        private Finding repairedIfStillThere(Finding finding) {
            Repair repair = finding.repair();
            return repair == null
                    ? finding
                    : finding.with(
                            repair.plan(),
                            () -> examination.get().stream()
                                    .filter(finding::isSameAs)
                                    .findFirst()
                                    .map(Finding::repair)
                                    .map(current -> current.action().get())
                                    .orElse(CompletableFuture.completedFuture(null)));
        }
    }

    private final Delays delays;
    private final Predicate<Duration> waiting;
    private final Consumer<Finding> found;
    private final Consumer<RuntimeException> failed;
    private List<Suspect> suspects = new ArrayList<>();

    /**
     * @param waiting waits; returns false if the work is to end
     * @param found receives what was found twice
     * @param failed receives why something could not be examined again
     */
    Suspects(Delays delays, Predicate<Duration> waiting, Consumer<Finding> found, Consumer<RuntimeException> failed) {
        this.delays = delays;
        this.waiting = waiting;
        this.found = found;
        this.failed = failed;
    }

    /** Examines something; returns whether it is sound. */
    boolean isSound(Supplier<List<Finding>> examination) {
        List<Finding> findings = examination.get();
        if (findings.isEmpty()) {
            return true;
        }
        synchronized (this) {
            suspects.add(new Suspect(examination, findings, System.nanoTime()));
        }
        return false;
    }

    synchronized int size() {
        return suspects.size();
    }

    /** Examines again what was not sound, after the delay; those that may be slow writes last. */
    void settle() {
        List<Suspect> all;
        synchronized (this) {
            all = suspects;
            suspects = new ArrayList<>();
        }
        settle(all.stream().filter(suspect -> !suspect.mayBeSlowWrite()).toList(), delays.usual());
        settle(all.stream().filter(Suspect::mayBeSlowWrite).toList(), delays.slowWrites());
    }

    private void settle(List<Suspect> some, Duration delay) {
        for (Suspect suspect : some) {
            Duration left = delay.minusNanos(System.nanoTime() - suspect.seenNanos());
            if (!waiting.test(left)) {
                return;
            }
            try {
                suspect.confirmed().forEach(found);
            } catch (CompletionException | StoreException e) {
                failed.accept(e);
            }
        }
    }
}
