package io.dynajournal.bench;

import io.dynajournal.bench.report.Shown;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What Dynajournal claims over its peers, and whether a run shows it. */
final class Claims {

    /** @param text what is claimed and what was seen */
    record Claim(String text, boolean holds) {}

    private final Results results;
    private final List<Claim> claims = new ArrayList<>();

    private Claims(Results results) {
        this.results = results;
    }

    /** Only of workloads that were measured for us and for a peer. */
    static List<Claim> of(Results results) {
        Claims all = new Claims(results);
        all.atMost("persist-all-10", Figures.WRITE_UNITS, 0.35);
        all.atLeast("persist-all-10", Figures.SPEED, 3);
        all.atMost("persist-one", Figures.WRITE_UNITS, 1);
        all.atMost("persist-one", Figures.REQUESTS, 1);
        all.atLeast("persist-one", Figures.SPEED, 1);
        all.atMost("persist-one", Figures.CPU, 1);
        all.atLeast(Workloads.STUB, Figures.SPEED, 3);
        all.singlePuts("the best peer's", 1.2, results.bestPeer(Workloads.STUB, Figures.SPEED));
        all.singlePuts(
                "the bare SDK's", 0.7, Optional.ofNullable(results.number(Workloads.STUB, "bare-sdk", Figures.SPEED)));
        for (String workload : List.of("recover-new", "recover-50", "recover-snapshot")) {
            all.atMost(workload, Figures.ENTITY_REQUESTS, 1);
            all.atMost(workload, Figures.ROUND_TRIPS, 1);
            all.atMostOfConsistent(workload, Figures.ENTITY_READ_UNITS);
        }
        all.atLeast("recover-10000", Figures.SPEED, 1.2);
        all.atLeast("recover-10000-by-10", Figures.SPEED, 3);
        return List.copyOf(all.claims);
    }

    private void atMost(String workload, String name, double ratio) {
        add(workload, name, "at most", ratio, "of the best peer's", results.bestPeer(workload, name));
    }

    private void atMostOfConsistent(String workload, String name) {
        add(
                workload,
                name,
                "at most",
                1,
                "of the best peer's that reads consistently",
                results.bestConsistentPeer(workload, name));
    }

    private void atLeast(String workload, String name, double ratio) {
        add(workload, name, "at least", ratio, "of the best peer's", results.bestPeer(workload, name));
    }

    /** Without group commit. */
    private void singlePuts(String of, double ratio, Optional<Double> reference) {
        add(Plugin.SINGLE_PUTS, Workloads.STUB, Figures.SPEED, "at least", ratio, "of " + of, reference);
    }

    private void add(
            String workload, String name, String relation, double ratio, String of, Optional<Double> reference) {
        add(Plugin.NATIVE, workload, name, relation, ratio, of, reference);
    }

    private void add(
            String plugin,
            String workload,
            String name,
            String relation,
            double ratio,
            String of,
            Optional<Double> reference) {
        Double ours = results.number(workload, plugin, name);
        if (ours == null || reference.isEmpty()) {
            return;
        }
        double seen = reference.get() == 0 ? (ours == 0 ? 1 : Double.POSITIVE_INFINITY) : ours / reference.get();
        // Turns of a count differ in the last digits.
        boolean holds = relation.equals("at most") ? seen <= ratio + 1e-6 : seen >= ratio - 1e-6;
        claims.add(new Claim(
                workload + (plugin.equals(Plugin.NATIVE) ? " " : " without group commit ") + name + " " + relation + " "
                        + Shown.of(ratio) + " " + of + ": " + Shown.of(seen),
                holds));
    }
}
