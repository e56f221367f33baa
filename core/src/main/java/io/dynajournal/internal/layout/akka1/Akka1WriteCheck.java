package io.dynajournal.internal.layout.akka1;

import io.dynajournal.internal.layout.akka1.Akka1Items.Entry;
import io.dynajournal.internal.store.Finding;
import io.dynajournal.internal.store.FindingKind;
import io.dynajournal.internal.store.LogCheck;
import io.dynajournal.internal.store.Pages;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Finds atomic writes of which events are missing, by {@code idx} and {@code cnt} of those that are there. */
final class Akka1WriteCheck implements LogCheck {

    private final Akka1Reader reader;

    Akka1WriteCheck(Akka1Reader reader) {
        this.reader = reader;
    }

    @Override
    public CompletionStage<List<Finding>> check(String persistenceId) {
        return reader.tail(persistenceId).thenCompose(tail -> {
            Writes writes = new Writes(persistenceId, tail.marks().firstReadable());
            long end = tail.end().seqNr();
            return Pages.drain(
                            tail.marks().firstReadable(),
                            at -> at == null || at > end
                                    ? CompletableFuture.completedFuture(null)
                                    : reader.entries(persistenceId, at, end).thenApply(page -> {
                                        page.entries().forEach(writes::accept);
                                        return page.next();
                                    }))
                    .thenApply(read -> writes.finish().stream().toList());
        });
    }

    /** Follows the entries of a log in order. */
    private static final class Writes {
        private final String persistenceId;
        private final long lowest;
        private @Nullable Entry before;
        private Optional<Finding> found = Optional.empty();

        Writes(String persistenceId, long lowest) {
            this.persistenceId = persistenceId;
            this.lowest = lowest;
        }

        void accept(Entry entry) {
            @Nullable Entry last = before;
            boolean isOpen = last != null && last.seqNr() < last.last();
            boolean continues =
                    isOpen && last != null && entry.seqNr() == last.seqNr() + 1 && entry.isOfSameWrite(last);
            if (isOpen && !continues) {
                report(last);
            } else if (!isOpen && isMiddle(entry)) {
                report(entry);
            }
            before = entry.isSingle() || entry.isTombstone() ? null : entry;
        }

        private boolean isMiddle(Entry entry) {
            return !entry.isSingle() && !entry.isTombstone() && entry.seqNr() > Math.max(entry.first(), lowest);
        }

        Optional<Finding> finish() {
            @Nullable Entry last = before;
            if (last != null && last.seqNr() < last.last()) {
                report(last);
            }
            return found;
        }

        private void report(@Nullable Entry entry) {
            if (found.isEmpty() && entry != null) {
                found = Optional.of(Finding.of(
                        FindingKind.INCOMPLETE_WRITE,
                        persistenceId,
                        entry.seqNr(),
                        "the write of the sequence numbers " + entry.first() + " to " + entry.last() + " by writer "
                                + entry.writerOrUnknown() + " is not complete"));
            }
        }
    }
}
