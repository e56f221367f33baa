package io.dynajournal.internal.store;

import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Something in a store that is not as it should be.
 *
 * @param persistenceId empty if it concerns a table
 * @param seqNr where it is; 0 if it concerns the whole log
 * @param detail what was found, in words; never bytes of a payload
 * @param repair what is safe also while entities write; null if nothing is
 */
public record Finding(
        FindingKind kind,
        String persistenceId,
        long seqNr,
        String detail,
        @Nullable Repair repair) {

    /**
     * A repair.
     *
     * @param plan what it does, in words
     * @param action may be repeated, and does nothing if the store has changed meanwhile
     */
    public record Repair(String plan, Supplier<CompletionStage<Void>> action) {}

    /** Nothing can be repaired. */
    public static Finding of(FindingKind kind, String persistenceId, long seqNr, String detail) {
        return new Finding(kind, persistenceId, seqNr, detail, null);
    }

    public Finding with(String plan, Supplier<CompletionStage<Void>> action) {
        return new Finding(kind, persistenceId, seqNr, detail, new Repair(plan, action));
    }

    /** Whether it has stayed as it was: writes in flight do not. */
    public boolean isSameAs(Finding later) {
        return kind == later.kind
                && persistenceId.equals(later.persistenceId)
                && seqNr == later.seqNr
                && detail.equals(later.detail);
    }
}
