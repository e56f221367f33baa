package io.dynajournal.layout.j5ik2o;

import io.dynajournal.dynamo.Dynamo;
import io.dynajournal.dynamo.Item;
import io.dynajournal.layout.Holes;
import io.dynajournal.model.SeqRange;
import io.dynajournal.store.EventPage;
import io.dynajournal.store.LogEnd;
import io.dynajournal.store.LogHead;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Reads rows by the keys that our resolvers make, consistently. The predecessor changed its default resolver at 1.12 and
 * left older rows where they were: where rows are missing at the beginning, the index is asked for such older ones. If the
 * newest row has another key, nothing is read, and the resolver that made it is named. {@code look-for-other-keys = off}
 * tells that no such rows exist.
 */
final class J5Reader {

    private final Dynamo dynamo;
    private final J5Items items;
    private final J5Index index;
    private final J5Rows rows;
    private final Holes holes;
    private final boolean otherKeys;
    /** Whether looking for the end asks the index, and so finds keys that are not ours. */
    private final boolean endByIndex;

    J5Reader(Dynamo dynamo, J5Journal settings) {
        this.dynamo = dynamo;
        this.items = settings.items();
        this.holes = new Holes(settings.tableName(), settings.fatalHoles());
        this.otherKeys = settings.otherKeys();
        this.endByIndex = !settings.isInOrder();
        this.index = new J5Index(dynamo, settings);
        this.rows = settings.isInOrder()
                ? new J5OrderedRows(dynamo, settings)
                : new J5ScatteredRows(dynamo, settings, index);
    }

    CompletionStage<LogHead> head(String persistenceId, long from) {
        return rows.open(persistenceId, from).thenCompose(opening -> {
            J5Rows.Page page = opening.page();
            J5Cursor found = new J5Cursor(page.rows(), null, page.next(), J5Walk.State.before(from));
            return behindOlder(persistenceId, from, found, opening.last())
                    .thenApply(cursor -> new LogHead(end(opening.last()), cursor));
        });
    }

    CompletionStage<LogEnd> end(String persistenceId) {
        return rows.last(persistenceId).thenApply(this::end);
    }

    /** The last row, whatever it holds. */
    CompletionStage<Optional<Item>> last(String persistenceId) {
        return rows.last(persistenceId);
    }

    private LogEnd end(Optional<Item> last) {
        long now = dynamo.nowMicros() / 1000;
        return last.map(row -> new LogEnd(items.seqNr(row), items.ordering(row) * 1000, items.writer(row), now))
                .orElseGet(() -> LogEnd.empty(now));
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
        return cursor.thenApply(at -> walked(persistenceId, range, at))
                .thenCompose(page -> reaching(persistenceId, range, page));
    }

    /** The last numbers asked for may have no row. If the log goes on behind them, they are accounted for. */
    private CompletionStage<EventPage> reaching(String persistenceId, SeqRange range, EventPage page) {
        boolean endsBefore = page.next() == null && !page.cut() && page.coveredTo() < range.to();
        if (!endsBefore || range.to() == Long.MAX_VALUE) {
            return CompletableFuture.completedFuture(page);
        }
        return rows.last(persistenceId)
                .thenApply(last ->
                        last.filter(row -> items.seqNr(row) >= range.to()).isPresent()
                                ? new EventPage(page.events(), range.to(), false, null)
                                : page);
    }

    private EventPage walked(String persistenceId, SeqRange range, J5Cursor cursor) {
        J5Walk walk = new J5Walk(persistenceId, range, items, holes, cursor.state());
        for (Item row : cursor.rows()) {
            walk.accept(items.entry(row));
            if (walk.isFinished()) {
                return new EventPage(walk.events(), walk.state().covered(), true, null);
            }
        }
        J5Cursor rest = new J5Cursor(List.of(), cursor.older(), cursor.next(), walk.state());
        return new EventPage(walk.events(), walk.state().covered(), false, rest.isAtEnd() ? null : rest);
    }

    /** The first rows from a number on. */
    CompletionStage<J5Cursor> open(String persistenceId, long from, long to) {
        J5Walk.State state = J5Walk.State.before(from);
        return rows.first(persistenceId, from, to).thenCompose(page -> {
            J5Cursor found = new J5Cursor(page.rows(), null, page.next(), state);
            if (!page.rows().isEmpty()) {
                return behindOlder(persistenceId, from, found, Optional.empty());
            }
            return rows.last(persistenceId)
                    .thenCompose(last ->
                            last.filter(row -> items.seqNr(row) > to).isPresent() && otherKeys
                                    ? older(persistenceId, from, to, null, state)
                                    : behindOlder(persistenceId, from, found, last));
        });
    }

    /**
     * What was found, or rows under other keys if some lie in front of it. If there is nothing at all, the log is new, or
     * its keys are not ours.
     */
    private CompletionStage<J5Cursor> behindOlder(
            String persistenceId, long from, J5Cursor found, Optional<Item> last) {
        if (!otherKeys) {
            return CompletableFuture.completedFuture(found);
        }
        if (!found.rows().isEmpty()) {
            long first = items.seqNr(found.rows().get(0));
            return first <= from
                    ? CompletableFuture.completedFuture(found)
                    : older(persistenceId, from, first - 1, null, found.state())
                            .thenApply(before -> before.isAtEnd() ? found : before);
        }
        return last.isPresent() || endByIndex
                ? CompletableFuture.completedFuture(found)
                : index.highest(persistenceId).thenApply(page -> {
                    page.items().forEach(index::checkKey);
                    return found;
                });
    }

    /** The next rows; a cursor without any is at the end. */
    CompletionStage<J5Cursor> more(String persistenceId, long to, J5Cursor cursor) {
        J5Cursor.Older older = cursor.older();
        if (older != null) {
            return older(persistenceId, 0, older.to(), older.key(), cursor.state());
        }
        J5Rows.Position next = cursor.next();
        if (next == null || next.from() > to) {
            return CompletableFuture.completedFuture(new J5Cursor(List.of(), null, null, cursor.state()));
        }
        return rows.page(persistenceId, to, next)
                .thenApply(page -> new J5Cursor(page.rows(), null, page.next(), cursor.state()));
    }

    /**
     * Rows under other keys, behind which ours begin. What the index shows under our own keys was deleted meanwhile, because
     * the table has just been asked.
     */
    private CompletionStage<J5Cursor> older(
            String persistenceId, long from, long to, @Nullable Map<String, AttributeValue> key, J5Walk.State state) {
        return index.page(persistenceId, from, to, key).thenApply(page -> {
            List<Item> others = page.items().stream()
                    .filter(row -> items.otherOrigin(row) != null)
                    .toList();
            Map<String, AttributeValue> more = page.next();
            if (more != null) {
                return new J5Cursor(others, new J5Cursor.Older(to, more), J5Rows.Position.at(to + 1), state);
            }
            boolean none = others.isEmpty() && key == null;
            return new J5Cursor(others, null, none ? null : J5Rows.Position.at(to + 1), state);
        });
    }
}
