package io.dynajournal.testkit.history;

import io.dynajournal.internal.model.SeqRange;
import java.util.List;
import java.util.Map;

/** A read of some events of an entity, with an upper limit: what queries by persistence id and bounded recoveries read. */
final class RangeRead {

    private final Node node;
    private final EntityHistory history;
    private boolean pending;

    RangeRead(Node node, EntityHistory history) {
        this.node = node;
        this.history = history;
    }

    /** @param limit the maximum number of events, or 0 for no maximum */
    void start(int limit) {
        EntityHistory.Expectation expected = history.expectation(node.name());
        long from = 1 + (long) (node.random() * (history.lastSeen() + 1));
        boolean toEnd = node.random() < 0.5;
        double share = node.random();
        long max = limit == 0 ? Long.MAX_VALUE : limit;
        boolean whole = node.random() < 0.5;
        SeqRange[] asked = new SeqRange[1];
        pending = true;
        Replay.of(node, history, from, this, highest -> {
                    long to = toEnd ? highest : Math.min(highest, from + (long) (share * 10));
                    asked[0] = whole ? SeqRange.wholeWrites(from, to, max) : SeqRange.singleEvents(from, to, max);
                    return asked[0];
                })
                .whenComplete((found, failure) -> {
                    pending = false;
                    if (failure == null) {
                        check(expected, asked[0], found);
                    }
                });
    }

    private void check(EntityHistory.Expectation expected, SeqRange range, Replay.Found found) {
        List<Map.Entry<Long, String>> events = found.events();
        if (events.size() > range.max()) {
            throw history.violation("a read of " + range + " found " + events.size() + " events: " + events);
        }
        history.read("a read of " + range, expected, range, found);
    }

    /** Whether it has no outcome although its node is still running. */
    boolean hangs() {
        return pending && !node.isCrashed();
    }
}
