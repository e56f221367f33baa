package io.dynajournal.layout.j5ik2o;

import io.dynajournal.dynamo.Dynamo;
import io.dynajournal.dynamo.Item;
import io.dynajournal.store.Pages;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Rows of an id that are spread over partitions or do not sort by number. They are read one by one under computed keys,
 * consistently, a window of numbers at a time. The index only tells how far to jump where a whole window is empty, and where
 * to begin to look for the end; from there on every number is looked for in the table until a whole window is empty, so an
 * index that is behind hides nothing.
 *
 * <p>This costs a read unit per row of up to 4 KB, where a Query would pack rows: the price of consistency under these
 * resolvers.
 */
final class J5ScatteredRows implements J5Rows {

    private static final int LARGEST_WINDOW = 100;
    /** So many numbers without a row are the end. */
    private static final int TAIL = Position.FIRST_WINDOW;

    private static final int PAGE_BYTES = 1 << 20;

    private final Dynamo dynamo;
    private final J5Journal settings;
    private final J5Items items;
    private final J5Index index;

    J5ScatteredRows(Dynamo dynamo, J5Journal settings, J5Index index) {
        this.dynamo = dynamo;
        this.settings = settings;
        this.items = settings.items();
        this.index = index;
    }

    /**
     * The index tells about where the log ends, and how large rows are. If what lies between fits into one window, that and
     * the numbers behind it are read at once.
     */
    @Override
    public CompletionStage<Opening> open(String persistenceId, long from) {
        return index.highest(persistenceId).thenCompose(found -> {
            found.items().forEach(index::checkKey);
            Optional<Item> hint = found.items().stream().findFirst();
            long shown = hint.map(items::seqNr).orElse(0L);
            long first = Math.max(1, Math.min(from, shown));
            long end = Math.max(from - 1, shown) + TAIL;
            boolean fits = end > 0 && end - first < (hint.isEmpty() ? TAIL : nextWindow(found.items()));
            return fits
                    ? atOnce(persistenceId, from, first, end, hint)
                    : first(persistenceId, from, Long.MAX_VALUE)
                            .thenCompose(page -> lastFrom(persistenceId, Math.max(1, shown), hint)
                                    .thenApply(last -> new Opening(page, last)));
        });
    }

    private CompletionStage<Opening> atOnce(
            String persistenceId, long from, long first, long end, Optional<Item> hint) {
        return window(persistenceId, first, end).thenCompose(rows -> {
            Optional<Item> highest = rows.isEmpty() ? hint : Optional.of(rows.get(rows.size() - 1));
            List<Item> wanted =
                    rows.stream().filter(row -> items.seqNr(row) >= from).toList();
            boolean endSeen = highest.map(items::seqNr).orElse(0L) <= end - TAIL;
            return endSeen
                    ? CompletableFuture.completedFuture(new Opening(new Page(wanted, null), highest))
                    : lastFrom(persistenceId, end + 1, highest)
                            .thenApply(last ->
                                    new Opening(new Page(wanted, new Position(end + 1, nextWindow(rows), null)), last));
        });
    }

    @Override
    public CompletionStage<Page> page(String persistenceId, long to, Position position) {
        long from = position.from();
        long end = to - from < position.window() ? to : from + position.window() - 1;
        return window(persistenceId, from, end).thenCompose(rows -> {
            if (end >= to) {
                return CompletableFuture.completedFuture(new Page(rows, null));
            }
            if (!rows.isEmpty()) {
                return CompletableFuture.completedFuture(new Page(rows, new Position(end + 1, nextWindow(rows), null)));
            }
            return index.lowestOfOurs(persistenceId, end + 1, to)
                    .thenApply(there -> new Page(
                            rows,
                            there.map(row -> Position.at(items.seqNr(row))).orElse(null)));
        });
    }

    /** As many numbers as make about a megabyte, if rows go on as they were. */
    private static int nextWindow(List<Item> rows) {
        long bytes = rows.stream().mapToLong(Item::size).sum();
        return (int) Math.max(1, Math.min(LARGEST_WINDOW, PAGE_BYTES * (long) rows.size() / Math.max(1, bytes)));
    }

    @Override
    public CompletionStage<Optional<Item>> last(String persistenceId) {
        return index.highest(persistenceId).thenCompose(found -> {
            found.items().forEach(index::checkKey);
            Optional<Item> hint = found.items().stream().findFirst();
            return lastFrom(persistenceId, hint.map(items::seqNr).orElse(1L), hint);
        });
    }

    /**
     * Looks for the end from a number on, until a whole window is empty.
     *
     * @param known the highest row so far; kept even if the table has lost it meanwhile, because its number has been used
     */
    private CompletionStage<Optional<Item>> lastFrom(String persistenceId, long from, Optional<Item> known) {
        AtomicReference<Optional<Item>> last = new AtomicReference<>(known);
        return Pages.drain(Position.at(from), position -> {
                    long end = Long.MAX_VALUE - position.from() < position.window()
                            ? Long.MAX_VALUE
                            : position.from() + position.window() - 1;
                    return window(persistenceId, position.from(), end).thenApply(rows -> {
                        if (rows.isEmpty()) {
                            return null;
                        }
                        last.set(Optional.of(rows.get(rows.size() - 1)));
                        return end == Long.MAX_VALUE ? null : Position.at(end + 1);
                    });
                })
                .thenApply(done -> last.get());
    }

    /** The rows with these numbers, in order; a row of another id under the same key is none of ours. */
    private CompletionStage<List<Item>> window(String persistenceId, long from, long to) {
        Set<Map<String, AttributeValue>> keys = new LinkedHashSet<>();
        for (long seqNr = from; seqNr - to <= 0; seqNr++) {
            keys.add(items.key(persistenceId, seqNr).attributes());
        }
        return dynamo.getAll(settings.tableName(), new ArrayList<>(keys))
                .thenApply(rows -> rows.stream()
                        .filter(row -> items.persistenceId(row).equals(persistenceId))
                        .sorted(Comparator.comparingLong(items::seqNr))
                        .toList());
    }
}
