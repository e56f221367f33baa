package io.dynajournal.testkit.history;

import io.dynajournal.exception.StoreException;
import io.dynajournal.internal.model.Event;
import io.dynajournal.internal.model.EventBatch;
import io.dynajournal.internal.model.Payload;
import io.dynajournal.internal.model.SeqRange;
import io.dynajournal.internal.model.SnapshotCriteria;
import io.dynajournal.internal.model.StoredEvent;
import io.dynajournal.internal.model.StoredSnapshot;
import io.dynajournal.internal.store.SnapshotTable;
import io.dynajournal.internal.store.Stages;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
    private final int maxBytes;
    private final TreeMap<Long, String> state = new TreeMap<>();
    private Life life = Life.RECOVERING;
    private long seqNr;
    private long snapshotSeqNr;
    private long confirmed;
    private boolean written;
    private boolean lastRejected;
    private int inFlight;
    private long lastActiveNanos;
    private int events;
    private @Nullable Throwable recoveryFailure;

    Incarnation(String name, String persistenceId, String writer, Node node, EntityHistory history, int maxBytes) {
        this.name = name;
        this.persistenceId = persistenceId;
        this.writer = writer;
        this.node = node;
        this.history = history;
        this.maxBytes = maxBytes;
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
        EntityHistory.Expectation expected = history.expectation();
        begin();
        loaded().thenCompose(snapshot -> replay(expected, snapshot)).whenComplete((done, failure) -> {
            end();
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
        List<Map.Entry<Long, String>> replayed = new ArrayList<>();
        return node.journal()
                .highestSeqNr(persistenceId, from, this)
                .thenCompose(highest -> node.journal()
                        .replay(persistenceId, SeqRange.wholeWrites(from, highest, Long.MAX_VALUE), page -> {
                            page.forEach(event -> replayed.add(Map.entry(event.seqNr(), text(event))));
                            return CompletableFuture.completedFuture(null);
                        })
                        .thenAccept(done -> {
                            SortedMap<Long, String> base =
                                    snapshot.map(Incarnation::state).orElseGet(TreeMap::new);
                            history.recovered(name, expected, from - 1, base, replayed, highest);
                            state.putAll(base);
                            replayed.forEach(event -> state.put(event.getKey(), event.getValue()));
                            // As the toolkits do it: the snapshot counts where the log ends before it.
                            seqNr = Math.max(highest, from - 1);
                            snapshotSeqNr = from - 1;
                            confirmed = seqNr;
                        }));
    }

    private static String text(StoredEvent event) {
        return text(event.event().payload());
    }

    private static String text(Payload payload) {
        String text = new String(payload.bytes(), StandardCharsets.UTF_8);
        int blank = text.indexOf(' ');
        return blank < 0 ? text : text.substring(0, blank);
    }

    private static SortedMap<Long, String> state(StoredSnapshot snapshot) {
        SortedMap<Long, String> state = new TreeMap<>();
        String text = text(snapshot.payload());
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
                write.add(Event.of(payload(text + incompressible(Math.min(padding, maxBytes), events))));
            }
            batch.add(write);
            contents.add(content);
            history.attempted(content);
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
    private static String incompressible(int count, long seed) {
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
        state.putAll(content);
        confirmed = Math.max(confirmed, content.lastKey());
        written = true;
        history.acknowledged(name, content, state);
    }

    /** A toolkit stops an entity whose write has failed. */
    private void failed(SortedMap<Long, String> content, Throwable failure) {
        life = Life.OVER;
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

    void reject() {
        if (mayWrite()) {
            seqNr++;
            lastRejected = true;
            node.journal().rejected(persistenceId, writer);
        }
    }

    /**
     * Saves the state, unless writes are in flight: a snapshot is of events that are stored.
     *
     * @param onlyAfterOwnWrite whether an incarnation that has not written may not save
     */
    void snapshot(boolean onlyAfterOwnWrite) {
        boolean maySave = written || !onlyAfterOwnWrite;
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
                    }
                });
    }

    /** Deletes what the last snapshot covers, as retention criteria do, and older snapshots. */
    void delete() {
        long to = snapshotSeqNr;
        if (!mayWrite() || to == 0) {
            return;
        }
        history.deleting(to, true);
        begin();
        node.journal().deleteTo(persistenceId, to).whenComplete((deleted, failure) -> end());
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
        history.deleting(to, false);
        begin();
        node.journal().deleteTo(persistenceId, to).whenComplete((deleted, failure) -> end());
    }

    void stop() {
        life = Life.OVER;
    }

    @Override
    public String toString() {
        return name;
    }
}
