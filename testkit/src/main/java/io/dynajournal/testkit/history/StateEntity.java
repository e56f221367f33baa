package io.dynajournal.testkit.history;

import io.dynajournal.exception.StoreException;
import io.dynajournal.internal.model.Payload;
import io.dynajournal.internal.model.StateChange;
import io.dynajournal.internal.model.StoredState;
import io.dynajournal.internal.store.Stages;
import io.dynajournal.internal.store.StateTable;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One life of an entity with a durable state: it reads its state, changes it, one change after another, and stops after a failure. */
final class StateEntity {

    /** Instead of a size: the state is deleted. */
    static final int DELETE = -1;

    private static final int SERIALIZER = 17;

    private final String name;
    private final String persistenceId;
    private final Node node;
    private final StateTable table;
    private final StateHistory history;
    private long revision;
    private String state = "";
    private boolean inFlight;
    private boolean over;
    private int changes;
    private @Nullable Throwable failure;

    StateEntity(String name, String persistenceId, Node node, StateTable table, StateHistory history) {
        this.name = name;
        this.persistenceId = persistenceId;
        this.node = node;
        this.table = table;
        this.history = history;
    }

    boolean isOver() {
        return over || node.isCrashed();
    }

    /** Whether a node that goes on left a request without an outcome. */
    boolean hangs() {
        return !node.isCrashed() && inFlight;
    }

    /** Why its state could not be read; null if it could. */
    @Nullable
    Throwable failure() {
        return failure;
    }

    void start() {
        long expected = history.acknowledged();
        inFlight = true;
        table.get(persistenceId).whenComplete((found, thrown) -> {
            inFlight = false;
            if (thrown == null) {
                revision = found.map(StoredState::revision).orElse(0L);
                state = text(found);
                history.read(name, expected, revision, state);
            } else {
                failure = Stages.unwrap(thrown);
                over = true;
            }
        });
    }

    /** The text of a state; empty if it is deleted, or if there is none. */
    static String text(Optional<StoredState> found) {
        Payload payload = found.map(StoredState::payload).orElse(null);
        return payload == null ? "" : Replay.text(payload);
    }

    /** @param padding characters that make the state larger, or {@link #DELETE} */
    void change(int padding) {
        boolean deletes = padding == DELETE;
        if (isOver() || inFlight || (deletes && state.isEmpty())) {
            return;
        }
        long next = revision + 1;
        String changed = deletes ? "" : name + "." + ++changes;
        StateChange change = deletes
                ? StateChange.delete(persistenceId, next)
                : StateChange.update(persistenceId, next, payload(changed, padding), "");
        inFlight = true;
        table.write(change).whenComplete((stored, thrown) -> {
            inFlight = false;
            if (thrown == null) {
                history.acknowledged(name, state, next, changed);
                revision = next;
                state = changed;
            } else {
                failed(changed, Stages.unwrap(thrown));
            }
        });
    }

    private void failed(String changed, Throwable thrown) {
        over = true;
        if (!(thrown instanceof StoreException)) {
            throw history.violation(name + ": a change failed with " + thrown);
        }
        if (thrown instanceof StoreException.RevisionConflict conflict
                && conflict.outcome() == StoreException.Outcome.NOTHING_CHANGED
                && !changed.isEmpty()) {
            history.refused(changed, String.valueOf(thrown.getMessage()));
        }
    }

    private static Payload payload(String text, int padding) {
        String padded = text + Incarnation.incompressible(padding, text.hashCode());
        return new Payload(SERIALIZER, "", padded.getBytes(StandardCharsets.UTF_8));
    }

    void stop() {
        over = true;
    }

    @Override
    public String toString() {
        return name;
    }
}
