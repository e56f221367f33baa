package io.dynajournal.testkit.simulator;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/** Faults for chosen requests: each rule is used as often as it says, in the order in which they were added. Thread-safe. */
public final class ScriptedFaults implements Faults {

    private static final class Rule {
        private final Predicate<SimulatedRequest> match;
        private final Fate fate;
        private int left;

        Rule(Predicate<SimulatedRequest> match, Fate fate, int times) {
            this.match = match;
            this.fate = fate;
            this.left = times;
        }
    }

    private final Faults otherwise = Faults.none();
    private final List<Rule> rules = new ArrayList<>();
    private final Set<String> building = new HashSet<>();

    ScriptedFaults() {}

    /** The next request of an operation gets this fault. */
    public ScriptedFaults next(String operation, Fault fault) {
        return when(request -> request.operation().equals(operation), Fate.of(fault), 1);
    }

    /** The next {@code times} requests that match get this fate. */
    public synchronized ScriptedFaults when(Predicate<SimulatedRequest> match, Fate fate, int times) {
        rules.add(new Rule(match, fate, times));
        return this;
    }

    /** This global index of every table is still being built, until {@link #built}. */
    public synchronized ScriptedFaults building(String index) {
        building.add(index);
        return this;
    }

    /** The index holds all items now. */
    public synchronized ScriptedFaults built(String index) {
        building.remove(index);
        return this;
    }

    @Override
    public synchronized boolean isIndexBuilding(String table, String index) {
        return building.contains(index);
    }

    /** The number of faults that no request has met yet. A test that ends with some did not test what it says. */
    public synchronized int unused() {
        return rules.stream().mapToInt(rule -> rule.left).sum();
    }

    @Override
    public synchronized Fate fate(SimulatedRequest request) {
        Iterator<Rule> all = rules.iterator();
        while (all.hasNext()) {
            Rule rule = all.next();
            if (rule.match.test(request)) {
                rule.left--;
                if (rule.left == 0) {
                    all.remove();
                }
                return rule.fate;
            }
        }
        return otherwise.fate(request);
    }
}
