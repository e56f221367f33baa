package io.dynajournal.internal.layout.sclasen;

import io.dynajournal.internal.store.Finding;
import io.dynajournal.internal.store.FindingKind;
import io.dynajournal.internal.store.LogCheck;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** Compares the high marks with the end of the log: 0.3 lost marks under load. */
final class SclasenMarkCheck implements LogCheck {

    private final SclasenReader reader;
    private final SclasenWriter writer;

    SclasenMarkCheck(SclasenReader reader, SclasenWriter writer) {
        this.reader = reader;
        this.writer = writer;
    }

    @Override
    public CompletionStage<List<Finding>> check(String persistenceId) {
        return reader.view(persistenceId).thenApply(view -> {
            long end = view.end();
            String detail = "the high mark is " + view.marked() + ", the log ends at " + end;
            if (end > view.marked()) {
                return List.of(Finding.of(FindingKind.LOW_HIGH_MARK, persistenceId, end, detail)
                        .with("raise the high mark to " + end, () -> writer.mark(persistenceId, end)));
            }
            // Without its event, which was neither deleted nor stored, the log ends at the mark all the same.
            return end > view.deletedTo() && !view.hasEvent(end)
                    ? List.of(Finding.of(
                            FindingKind.HIGH_MARK_AHEAD, persistenceId, end, detail + ", where there is no event"))
                    : List.of();
        });
    }
}
