package io.dynajournal.internal.layout.j5ik2o;

import io.dynajournal.internal.dynamo.Dynamo;
import io.dynajournal.internal.dynamo.Item;
import io.dynajournal.internal.store.Pages;
import java.util.ArrayList;
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
 * Reads the rows of a persistence id that are under keys of several resolvers, as the predecessor does: through the index, which
 * shows rows under any key. The index may lag, so the sequence numbers that it does not show, and those after its last row, are
 * read from the table, consistently, under each key that the predecessor's resolvers or the configured ones return.
 */
final class J5MixedRows implements J5Rows {

    /** Rows that the index does not show yet are recent, and few. More missing sequence numbers than this are a gap. */
    private static final int MAX_MISSING = 100;
    /** This many sequence numbers without a row are the end of the log. */
    private static final int TAIL = Position.FIRST_WINDOW;

    private final Dynamo dynamo;
    private final J5Journal settings;
    private final J5Items items;
    private final J5Index index;

    J5MixedRows(Dynamo dynamo, J5Journal settings, J5Index index) {
        this.dynamo = dynamo;
        this.settings = settings;
        this.items = settings.items();
        this.index = index;
    }

    @Override
    public CompletionStage<Opening> open(String persistenceId, long from) {
        return first(persistenceId, from, Long.MAX_VALUE)
                .thenCompose(page -> last(persistenceId).thenApply(last -> new Opening(page, last)));
    }

    @Override
    public CompletionStage<Page> page(String persistenceId, long to, Position position) {
        long from = position.from();
        if (from > to) {
            return CompletableFuture.completedFuture(new Page(List.of(), null));
        }
        return index.page(persistenceId, from, to).thenCompose(shown -> {
            long lastShown = shown.items().isEmpty()
                    ? from - 1
                    : items.seqNr(shown.items().get(shown.items().size() - 1));
            boolean more = shown.next() != null;
            long end = more ? lastShown : after(lastShown, to);
            return missing(persistenceId, from, end, shown.items()).thenApply(late -> {
                List<Item> rows = items.inOrder(
                        Stream.concat(shown.items().stream(), late.stream()).toList());
                long lastRead = rows.isEmpty() ? from - 1 : items.seqNr(rows.get(rows.size() - 1));
                return new Page(rows, more || lastRead > lastShown ? Position.at(lastRead + 1) : null);
            });
        });
    }

    private static long after(long seqNr, long to) {
        return to - seqNr < TAIL ? to : seqNr + TAIL;
    }

    private CompletionStage<List<Item>> missing(String persistenceId, long from, long to, List<Item> shown) {
        Set<Long> present = shown.stream().map(items::seqNr).collect(Collectors.toSet());
        long first = Math.max(from, to - MAX_MISSING - shown.size());
        return rows(
                persistenceId,
                LongStream.rangeClosed(first, to)
                        .filter(seqNr -> !present.contains(seqNr))
                        .boxed()
                        .toList());
    }

    @Override
    public CompletionStage<Optional<Item>> last(String persistenceId) {
        return index.highest(persistenceId).thenCompose(shown -> {
            AtomicReference<Optional<Item>> last = new AtomicReference<>(shown);
            return Pages.drain(
                            shown.map(items::seqNr).orElse(0L),
                            highest -> rows(
                                            persistenceId,
                                            LongStream.rangeClosed(highest + 1, after(highest, Long.MAX_VALUE))
                                                    .boxed()
                                                    .toList())
                                    .thenApply(rows -> {
                                        if (rows.isEmpty()) {
                                            return null;
                                        }
                                        Item found = rows.get(rows.size() - 1);
                                        last.set(Optional.of(found));
                                        return items.seqNr(found);
                                    }))
                    .thenApply(done -> last.get());
        });
    }

    /** In order, without rows of other persistence ids under the same keys. */
    private CompletionStage<List<Item>> rows(String persistenceId, List<Long> seqNrs) {
        // Two pairs of resolvers may return the same key; DynamoDB rejects a key that is asked for twice.
        Set<Map<String, AttributeValue>> keys = seqNrs.stream()
                .flatMap(seqNr -> items.possibleKeys(persistenceId, seqNr).stream())
                .map(Item::attributes)
                .collect(Collectors.toCollection(LinkedHashSet::new));
        Set<Long> wanted = Set.copyOf(seqNrs);
        return dynamo.getAll(settings.tableName(), new ArrayList<>(keys))
                .thenApply(rows -> items.read(persistenceId, rows, wanted));
    }
}
