package io.dynajournal.testkit.history;

import io.dynajournal.internal.model.SeqRange;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What was acknowledged and observed of one entity. An event is a text that occurs once in a run. Every observation is compared with
 * those before it.
 */
final class EntityHistory {

    /** Clocks may differ by this much when an expiry is decided. */
    private static final long CLOCKS_NANOS = Duration.ofMinutes(2).toNanos();

    /** A write that was acknowledged, with what its writer knew. The state grows while the writer goes on. */
    private record Acknowledged(
            String writer, SortedMap<Long, String> events, SortedMap<Long, String> state, long atNanos) {}

    /** A write in flight of a node, and the recoveries on the node that began after it and ended without it. */
    private record Sent(String node, SortedMap<Long, String> events, List<String> lackedBy) {}

    private final String persistenceId;
    private final Subject subject;
    private final World world;
    private final TreeMap<Long, String> truth = new TreeMap<>();
    private final TreeMap<Long, String> acknowledged = new TreeMap<>();
    private final TreeMap<Long, Long> times = new TreeMap<>();
    private final List<Sent> inFlight = new ArrayList<>();
    private final List<Acknowledged> writes = new ArrayList<>();
    private final List<SortedMap<Long, String>> attempted = new ArrayList<>();
    private final Map<String, Long> sentNanos = new HashMap<>();
    private final Map<String, String> refused = new HashMap<>();
    private @Nullable Violation first;
    private final Map<String, Long> deletedTo = new HashMap<>();
    private final List<Long> coveredDeletes = new ArrayList<>();
    private long uncoveredTo;
    private long coveredTo;

    EntityHistory(String persistenceId, Subject subject, World world) {
        this.persistenceId = persistenceId;
        this.subject = subject;
        this.world = world;
    }

    String persistenceId() {
        return persistenceId;
    }

    /** The highest sequence number that was acknowledged or replayed. */
    long lastSeen() {
        return truth.isEmpty() ? 0 : truth.lastKey();
    }

    /** The event of a sequence number, as it was acknowledged or replayed. */
    @Nullable
    String event(long seqNr) {
        return truth.get(seqNr);
    }

    /**
     * What a recovery must show, noted when it starts.
     *
     * @param sentHere what is in flight on its node, and must be shown as well if it is acknowledged
     * @param deletes how many deletes of what a snapshot covers were sent
     */
    record Expectation(SortedMap<Long, String> acknowledged, List<SortedMap<Long, String>> sentHere, int deletes) {}

    Expectation expectation(String node) {
        return new Expectation(
                new TreeMap<>(acknowledged),
                inFlight.stream()
                        .filter(sent -> sent.node.equals(node))
                        .map(Sent::events)
                        .toList(),
                coveredDeletes.size());
    }

    /**
     * Whether a recovery that has read this snapshot was passed by a later snapshot and the delete of what that one covers. The toolkits
     * read the snapshot first and the events after it, so that no layout can tell.
     */
    boolean isPassed(Expectation recovery, long snapshotSeqNr) {
        return coveredDeletes.stream().skip(recovery.deletes).anyMatch(to -> to > snapshotSeqNr);
    }

    /** An atomic write is sent. */
    void attempted(String node, SortedMap<Long, String> events) {
        attempted.add(events);
        inFlight.add(new Sent(node, events, new ArrayList<>()));
        events.values().forEach(event -> {
            sentNanos.put(event, now());
        });
    }

    private long now() {
        return world.scheduler().nanoTime();
    }

    /** An atomic write has failed, or it is not known what became of it. */
    void failed(SortedMap<Long, String> events) {
        inFlight.removeIf(sent -> sent.events == events);
    }

    /** The time of a sequence number: one for ever, and not before that of an earlier one. */
    void timed(long seqNr, long micros) {
        if (subject.has(Limit.TIMES_OF_CLOCKS)) {
            return;
        }
        Long known = times.putIfAbsent(seqNr, micros);
        Map.Entry<Long, Long> before = times.lowerEntry(seqNr);
        Map.Entry<Long, Long> after = times.higherEntry(seqNr);
        if ((known != null && known != micros)
                || (before != null && before.getValue() > micros)
                || (after != null && after.getValue() < micros)) {
            throw violation("the time of sequence number " + seqNr + " is " + micros + ", before it was " + known
                    + ", and its neighbours' are " + before + " and " + after);
        }
    }

    /** An atomic write was stored. */
    void acknowledged(String writer, SortedMap<Long, String> events, SortedMap<Long, String> state) {
        for (Sent sent : List.copyOf(inFlight)) {
            if (sent.events == events) {
                inFlight.remove(sent);
                if (!sent.lackedBy.isEmpty()) {
                    throw violation(sent.lackedBy + " recovered on " + sent.node + " without " + events
                            + ", which that node had sent before and which was acknowledged later");
                }
            }
        }
        events.forEach((seqNr, event) -> {
            observe(seqNr, event, "was acknowledged to " + writer);
            acknowledged.put(seqNr, event);
        });
        writes.add(new Acknowledged(writer, events, state, now()));
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
            coveredDeletes.add(toSeqNr);
        } else {
            uncoveredTo = Math.max(uncoveredTo, toSeqNr);
        }
    }

    /** A delete was acknowledged to a node. */
    void deleted(long toSeqNr, String node) {
        deletedTo.merge(node, toSeqNr, Math::max);
    }

    /** The highest sequence number whose delete was acknowledged. */
    long deletedTo() {
        return deletedTo.values().stream().mapToLong(Long::longValue).max().orElse(0);
    }

    /** The same, on one node. */
    long deletedTo(String node) {
        return deletedTo.getOrDefault(node, 0L);
    }

    /** Whether no recovery needs the event any more. */
    boolean isDeletable(long seqNr) {
        return seqNr <= Math.max(uncoveredTo, coveredTo);
    }

    private boolean mayHaveExpired(String event, long nowNanos) {
        Duration life = subject.eventLife();
        return life != null && nowNanos - sentNanos.getOrDefault(event, nowNanos) > life.toNanos() - CLOCKS_NANOS;
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
     * @param found the events after it
     */
    void recovered(
            String who,
            Expectation expected,
            long snapshotSeqNr,
            SortedMap<Long, String> snapshot,
            Replay.Found found) {
        SortedMap<Long, String> state = new TreeMap<>(snapshot);
        state.putAll(replayed(who, snapshotSeqNr, found.highest(), found));
        snapshot.forEach((seqNr, event) -> observe(seqNr, event, "is in the snapshot that " + who + " received"));
        checkComplete(who, expected, state, found.highest());
        checkSentHere(who, expected, state);
        checkWhole(who, snapshotSeqNr, state);
    }

    /** A recovery shows what its node had in flight when it began. */
    private void checkSentHere(String who, Expectation expected, SortedMap<Long, String> state) {
        for (SortedMap<Long, String> events : expected.sentHere) {
            long first = events.firstKey();
            String event = Objects.requireNonNull(events.get(first));
            if (isDeletable(first) || event.equals(state.get(first)) || mayHaveExpired(event, now())) {
                continue;
            }
            if (event.equals(acknowledged.get(first))) {
                throw violation(
                        who + " lacks " + events + ", which its node had sent before and which was acknowledged");
            }
            inFlight.stream().filter(sent -> sent.events == events).forEach(sent -> sent.lackedBy.add(who));
        }
    }

    /** Checks the order of events, and that none of them was deleted. */
    private SortedMap<Long, String> replayed(String who, long after, long highest, Replay.Found found) {
        SortedMap<Long, String> events = new TreeMap<>();
        long last = after;
        for (Map.Entry<Long, String> event : found.events()) {
            if (event.getKey() <= last || event.getKey() > highest) {
                throw violation(who + " received sequence number " + event.getKey() + " after " + last
                        + ", and the highest is " + highest);
            }
            last = event.getKey();
            if (last <= found.deletedTo() && !subject.has(Limit.LATE_REQUESTS)) {
                throw violation(who + " received " + event + ", although events up to " + found.deletedTo()
                        + " were deleted before");
            }
            observe(event.getKey(), event.getValue(), "was replayed to " + who);
            events.put(event.getKey(), event.getValue());
        }
        return events;
    }

    private void checkComplete(String who, Expectation expected, SortedMap<Long, String> state, long highest) {
        long now = now();
        expected.acknowledged.tailMap(uncoveredTo + 1).forEach((seqNr, event) -> {
            if (!event.equals(state.get(seqNr)) && !mayHaveExpired(event, now)) {
                throw violation(who + " lacks the acknowledged event " + event + " at " + seqNr + "; it has "
                        + state.tailMap(uncoveredTo + 1));
            }
        });
        if (!expected.acknowledged.isEmpty() && expected.acknowledged.lastKey() > highest) {
            throw violation(who + " found the highest sequence number " + highest + ", but "
                    + expected.acknowledged.lastKey() + " was acknowledged");
        }
    }

    /** A read of a range has ended: only its limits explain what it lacks. */
    void read(String who, Expectation expected, SeqRange range, Replay.Found found) {
        SortedMap<Long, String> events = replayed(who, range.from() - 1, range.to(), found);
        long last = events.isEmpty() ? 0 : events.lastKey();
        long now = now();
        for (Map.Entry<Long, String> due :
                expected.acknowledged.tailMap(range.from()).entrySet()) {
            long seqNr = due.getKey();
            if (seqNr > range.to() || (seqNr > last && isCut(range, events.size(), last, seqNr))) {
                break;
            }
            if (!isDeletable(seqNr) && !events.containsKey(seqNr) && !mayHaveExpired(due.getValue(), now)) {
                throw violation(who + " lacks the acknowledged event " + due.getValue() + " at " + seqNr + "; it has "
                        + events);
            }
        }
        if (range.granularity() == SeqRange.Granularity.WHOLE_WRITES) {
            checkWhole(who, range.from() - 1, events);
        }
    }

    /** A query has delivered an event. */
    void queried(long seqNr, String event) {
        observe(seqNr, event, "was delivered by a query");
    }

    /** @param tagged whether the query asked for a tag */
    void checkQueried(String query, Collection<String> delivered, boolean tagged) {
        String lacking = lacking(delivered, tagged);
        if (lacking != null) {
            throw violation(query + " has not delivered the acknowledged event " + lacking);
        }
    }

    /** An event that a query has to deliver, and has not; null if there is none. */
    @Nullable
    String lacking(Collection<String> delivered, boolean tagged) {
        long now = now();
        for (Map.Entry<Long, String> due : acknowledged.entrySet()) {
            String event = due.getValue();
            if (!isDeletable(due.getKey())
                    && !delivered.contains(event)
                    && !mayHaveExpired(event, now)
                    && (!tagged || isTagged(event))) {
                return event + " at " + due.getKey();
            }
        }
        return null;
    }

    /** Whether queries must list the persistence id. */
    boolean hasEvents() {
        long now = now();
        return acknowledged.entrySet().stream()
                .anyMatch(each -> !isDeletable(each.getKey()) && !mayHaveExpired(each.getValue(), now));
    }

    /** Whether an event has the tag of {@link SliceQueries#TAG}. */
    static boolean isTagged(String event) {
        return (event.charAt(event.length() - 1) - '0') % 2 == 0;
    }

    /** Whether the limits of a range leave out an event that follows those found, or a write between them. */
    private boolean isCut(SeqRange range, int found, long last, long seqNr) {
        return range.granularity() == SeqRange.Granularity.SINGLE_EVENTS
                ? found >= range.max()
                : attempted.stream()
                        .filter(write -> write.lastKey() > last && write.firstKey() <= seqNr)
                        .anyMatch(write -> write.lastKey() > range.to()
                                || found + write.tailMap(range.from()).size() > range.max());
    }

    /** Of an atomic write that no delete and no snapshot reaches, all events are there or none. */
    private void checkWhole(String who, long snapshotSeqNr, SortedMap<Long, String> state) {
        long above = Math.max(Math.max(snapshotSeqNr, uncoveredTo), coveredTo);
        Set<String> seen = new HashSet<>(state.values());
        for (SortedMap<Long, String> write : attempted) {
            if (write.firstKey() > above
                    && !mayHaveExpired(write.values().iterator().next(), now())) {
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
                if (!event.equals(write.state.get(seqNr)) && !mayHaveExpired(event, write.atNanos)) {
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
