package io.dynajournal.testkit.history;

import io.dynajournal.exception.StoreException;
import io.dynajournal.internal.model.Event;
import io.dynajournal.internal.model.EventBatch;
import io.dynajournal.internal.model.Payload;
import io.dynajournal.internal.model.SeqRange;
import io.dynajournal.internal.model.SnapshotCriteria;
import io.dynajournal.internal.model.StoredSnapshot;
import io.dynajournal.internal.store.SnapshotTable;
import io.dynajournal.internal.store.Stages;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * One life of an entity on a node, as the toolkits make it: it loads its snapshot, replays, writes, and stops after a failed write.
 * Its state is all events that it has seen.
 */
final class Incarnation {

    private static final int SERIALIZER = 17;

    private enum Life {
        RECOVERING,
        ALIVE,
        OVER
    }

    private final String name;
    private final String persistenceId;
    private final String writer;
    private final Node node;
    private final EntityHistory history;
    private final Subject subject;
    private final TreeMap<Long, String> state = new TreeMap<>();
    private Life life = Life.RECOVERING;
    private long seqNr;
    private long snapshotSeqNr;
    private long confirmed;
    private boolean recovering;
    private boolean written;
    private boolean lastRejected;
    private boolean failed;
    private int inFlight;
    private long lastActiveNanos;
    private int events;
    private @Nullable Throwable recoveryFailure;

    Incarnation(String name, String writer, Node node, EntityHistory history, Subject subject) {
        this.name = name;
        this.persistenceId = history.persistenceId();
        this.writer = writer;
        this.node = node;
        this.history = history;
        this.subject = subject;
    }

    boolean isOver() {
        return life == Life.OVER || node.isCrashed();
    }

    /** Whether it may still have requests in flight or send some. */
    boolean isQuiet(long sinceNanos) {
        return (node.isCrashed() || (life == Life.OVER && inFlight == 0)) && lastActiveNanos < sinceNanos;
    }

    /** Whether a node that goes on left a request without an outcome. */
    boolean hangs() {
        return !node.isCrashed() && (inFlight > 0 || life == Life.RECOVERING);
    }

    /** Whether another writer has followed on what this one has seen last, so that any delete leaves what stops this one. */
    boolean isOvertaken() {
        String next = history.event(confirmed + 1);
        // One that was stopped while it recovers goes on to read.
        return !recovering && next != null && !writerOf(next).equals(name) && !isByLastWriter(next);
    }

    private boolean isByLastWriter(String next) {
        String last = history.event(confirmed);
        return confirmed > 0 && (last == null || writerOf(last).equals(writerOf(next)));
    }

    private static String writerOf(String event) {
        return event.substring(0, event.indexOf('.'));
    }

    /** Why the recovery failed; null if it did not. */
    @Nullable
    Throwable recoveryFailure() {
        return recoveryFailure;
    }

    private void begin() {
        inFlight++;
        lastActiveNanos = node.nanoTime();
    }

    private void end() {
        inFlight--;
        lastActiveNanos = node.nanoTime();
    }

    void start() {
        EntityHistory.Expectation expected = history.expectation(node.name());
        recovering = true;
        begin();
        loaded().thenCompose(snapshot -> replay(expected, snapshot)).whenComplete((done, failure) -> {
            end();
            recovering = false;
            if (failure == null) {
                life = life == Life.RECOVERING ? Life.ALIVE : life;
            } else {
                life = Life.OVER;
                recoveryFailure = Stages.unwrap(failure);
            }
        });
    }

    private CompletionStage<Optional<StoredSnapshot>> loaded() {
        SnapshotTable snapshots = node.snapshots();
        return snapshots == null
                ? CompletableFuture.completedFuture(Optional.empty())
                : snapshots.load(persistenceId, SnapshotCriteria.ALL);
    }

    private CompletionStage<Void> replay(EntityHistory.Expectation expected, Optional<StoredSnapshot> snapshot) {
        long from = snapshot.map(StoredSnapshot::seqNr).orElse(0L) + 1;
        return Replay.of(node, history, from, this, highest -> SeqRange.wholeWrites(from, highest, Long.MAX_VALUE))
                .thenAccept(found -> {
                    if (history.isPassed(expected, from - 1)) {
                        throw new IllegalStateException("It began before a snapshot whose events are deleted");
                    }
                    SortedMap<Long, String> base =
                            snapshot.map(Incarnation::state).orElseGet(TreeMap::new);
                    history.recovered(name, expected, from - 1, base, found);
                    state.putAll(base);
                    found.events().forEach(event -> state.put(event.getKey(), event.getValue()));
                    // As the toolkits do it: the snapshot counts where the log ends before it.
                    seqNr = Math.max(found.highest(), from - 1);
                    snapshotSeqNr = from - 1;
                    confirmed = seqNr;
                });
    }

    private static SortedMap<Long, String> state(StoredSnapshot snapshot) {
        SortedMap<Long, String> state = new TreeMap<>();
        String text = Replay.text(snapshot.payload());
        if (!text.isEmpty()) {
            for (String entry : text.split(",", -1)) {
                int colon = entry.indexOf(':');
                state.put(Long.parseLong(entry.substring(0, colon)), entry.substring(colon + 1));
            }
        }
        return state;
    }

    private boolean mayWrite() {
        return life == Life.ALIVE && !node.isCrashed();
    }

    /**
     * Sends a batch of atomic writes.
     *
     * @param padding characters that make each event larger
     */
    void persist(int writes, int eventsEach, int padding) {
        if (!mayWrite()) {
            return;
        }
        long first = seqNr + 1;
        List<List<Event>> batch = new ArrayList<>();
        List<SortedMap<Long, String>> contents = new ArrayList<>();
        for (int w = 0; w < writes; w++) {
            List<Event> write = new ArrayList<>();
            SortedMap<Long, String> content = new TreeMap<>();
            for (int e = 0; e < eventsEach; e++) {
                String text = name + "." + ++events;
                content.put(++seqNr, text);
                write.add(new Event(
                        payload(text + incompressible(Math.min(padding, subject.maxBytes()), events)),
                        "",
                        node.layout().format().tags() && EntityHistory.isTagged(text)
                                ? Set.of(SliceQueries.TAG)
                                : Set.of(),
                        null));
            }
            batch.add(write);
            contents.add(content);
            history.attempted(node.name(), content);
        }
        lastRejected = false;
        begin();
        node.journal()
                .append(new EventBatch(persistenceId, writer, first, batch), this)
                .whenComplete((stored, failure) -> {
                    end();
                    if (failure == null) {
                        contents.forEach(this::stored);
                    } else {
                        contents.forEach(content -> failed(content, Stages.unwrap(failure)));
                    }
                });
    }

    /** Begins with a blank, which ends the event's text. Compressed events would not need parts. */
    static String incompressible(int count, long seed) {
        if (count == 0) {
            return "";
        }
        SplittableRandom random = new SplittableRandom(seed);
        StringBuilder text = new StringBuilder(" ");
        for (int i = 1; i < count; i++) {
            text.append((char) ('!' + random.nextInt(90)));
        }
        return text.toString();
    }

    private static Payload payload(String text) {
        return new Payload(SERIALIZER, "", text.getBytes(StandardCharsets.UTF_8));
    }

    private void stored(SortedMap<Long, String> content) {
        if (failed) {
            throw history.violation(
                    name + ": " + content + " was stored after an earlier write of this writer has failed");
        }
        state.putAll(content);
        confirmed = Math.max(confirmed, content.lastKey());
        written = true;
        history.acknowledged(name, content, state);
    }

    /** A toolkit stops an entity whose write has failed. */
    private void failed(SortedMap<Long, String> content, Throwable failure) {
        life = Life.OVER;
        failed = true;
        history.failed(content);
        boolean neverSent = String.valueOf(failure.getMessage()).startsWith("Not sent:");
        // A layout may store the atomic writes of a batch one after another; those before the conflict stay.
        boolean conflicts = failure instanceof StoreException.WriteConflict conflict
                && content.firstKey() >= conflict.seqNr()
                && String.valueOf(conflict.getMessage()).endsWith("nothing of this write was stored.");
        if (conflicts || neverSent) {
            history.refused(content, String.valueOf(failure.getMessage()));
        } else if (!(failure instanceof StoreException)) {
            throw history.violation(name + ": a write failed with " + failure);
        }
    }

    void reject(int count) {
        if (mayWrite()) {
            seqNr += count;
            lastRejected = true;
            node.journal().rejected(persistenceId, writer);
        }
    }

    /** Saves the state, unless writes are in flight: a snapshot is of events that are stored. */
    void snapshot() {
        snapshot(() -> {});
    }

    /** @param afterwards runs when it is saved */
    void snapshot(Runnable afterwards) {
        boolean maySave = written || !subject.has(Limit.SNAPSHOTS_BEFORE_WRITES);
        SnapshotTable snapshots = node.snapshots();
        if (!mayWrite() || snapshots == null || lastRejected || inFlight > 0 || seqNr == 0 || !maySave) {
            return;
        }
        long at = seqNr;
        StringBuilder text = new StringBuilder();
        state.forEach((seq, event) ->
                text.append(text.isEmpty() ? "" : ",").append(seq).append(':').append(event));
        begin();
        snapshots
                .save(new StoredSnapshot(
                        persistenceId, at, node.dynamo().nowMicros() / 1000, payload(text.toString()), null))
                .whenComplete((saved, failure) -> {
                    end();
                    if (failure == null) {
                        snapshotSeqNr = Math.max(snapshotSeqNr, at);
                        afterwards.run();
                    } else if (!node.isCrashed()) {
                        begin();
                        snapshots.deleteAfterFailedSave(persistenceId, at).whenComplete((deleted, failed) -> end());
                    }
                });
    }

    /** Deletes what the last snapshot covers, as retention criteria do, and older snapshots. */
    void delete() {
        long to = snapshotSeqNr;
        if (!mayWrite() || to == 0) {
            return;
        }
        deleteTo(to, true);
        SnapshotTable snapshots = node.snapshots();
        if (snapshots != null && to > 1) {
            begin();
            snapshots
                    .delete(persistenceId, new SnapshotCriteria(0, to - 1, 0, Long.MAX_VALUE))
                    .whenComplete((deleted, failure) -> end());
        }
    }

    /** Deletes confirmed events without a snapshot; the toolkits accept no delete beyond the last confirmed one. */
    void deleteUncovered(int keep) {
        long to = Math.max(0, confirmed - keep + 1);
        if (!mayWrite() || to == 0) {
            return;
        }
        deleteTo(to, false);
    }

    private void deleteTo(long to, boolean covered) {
        history.deleting(to, covered);
        begin();
        node.journal().deleteTo(persistenceId, to).whenComplete((deleted, failure) -> {
            end();
            if (failure == null) {
                history.deleted(to, node.name());
            }
        });
    }

    /** Lets confirmed events expire, as a clean-up does. */
    void expire(int keep, Duration life) {
        long to = Math.max(0, confirmed - keep + 1);
        if (!mayWrite() || to == 0 || subject.has(Limit.NO_EXPIRY)) {
            return;
        }
        history.deleting(to, false);
        begin();
        node.journal()
                .expireTo(persistenceId, to, node.dynamo().nowMicros() / 1_000_000 + life.toSeconds(), false)
                .whenComplete((expiring, failure) -> end());
    }

    void stop() {
        life = Life.OVER;
    }

    @Override
    public String toString() {
        return name;
    }
}
