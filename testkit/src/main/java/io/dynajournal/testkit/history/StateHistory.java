package io.dynajournal.testkit.history;

import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What was acknowledged and observed of one durable state. A state is a text that occurs once in a run; a deleted one is empty. */
final class StateHistory {

    private final String persistenceId;
    private final TreeMap<Long, String> truth = new TreeMap<>();
    private final Map<String, String> refused = new HashMap<>();
    private long acknowledged;
    private @Nullable Violation first;

    StateHistory(String persistenceId) {
        this.persistenceId = persistenceId;
    }

    /** The highest revision that was acknowledged. */
    long acknowledged() {
        return acknowledged;
    }

    /**
     * A write was acknowledged.
     *
     * @param before the state that its writer knew
     */
    void acknowledged(String writer, String before, long revision, String state) {
        observe(revision, state, "was acknowledged to " + writer);
        if (revision > 1) {
            observe(revision - 1, before, "was replaced by " + writer);
        }
        acknowledged = Math.max(acknowledged, revision);
    }

    /** Nothing of the write may ever be seen. */
    void refused(String state, String why) {
        refused.put(state, why);
        if (truth.containsValue(state)) {
            throw violation("the state " + state + " was seen, and then its write failed for good: " + why);
        }
    }

    /**
     * A read has ended.
     *
     * @param expected the highest revision that was acknowledged before it began
     */
    void read(String who, long expected, long revision, String state) {
        if (revision < expected) {
            throw violation(who + " read revision " + revision + ", although " + expected + " was acknowledged");
        }
        if (revision > 0) {
            observe(revision, state, "was read by " + who);
        }
    }

    /** A query has delivered a revision. */
    void queried(long revision, String state) {
        observe(revision, state, "was delivered by a query");
    }

    private void observe(long revision, String state, String how) {
        String before = truth.putIfAbsent(revision, state);
        if (before != null && !before.equals(state)) {
            throw violation("revision " + revision + " is '" + before + "', and then '" + state + "' " + how);
        }
        String why = refused.get(state);
        if (why != null) {
            throw violation("the state " + state + " " + how + ", although its write failed for good: " + why);
        }
    }

    /** The latest revision must have been delivered. */
    void checkQueried(long delivered) {
        if (delivered < acknowledged) {
            throw violation("a query of changes has delivered revision " + delivered + ", but not the acknowledged "
                    + acknowledged);
        }
    }

    Violation violation(String message) {
        Violation found = new Violation(persistenceId + ": " + message);
        first = first == null ? found : first;
        return found;
    }

    /** Fails with the first violation, if there was one. */
    void check() {
        if (first != null) {
            throw first;
        }
    }
}
