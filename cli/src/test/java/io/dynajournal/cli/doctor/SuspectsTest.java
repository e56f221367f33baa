package io.dynajournal.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynajournal.internal.store.Finding;
import io.dynajournal.internal.store.FindingKind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A write in flight looks like damage once; only what stays as it was is reported. */
class SuspectsTest {

    private static final Finding GAP = Finding.of(FindingKind.GAP, "a|1", 3, "3 is missing");
    private static final Finding LATER = Finding.of(FindingKind.GAP, "a|1", 7, "7 is missing");

    private final List<Finding> found = new ArrayList<>();
    private final Suspects suspects =
            new Suspects(new Suspects.Delays(Duration.ZERO, Duration.ZERO), delay -> true, found::add, failure -> {
                throw failure;
            });

    private void examine(List<Finding> first, List<Finding> second) {
        Iterator<List<Finding>> results = List.of(first, second).iterator();
        assertThat(suspects.isSound(results::next)).isEqualTo(first.isEmpty());
        suspects.settle();
    }

    /** The number of repairs that were made after the store has shown these findings in turn. */
    private int repairsAfter(AtomicInteger repairs, List<List<Finding>> findings) {
        Iterator<List<Finding>> results = findings.iterator();
        suspects.isSound(results::next);
        suspects.settle();
        Finding.Repair repair = Objects.requireNonNull(found.get(0).repair());
        assertThat(repair.action().get().toCompletableFuture()).isCompleted();
        found.clear();
        return repairs.get();
    }

    @Test
    void aRepairDoesNothingOnceTheStoreHasChanged() {
        AtomicInteger repairs = new AtomicInteger();
        Finding repairable = GAP.with("fills it", () -> {
            repairs.incrementAndGet();
            return CompletableFuture.completedFuture(null);
        });
        List<Finding> there = List.of(repairable);
        assertThat(repairsAfter(repairs, List.of(there, there, List.of()))).isZero();
        assertThat(repairsAfter(repairs, List.of(there, there, List.of(LATER)))).isZero();
        assertThat(repairsAfter(repairs, List.of(there, there, there))).isOne();
    }

    @Test
    void onlyWhatIsFoundTwiceIsReported() {
        examine(List.of(GAP), List.of());
        examine(List.of(GAP), List.of(LATER));
        examine(List.of(), List.of(GAP));
        assertThat(found).isEmpty();
        examine(List.of(GAP), List.of(LATER, GAP));
        assertThat(found).containsExactly(GAP);
    }
}
