package io.dynajournal.cli.copy;

import io.dynajournal.cli.copy.Difference.What;
import io.dynajournal.cli.copy.Store.States;
import io.dynajournal.exception.StoreException;
import io.dynajournal.internal.model.StoredState;
import java.util.Optional;

/** Copies the durable state of one persistence id. A lower revision in the target is replaced, anything else is compared. */
final class StateCopy {

    private final States source;
    private final States target;

    StateCopy(States source, States target) {
        this.source = source;
        this.target = target;
    }

    /** Copies it; returns whether the target has the state now, which is false if the source has none any more. */
    boolean copy(String persistenceId) {
        Optional<StoredState> state = Blocking.result(source.states().get(persistenceId));
        if (state.isEmpty()) {
            return false;
        }
        try {
            Blocking.result(target.states().restore(state.get()));
            return true;
        } catch (StoreException.RevisionConflict conflict) {
            throw new CopyConflict(
                    target.table(),
                    new Difference(
                            persistenceId,
                            What.STATE,
                            state.get().revision(),
                            difference(
                                    state.get(), Blocking.result(target.states().get(persistenceId)))));
        }
    }

    static String difference(StoredState one, Optional<StoredState> stored) {
        if (stored.isEmpty()) {
            return "there is none in the other table";
        }
        StoredState other = stored.get();
        if (one.revision() != other.revision()) {
            return "the revision is " + one.revision() + " and " + other.revision();
        }
        if (!one.tag().equals(other.tag())) {
            return "the tag is \"" + one.tag() + "\" and \"" + other.tag() + "\"";
        }
        return "the payload is " + one.payload() + " and " + other.payload() + ", or has other bytes";
    }
}
