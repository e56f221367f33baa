package io.dynajournal.cli.copy;

import io.dynajournal.cli.copy.Difference.What;
import io.dynajournal.cli.copy.Store.Journal;
import io.dynajournal.exception.StoreException;
import io.dynajournal.internal.model.StoredEvent;
import java.util.Iterator;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Compares the log of one persistence id in two tables, page by page, to its first difference. */
final class LogComparison {

    private static final int MAX_ATTEMPTS = 5;

    private final Journal one;
    private final Journal other;

    LogComparison(Journal one, Journal other) {
        this.one = one;
        this.other = other;
    }

    Optional<Difference> compare(String persistenceId) {
        for (int attempt = 1; ; attempt++) {
            try {
                return compareOnce(persistenceId);
            } catch (StoreException.LogMoved deleted) {
                if (attempt == MAX_ATTEMPTS) {
                    throw deleted;
                }
            }
        }
    }

    private Optional<Difference> compareOnce(String persistenceId) {
        Iterator<StoredEvent> ofOne =
                EventPages.from(one.log(), persistenceId, 1).events();
        Iterator<StoredEvent> ofOther =
                EventPages.from(other.log(), persistenceId, 1).events();
        EventComparison comparison = new EventComparison(one.format(), other.format());
        while (ofOne.hasNext() && ofOther.hasNext()) {
            StoredEvent left = ofOne.next();
            StoredEvent right = ofOther.next();
            @Nullable
            String difference = left.seqNr() < right.seqNr()
                    ? only(one)
                    : left.seqNr() > right.seqNr() ? only(other) : comparison.difference(left, right);
            if (difference != null) {
                return difference(persistenceId, Math.min(left.seqNr(), right.seqNr()), difference);
            }
        }
        if (ofOne.hasNext()) {
            return difference(persistenceId, ofOne.next().seqNr(), only(one));
        }
        if (ofOther.hasNext()) {
            return difference(persistenceId, ofOther.next().seqNr(), only(other));
        }
        return compareEnds(persistenceId);
    }

    private static String only(Journal journal) {
        return "only in table " + journal.table();
    }

    /** The next event of an entity follows the end, which may be above the last event. */
    private Optional<Difference> compareEnds(String persistenceId) {
        long end = Blocking.result(one.log().end(persistenceId)).seqNr();
        long otherEnd = Blocking.result(other.log().end(persistenceId)).seqNr();
        return end == otherEnd
                ? Optional.empty()
                : difference(
                        persistenceId,
                        Math.min(end, otherEnd) + 1,
                        "the log ends at " + end + " in table " + one.table() + ", at " + otherEnd + " in table "
                                + other.table());
    }

    private static Optional<Difference> difference(String persistenceId, long seqNr, String detail) {
        return Optional.of(new Difference(persistenceId, What.EVENT, seqNr, detail));
    }
}
