package io.dynajournal.examples.demo;

import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Records what was added to the carts and what they acknowledged, and compares it with what they hold later. */
final class Ledger {

    private record Line(String cart, String item, int quantity) {
        @Override
        public String toString() {
            return cart + ": " + quantity + " x " + item;
        }
    }

    private final Set<Line> announced = new HashSet<>();
    private final Set<Line> acknowledged = new HashSet<>();

    void adding(Report.Adding adding) {
        announced.add(new Line(adding.cart(), adding.item(), adding.quantity()));
    }

    void added(Report.Added added) {
        acknowledged.add(new Line(added.cart(), added.item(), added.quantity()));
    }

    int acknowledged() {
        return acknowledged.size();
    }

    /**
     * The outcome of a comparison.
     *
     * @param inFlight items that were stored but not acknowledged, which is allowed
     * @param lost items that were acknowledged and not recovered
     * @param strange items that were recovered although nobody added them
     */
    record Comparison(int inFlight, Set<String> lost, Set<String> strange) {}

    /** Compares with what the carts hold, by cart. */
    Comparison compare(Map<String, Map<String, Integer>> carts) {
        Set<Line> held = new HashSet<>();
        carts.forEach((cart, items) -> items.forEach((item, quantity) -> held.add(new Line(cart, item, quantity))));
        Set<Line> unknown = minus(held, acknowledged);
        Set<Line> strange = minus(unknown, announced);
        return new Comparison(
                unknown.size() - strange.size(), described(minus(acknowledged, held)), described(strange));
    }

    private static Set<Line> minus(Set<Line> all, Set<Line> some) {
        Set<Line> rest = new HashSet<>(all);
        rest.removeAll(some);
        return rest;
    }

    private static Set<String> described(Set<Line> lines) {
        Set<String> texts = new TreeSet<>();
        lines.forEach(line -> texts.add(line.toString()));
        return texts;
    }
}
