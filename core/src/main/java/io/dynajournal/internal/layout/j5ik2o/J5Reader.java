package io.dynajournal.internal.layout.j5ik2o;

import io.dynajournal.internal.dynamo.Dynamo;
import io.dynajournal.internal.dynamo.Item;
import io.dynajournal.internal.layout.GapReporter;
import io.dynajournal.internal.model.SeqRange;
import io.dynajournal.internal.store.EventPage;
import io.dynajournal.internal.store.LogEnd;
import io.dynajournal.internal.store.LogHead;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Reads the rows of a persistence id in order, consistently, under the keys of the configured resolvers.
 *
 * <p>The predecessor reads rows through its index, under whatever keys, and changed its default resolvers in 1.12: rows under
 * keys of other resolvers may precede, interrupt and follow ours. So the index is asked where sequence numbers are missing, and
 * for its last row, and where it shows rows under other keys, {@link J5MixedRows} reads on. {@code look-for-other-keys = off}
 * declares that there are none.
 */
final class J5Reader {

    private final Dynamo dynamo;
    private final J5Items items;
    private final J5Index index;
    private final J5Rows rows;
    private final J5Rows mixed;
    private final GapReporter gaps;
    private final boolean otherKeys;
    /** Whether the search for the end reads the index, and so finds rows under other keys. */
    private final boolean endByIndex;

    J5Reader(Dynamo dynamo, J5Journal settings) {
        this.dynamo = dynamo;
        this.items = settings.items();
        this.gaps = new GapReporter(settings.tableName(), settings.fatalGaps());
        this.otherKeys = settings.otherKeys();
        this.endByIndex = !settings.isInOrder();
        this.index = new J5Index(dynamo, settings);
        this.rows = settings.isInOrder()
                ? new J5OrderedRows(dynamo, settings)
                : new J5ScatteredRows(dynamo, settings, index);
        this.mixed = new J5MixedRows(dynamo, settings, index);
    }

    CompletionStage<LogHead> head(String persistenceId, long from) {
        return opening(persistenceId, from, 0)
                .thenCombine(
                        lastShown(persistenceId),
                        (opening, shown) -> last(persistenceId, opening.last(), shown)
                                .thenCompose(last -> {
                                    J5Rows.Page page = opening.page();
                                    J5Cursor found =
                                            new J5Cursor(page.rows(), page.next(), false, J5Walk.State.before(from));
                                    long end = page.next() == null
                                            ? last.map(items::seqNr).orElse(0L)
                                            : lastOf(found);
                                    return withOthers(persistenceId, end, found, endsUnderOtherKey(last))
                                            .thenApply(cursor -> new LogHead(end(last), cursor));
                                }))
                .thenCompose(head -> head);
    }

    /**
     * The first rows and the last one. If the last one is read after the rows, it may have been stored in between: then the
     * rows are read again, because the end must not be after what is replayed.
     *
     * @param known the last sequence number that an earlier attempt found. If the rows still lack it, it was deleted.
     */
    private CompletionStage<J5Rows.Opening> opening(String persistenceId, long from, long known) {
        return rows.open(persistenceId, from).thenCompose(opening -> {
            List<Item> found = opening.page().rows();
            long read = found.isEmpty() ? from - 1 : items.seqNr(found.get(found.size() - 1));
            long last = opening.last().map(items::seqNr).orElse(0L);
            return opening.page().next() == null && last > read && last != known
                    ? opening(persistenceId, from, last)
                    : CompletableFuture.completedFuture(opening);
        });
    }

    CompletionStage<LogEnd> end(String persistenceId) {
        return lastRow(persistenceId).thenApply(this::end);
    }

    private LogEnd end(Optional<Item> last) {
        long now = dynamo.nowMicros() / 1000;
        return last.map(row -> new LogEnd(items.seqNr(row), items.ordering(row) * 1000, items.writer(row), now))
                .orElseGet(() -> LogEnd.empty(now));
    }

    private CompletionStage<Optional<Item>> lastRow(String persistenceId) {
        return rows.last(persistenceId)
                .thenCombine(lastShown(persistenceId), (ours, shown) -> last(persistenceId, ours, shown))
                .thenCompose(last -> last);
    }

    /** The last row that the index shows; empty if the index need not be asked. */
    private CompletionStage<Optional<Item>> lastShown(String persistenceId) {
        return otherKeys && !endByIndex
                ? index.highest(persistenceId)
                : CompletableFuture.completedFuture(Optional.empty());
    }

    /** The last row, from the last one under our keys and the last one that the index shows. */
    private CompletionStage<Optional<Item>> last(String persistenceId, Optional<Item> ours, Optional<Item> shown) {
        boolean others = shown.or(() -> ours).filter(items::hasOtherKey).isPresent();
        return others && otherKeys ? mixed.last(persistenceId) : CompletableFuture.completedFuture(ours);
    }

    CompletionStage<EventPage> read(String persistenceId, SeqRange range, @Nullable J5Cursor start) {
        if (range.isEmpty()) {
            return CompletableFuture.completedFuture(new EventPage(List.of(), 0, true, null));
        }
        CompletionStage<J5Cursor> cursor = start == null
                ? open(persistenceId, range.from(), range.to())
                : start.rows().isEmpty()
                        ? more(persistenceId, range.to(), start)
                        : CompletableFuture.completedFuture(start);
        return cursor.thenCompose(at -> withTrailingGap(persistenceId, range, at, page(persistenceId, range, at)));
    }

    /**
     * The last sequence numbers of the range may have no row. They count as read if the log continues after them, and if no rows
     * under other keys can be there that the index does not show yet.
     */
    private CompletionStage<EventPage> withTrailingGap(
            String persistenceId, SeqRange range, J5Cursor cursor, EventPage page) {
        boolean endsBefore = page.next() == null && !page.cut() && page.coveredTo() < range.to();
        if (!endsBefore || range.to() == Long.MAX_VALUE) {
            return CompletableFuture.completedFuture(page);
        }
        return lastRow(persistenceId).thenApply(last -> {
            if (last.filter(row -> items.seqNr(row) >= range.to()).isEmpty()) {
                return page;
            }
            J5Walk.State state = new J5Walk.State(
                    page.coveredTo(), cursor.state().taken() + page.events().size(), true);
            return endsUnderOtherKey(last) && !cursor.mixed()
                    ? new EventPage(
                            page.events(),
                            page.coveredTo(),
                            false,
                            new J5Cursor(List.of(), J5Rows.Position.at(page.coveredTo() + 1), true, state))
                    : new EventPage(page.events(), range.to(), false, null);
        });
    }

    private EventPage page(String persistenceId, SeqRange range, J5Cursor cursor) {
        J5Walk walk = new J5Walk(persistenceId, range, items, gaps, cursor.state());
        for (Item row : cursor.rows()) {
            walk.accept(items.entry(row));
            if (walk.isFinished()) {
                return new EventPage(walk.events(), walk.state().covered(), true, null);
            }
        }
        J5Cursor rest = cursor.after(walk.state());
        return new EventPage(walk.events(), walk.state().covered(), false, rest.isAtEnd() ? null : rest);
    }

    /** The first rows from a sequence number on. */
    CompletionStage<J5Cursor> open(String persistenceId, long from, long to) {
        return rows.first(persistenceId, from, to)
                .thenCompose(page -> ours(persistenceId, to, page, J5Walk.State.before(from)));
    }

    /** The next rows; a cursor without rows is at the end. */
    CompletionStage<J5Cursor> more(String persistenceId, long to, J5Cursor cursor) {
        J5Rows.Position next = cursor.next();
        if (next == null || next.from() > to) {
            return CompletableFuture.completedFuture(new J5Cursor(List.of(), null, false, cursor.state()));
        }
        return cursor.mixed()
                ? mixed.page(persistenceId, to, next)
                        .thenApply(page -> new J5Cursor(page.rows(), page.next(), true, cursor.state()))
                : rows.page(persistenceId, to, next).thenCompose(page -> ours(persistenceId, to, page, cursor.state()));
    }

    private CompletionStage<J5Cursor> ours(String persistenceId, long to, J5Rows.Page page, J5Walk.State state) {
        J5Cursor found = new J5Cursor(page.rows(), page.next(), false, state);
        return withOthers(persistenceId, page.next() == null ? to : lastOf(found), found, false);
    }

    private long lastOf(J5Cursor cursor) {
        List<Item> found = cursor.rows();
        return found.isEmpty() ? cursor.state().covered() : items.seqNr(found.get(found.size() - 1));
    }

    /**
     * The rows under our keys. If sequence numbers are missing among them up to {@code to}, and the index shows rows under other
     * keys there, only the rows before those, and then rows under any key.
     *
     * @param othersKnown whether the last row is under another key: then rows under any key are read also if the index does not
     *     show those that are missing yet
     */
    private CompletionStage<J5Cursor> withOthers(String persistenceId, long to, J5Cursor found, boolean othersKnown) {
        if (!otherKeys) {
            return CompletableFuture.completedFuture(found);
        }
        long expected = found.state().covered() + 1;
        long firstMissing = 0;
        long lastMissing = 0;
        for (Item row : found.rows()) {
            J5Items.Entry entry = items.entry(row);
            if (entry.seqNr() > expected) {
                firstMissing = firstMissing == 0 ? expected : firstMissing;
                lastMissing = entry.seqNr() - 1;
            }
            expected = Math.max(expected, entry.skipTo() + 1);
        }
        if (expected <= to) {
            firstMissing = firstMissing == 0 ? expected : firstMissing;
            lastMissing = to;
        }
        if (firstMissing == 0) {
            return CompletableFuture.completedFuture(found);
        }
        long missing = firstMissing;
        return index.lowestOfOthers(persistenceId, firstMissing, lastMissing)
                .thenApply(other -> othersKnown
                        ? mixedFrom(missing, found)
                        : other.map(row -> mixedFrom(items.seqNr(row), found)).orElse(found));
    }

    private J5Cursor mixedFrom(long seqNr, J5Cursor found) {
        return new J5Cursor(
                found.rows().stream().filter(row -> items.seqNr(row) < seqNr).toList(),
                J5Rows.Position.at(seqNr),
                true,
                found.state());
    }

    private boolean endsUnderOtherKey(Optional<Item> last) {
        return otherKeys && last.filter(items::hasOtherKey).isPresent();
    }
}
