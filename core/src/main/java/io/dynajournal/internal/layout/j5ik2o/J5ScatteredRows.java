package io.dynajournal.internal.layout.j5ik2o;

import io.dynajournal.internal.dynamo.Dynamo;
import io.dynajournal.internal.dynamo.Item;
import io.dynajournal.internal.store.Pages;
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
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Reads the rows of a persistence id that are spread over partitions or not sorted by sequence number. They are read by their
 * computed keys, consistently, a window of sequence numbers at a time. The index is a hint only: where to continue after an
 * empty window, and where to begin the search for the end. From there every sequence number is read from the table until a
 * whole window is empty, so a lagging index hides no row.
 *
 * <p>A row of up to 4 KB costs one read unit, where a Query would add up the sizes of several rows.
 */
final class J5ScatteredRows implements J5Rows {

    private static final int MAX_WINDOW = 100;
    /** This many sequence numbers without a row are the end of the log. */
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
     * The index shows roughly where the log ends and how large its rows are. Its last row may be under another key. If the rows up to there fit into one window, they
     * and the sequence numbers after them are read with one request.
     */
    @Override
    public CompletionStage<Opening> open(String persistenceId, long from) {
        return index.highest(persistenceId).thenCompose(hint -> {
            long shown = hint.map(items::seqNr).orElse(0L);
            long first = Math.max(1, Math.min(from, shown));
            long end = Math.max(from - 1, shown) + TAIL;
            boolean fits = end > 0 && end - first < (hint.isEmpty() ? TAIL : nextWindow(List.of(hint.get())));
            return fits
                    ? openWithOneRead(persistenceId, from, first, end, hint)
                    : first(persistenceId, from, Long.MAX_VALUE)
                            .thenCompose(page -> lastFrom(persistenceId, Math.max(1, shown), hint)
                                    .thenApply(last -> new Opening(page, last)));
        });
    }

    private CompletionStage<Opening> openWithOneRead(
            String persistenceId, long from, long first, long end, Optional<Item> hint) {
        return window(persistenceId, first, end).thenCompose(rows -> {
            Optional<Item> highest =
                    Stream.concat(hint.stream(), rows.stream()).max(Comparator.comparingLong(items::seqNr));
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
                    .thenApply(lowest -> new Page(
                            rows,
                            lowest.map(row -> Position.at(items.seqNr(row))).orElse(null)));
        });
    }

    /** The number of rows in about a megabyte, if the next rows are as large as these. */
    private static int nextWindow(List<Item> rows) {
        long bytes = rows.stream().mapToLong(Item::size).sum();
        return (int) Math.max(1, Math.min(MAX_WINDOW, PAGE_BYTES * (long) rows.size() / Math.max(1, bytes)));
    }

    @Override
    public CompletionStage<Optional<Item>> last(String persistenceId) {
        return index.highest(persistenceId)
                .thenCompose(
                        hint -> lastFrom(persistenceId, hint.map(items::seqNr).orElse(1L), hint));
    }

    /**
     * Searches for the last row from a sequence number on, until a whole window is empty.
     *
     * @param known the highest row so far; valid even if it was deleted in the meantime, because its sequence number was used
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

    /**
     * The rows of these sequence numbers, in order. They are not read at one moment: a row that is missing before one that was
     * found may have been stored in between, so it is looked for once more.
     */
    private CompletionStage<List<Item>> window(String persistenceId, long from, long to) {
        return rows(persistenceId, LongStream.rangeClosed(from, to)).thenCompose(found -> {
            Set<Long> present = found.stream().map(items::seqNr).collect(Collectors.toSet());
            List<Long> missing = found.isEmpty()
                    ? List.of()
                    : LongStream.range(items.seqNr(found.get(0)), items.seqNr(found.get(found.size() - 1)))
                            .boxed()
                            .filter(seqNr -> !present.contains(seqNr))
                            .toList();
            return missing.isEmpty()
                    ? CompletableFuture.completedFuture(found)
                    : rows(persistenceId, missing.stream().mapToLong(seqNr -> seqNr))
                            .thenApply(late -> items.inOrder(
                                    Stream.concat(found.stream(), late.stream()).toList()));
        });
    }

    /** In order, without rows of other persistence ids under the same keys. */
    private CompletionStage<List<Item>> rows(String persistenceId, LongStream seqNrs) {
        Set<Long> wanted = seqNrs.boxed().collect(Collectors.toSet());
        Set<Map<String, AttributeValue>> keys = new LinkedHashSet<>();
        wanted.forEach(seqNr -> keys.add(items.key(persistenceId, seqNr).attributes()));
        return dynamo.getAll(settings.tableName(), new ArrayList<>(keys))
                .thenApply(rows -> items.read(persistenceId, rows, wanted));
    }
}
