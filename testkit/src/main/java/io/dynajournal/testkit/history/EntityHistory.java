package io.dynajournal.testkit.history;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What was acknowledged and observed of one entity. An event is a text that occurs once in a run. Every observation is compared with
 * those before it.
 */
final class EntityHistory {

    /** A write that was acknowledged, with what its writer knew. The state grows while the writer goes on. */
    private record Acknowledged(String writer, SortedMap<Long, String> events, SortedMap<Long, String> state) {}

    private final String persistenceId;
    private final TreeMap<Long, String> truth = new TreeMap<>();
    private final TreeMap<Long, String> acknowledged = new TreeMap<>();
    private final List<Acknowledged> writes = new ArrayList<>();
    private final List<SortedMap<Long, String>> attempted = new ArrayList<>();
    private final Map<String, String> refused = new HashMap<>();
    private @Nullable Violation first;
    private long uncoveredTo;
    private long coveredTo;

    EntityHistory(String persistenceId) {
        this.persistenceId = persistenceId;
    }

    /** What a recovery must show, noted when it starts. */
    record Expectation(SortedMap<Long, String> acknowledged) {}

    Expectation expectation() {
        return new Expectation(new TreeMap<>(acknowledged));
    }

    /** An atomic write is sent. */
    void attempted(SortedMap<Long, String> events) {
        attempted.add(events);
    }

    /** An atomic write was stored. */
    void acknowledged(String writer, SortedMap<Long, String> events, SortedMap<Long, String> state) {
        events.forEach((seqNr, event) -> {
            observe(seqNr, event, "was acknowledged to " + writer);
            acknowledged.put(seqNr, event);
        });
        writes.add(new Acknowledged(writer, events, state));
    }

    /** Nothing of the write may ever be seen. */
    void refused(SortedMap<Long, String> events, String why) {
        events.values().forEach(event -> {
            refused.put(event, why);
            if (truth.containsValue(event)) {
                throw violation("event " + event + " was seen, and then its write failed for good: " + why);
            }
        });
    }

    /** A delete is sent. */
    void deleting(long toSeqNr, boolean covered) {
        if (covered) {
            coveredTo = Math.max(coveredTo, toSeqNr);
        } else {
            uncoveredTo = Math.max(uncoveredTo, toSeqNr);
        }
    }

    private void observe(long seqNr, String event, String how) {
        String before = truth.putIfAbsent(seqNr, event);
        if (before != null && !before.equals(event)) {
            throw violation("sequence number " + seqNr + " is " + before + ", and then " + event + " " + how);
        }
        String why = refused.get(event);
        if (why != null) {
            throw violation("event " + event + " " + how + ", although its write failed for good: " + why);
        }
    }

    /**
     * A recovery has ended.
     *
     * @param snapshot the events of the snapshot's state
     * @param replayed the events after it, in the order of their delivery
     */
    void recovered(
            String who,
            Expectation expected,
            long snapshotSeqNr,
            SortedMap<Long, String> snapshot,
            List<Map.Entry<Long, String>> replayed,
            long highest) {
        SortedMap<Long, String> state = new TreeMap<>(snapshot);
        long last = snapshotSeqNr;
        for (Map.Entry<Long, String> event : replayed) {
            if (event.getKey() <= last || event.getKey() > highest) {
                throw violation(who + " received sequence number " + event.getKey() + " after " + last
                        + ", and the highest is " + highest);
            }
            last = event.getKey();
            observe(event.getKey(), event.getValue(), "was replayed to " + who);
            state.put(event.getKey(), event.getValue());
        }
        snapshot.forEach((seqNr, event) -> observe(seqNr, event, "is in the snapshot that " + who + " received"));
        checkComplete(who, expected, state, highest);
        checkWhole(who, snapshotSeqNr, state);
    }

    private void checkComplete(String who, Expectation expected, SortedMap<Long, String> state, long highest) {
        expected.acknowledged.tailMap(uncoveredTo + 1).forEach((seqNr, event) -> {
            if (!event.equals(state.get(seqNr))) {
                throw violation(who + " lacks the acknowledged event " + event + " at " + seqNr + "; it has "
                        + state.tailMap(uncoveredTo + 1));
            }
        });
        if (!expected.acknowledged.isEmpty() && expected.acknowledged.lastKey() > highest) {
            throw violation(who + " found the highest sequence number " + highest + ", but "
                    + expected.acknowledged.lastKey() + " was acknowledged");
        }
    }

    /** Of an atomic write that no delete and no snapshot reaches, all events are there or none. */
    private void checkWhole(String who, long snapshotSeqNr, SortedMap<Long, String> state) {
        long above = Math.max(Math.max(snapshotSeqNr, uncoveredTo), coveredTo);
        Set<String> seen = new HashSet<>(state.values());
        for (SortedMap<Long, String> write : attempted) {
            if (write.firstKey() > above) {
                long there = write.values().stream().filter(seen::contains).count();
                if (there != 0 && there != write.size()) {
                    throw violation(who + " received " + there + " of " + write.size() + " events of the atomic write "
                            + write);
                }
            }
        }
    }

    /** Every writer that was acknowledged had seen everything before its write that was acknowledged to anybody. */
    void checkWriters() {
        for (Acknowledged write : writes) {
            long first = write.events.firstKey();
            acknowledged.subMap(Math.min(first, uncoveredTo + 1), first).forEach((seqNr, event) -> {
                if (!event.equals(write.state.get(seqNr))) {
                    throw violation("the write of " + write.writer + " at " + first
                            + " was acknowledged, although its writer has not seen " + event + " at " + seqNr);
                }
            });
        }
    }

    int acknowledgedEvents() {
        return acknowledged.size();
    }

    /** Kept as well, because a stage that it fails may have no reader. */
    Violation violation(String message) {
        Violation found = new Violation(persistenceId + ": " + message);
        if (first == null) {
            first = found;
        }
        return found;
    }

    /** Fails with the first violation, if there was one. */
    void check() {
        if (first != null) {
            throw first;
        }
    }
}
