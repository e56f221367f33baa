package io.dynajournal.cli.copy;

import io.dynajournal.cli.copy.Store.Journal;
import io.dynajournal.exception.StoreException;
import io.dynajournal.internal.model.SeqRange;
import io.dynajournal.internal.model.StoredEvent;
import java.util.Iterator;

/**
 * Reads the copied part of a log back and compares count and digest with what was read from the source. Only if they differ are
 * both logs compared event by event: events may have been deleted since.
 */
final class LogCheck {

    private final Journal source;
    private final Journal target;

    LogCheck(Journal source, Journal target) {
        this.source = source;
        this.target = target;
    }

    /** @throws CopyConflict if the logs differ */
    void check(String persistenceId, Position copied) {
        if (isSame(persistenceId, copied)) {
            return;
        }
        new LogComparison(source, target).compare(persistenceId).ifPresent(difference -> {
            throw new CopyConflict(target.table(), difference);
        });
    }

    private boolean isSame(String persistenceId, Position copied) {
        EventComparison comparison = new EventComparison(source.format(), target.format());
        Position found = Position.after(copied.from());
        try {
            Iterator<StoredEvent> events = new EventPages(
                            target.log(),
                            persistenceId,
                            SeqRange.singleEvents(copied.from() + 1, copied.to(), Long.MAX_VALUE))
                    .events();
            while (events.hasNext()) {
                found = found.plus(comparison.kept(events.next()));
            }
        } catch (StoreException.LogMoved deleted) {
            return false;
        }
        return found.hasSameEvents(copied);
    }
}
