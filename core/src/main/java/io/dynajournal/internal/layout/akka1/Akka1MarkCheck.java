package io.dynajournal.internal.layout.akka1;

import io.dynajournal.internal.store.Finding;
import io.dynajournal.internal.store.FindingKind;
import io.dynajournal.internal.store.LogCheck;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** Compares the high mark with the end of the log. A mark is stored at every hundredth sequence number, before its event. */
final class Akka1MarkCheck implements LogCheck {

    private final Akka1Reader reader;
    private final Akka1Marks marks;

    Akka1MarkCheck(Akka1Reader reader, Akka1Marks marks) {
        this.reader = reader;
        this.marks = marks;
    }

    @Override
    public CompletionStage<List<Finding>> check(String persistenceId) {
        return reader.tail(persistenceId).thenApply(tail -> {
            long end = tail.end().seqNr();
            long high = tail.marks().high();
            long marked = Akka1Keys.partition(high);
            String detail = "the high mark is " + high + ", the log ends at " + end;
            if (Akka1Keys.partition(end) > marked) {
                return List.of(Finding.of(FindingKind.LOW_HIGH_MARK, persistenceId, end, detail)
                        .with(
                                "raise the high mark to " + Akka1Keys.start(Akka1Keys.partition(end)),
                                () -> marks.raiseHigh(persistenceId, end)));
            }
            // The mark of the next event may be stored although its writer stopped before it stored the event.
            return high > end + 1
                    ? List.of(Finding.of(FindingKind.HIGH_MARK_AHEAD, persistenceId, end, detail))
                    : List.of();
        });
    }
}
