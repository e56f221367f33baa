package io.dynajournal.bench;

import io.dynajournal.bench.report.NumberText;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What Dynajournal claims in comparison with its peers, and whether a run shows it.
 *
 * <p>Writes to DynamoDB are compared like with like: the cheapest peers keep no index, and an index row costs units and server
 * time of its own, so the row without indexes stands for Dynajournal there. Everything else is claimed for the default
 * configuration, indexes included.
 */
final class Claims {

    /** @param text the claim and the ratio that was measured */
    record Claim(String text, boolean holds) {}

    private enum Bound {
        AT_MOST("at most"),
        AT_LEAST("at least");

        private final String text;

        Bound(String text) {
            this.text = text;
        }

        /** Turns of a count differ in the last digits. */
        private boolean holds(double measured, double ratio) {
            return this == AT_MOST ? measured <= ratio + 1e-6 : measured >= ratio - 1e-6;
        }
    }

    private static final String BEST_PEER = "the best peer's";

    private final Results results;
    private final List<Claim> claims = new ArrayList<>();

    private Claims(Results results) {
        this.results = results;
    }

    /** The claims about workloads that were measured for both sides. */
    static List<Claim> of(Results results) {
        Claims claims = new Claims(results);
        claims.addWrites();
        claims.addClientCost();
        claims.addRecoveries();
        claims.addCloud();
        claims.addStorm();
        return List.copyOf(claims.claims);
    }

    private void addWrites() {
        comparePeers(Plugin.NO_INDEX, "persist-all-10", Figures.WRITE_UNITS, Bound.AT_MOST, 0.35);
        comparePeers(Plugin.NO_INDEX, "persist-all-10", Figures.SPEED, Bound.AT_LEAST, 2.5);
        comparePeers(Plugin.NO_INDEX, "persist-one", Figures.WRITE_UNITS, Bound.AT_MOST, 1);
        comparePeers(Plugin.NO_INDEX, "persist-one", Figures.REQUESTS, Bound.AT_MOST, 1);
        comparePeers(Plugin.NO_INDEX, "persist-one", Figures.SPEED, Bound.AT_LEAST, 0.95);
    }

    private void addClientCost() {
        comparePeers(Plugin.DEFAULT, Workloads.STUB, Figures.SPEED, Bound.AT_LEAST, 2);
        comparePeers(Plugin.DIRECT, Workloads.STUB, Figures.SPEED, Bound.AT_LEAST, 3);
        // The peers send each write by itself, so the CPU of a put is compared without group commit.
        comparePeers(Plugin.SINGLE_PUTS, Workloads.STUB, Figures.CPU, Bound.AT_MOST, 1.25);
        comparePeers(Plugin.DIRECT_SINGLE_PUTS, Workloads.STUB, Figures.CPU, Bound.AT_MOST, 0.75);
    }

    private void addRecoveries() {
        for (String workload : List.of("recover-new", "recover-50", "recover-snapshot")) {
            comparePeers(Plugin.DEFAULT, workload, Figures.ENTITY_REQUESTS, Bound.AT_MOST, 1);
            comparePeers(Plugin.DEFAULT, workload, Figures.ROUND_TRIPS, Bound.AT_MOST, 1);
            compare(
                    Plugin.DEFAULT,
                    workload,
                    Figures.ENTITY_READ_UNITS,
                    Bound.AT_MOST,
                    1,
                    BEST_PEER + " with consistent reads",
                    results.bestConsistentPeer(workload, Figures.ENTITY_READ_UNITS));
        }
        comparePeers(Plugin.DEFAULT, "recover-10000", Figures.SPEED, Bound.AT_LEAST, 1.2);
        comparePeers(Plugin.DEFAULT, "recover-10000-by-10", Figures.SPEED, Bound.AT_LEAST, 3);
    }

    private void addCloud() {
        for (CloudWorkload workload : CloudWorkload.all()) {
            if (!workload.isSaturated()) {
                compareRow(workload.name(), Figures.MEDIAN, Bound.AT_MOST, 1.25, Plugin.BARE_SDK);
                compareRow(workload.name(), Figures.PERCENTILE_99, Bound.AT_MOST, 1.15, Plugin.BARE_SDK);
            }
        }
        for (int rate : List.of(2_000, 4_000)) {
            comparePeers(Plugin.DEFAULT, CloudWorkload.name(rate), Figures.MEDIAN, Bound.AT_MOST, 0.4);
        }
        String saturated = CloudWorkload.name(CloudWorkload.SATURATED);
        compareRow(saturated, Figures.SPEED, Bound.AT_LEAST, 4, Plugin.SINGLE_PUTS);
        comparePeers(Plugin.DEFAULT, saturated, Figures.SPEED, Bound.AT_LEAST, 3);
    }

    private void addStorm() {
        compare(
                Plugin.DEFAULT,
                StormWorkload.NAME,
                Figures.PERCENTILE_99,
                Bound.AT_MOST,
                5,
                "its own before",
                Optional.ofNullable(results.number(StormWorkload.NAME, Plugin.DEFAULT, Figures.CALM_PERCENTILE_99)));
    }

    private void comparePeers(String plugin, String workload, String figure, Bound bound, double ratio) {
        compare(plugin, workload, figure, bound, ratio, BEST_PEER, results.bestPeer(workload, figure));
    }

    /** Compares the default configuration with another row that is not a peer. */
    private void compareRow(String workload, String figure, Bound bound, double ratio, String other) {
        compare(
                Plugin.DEFAULT,
                workload,
                figure,
                bound,
                ratio,
                "that of " + other,
                Optional.ofNullable(results.number(workload, other, figure)));
    }

    private void compare(
            String plugin,
            String workload,
            String figure,
            Bound bound,
            double ratio,
            String reference,
            Optional<Double> referenceValue) {
        Double ours = results.number(workload, plugin, figure);
        if (ours == null || referenceValue.isEmpty()) {
            return;
        }
        double measured = ratio(ours, referenceValue.get());
        claims.add(new Claim(
                "%s %s of %s %s %s times %s: %s"
                        .formatted(
                                workload,
                                figure,
                                plugin,
                                bound.text,
                                NumberText.of(ratio),
                                reference,
                                NumberText.of(measured)),
                bound.holds(measured, ratio)));
    }

    private static double ratio(double ours, double reference) {
        if (reference == 0) {
            return ours == 0 ? 1 : Double.POSITIVE_INFINITY;
        }
        return ours / reference;
    }
}
