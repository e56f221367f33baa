package io.dynajournal.internal.layout.j5ik2o;

import io.dynajournal.internal.dynamo.Dynamo;
import io.dynajournal.internal.dynamo.Item;
import io.dynajournal.internal.dynamo.ItemPage;
import io.dynajournal.internal.store.Pages;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;

/**
 * Reads the rows of a persistence id that are in one partition and in order, with a Query. Rows of other persistence ids in the
 * same partition are filtered out, so an empty page need not be the last one.
 */
final class J5OrderedRows implements J5Rows {

    private final Dynamo dynamo;
    private final J5Journal settings;
    private final J5Items items;

    J5OrderedRows(Dynamo dynamo, J5Journal settings) {
        this.dynamo = dynamo;
        this.settings = settings;
        this.items = settings.items();
    }

    /**
     * Reads the row before {@code from} too, because after a snapshot the log often ends there. The end takes a request of its
     * own only if there are more pages, or if no row was found although earlier ones may be deleted.
     */
    @Override
    public CompletionStage<Opening> open(String persistenceId, long from) {
        List<Item> seen = new ArrayList<>();
        AtomicReference<@Nullable Position> next = new AtomicReference<>();
        return Pages.drain(
                        Position.at(Math.max(0, from - 1)),
                        position -> page(persistenceId, Long.MAX_VALUE, position)
                                .thenApply(page -> {
                                    seen.addAll(page.rows());
                                    next.set(page.next());
                                    boolean found = page.rows().stream().anyMatch(row -> items.seqNr(row) >= from);
                                    return found ? null : page.next();
                                }))
                .thenCompose(done -> {
                    boolean endSeen = next.get() == null && (from <= 1 || !seen.isEmpty());
                    CompletionStage<Optional<Item>> last = endSeen
                            ? CompletableFuture.completedFuture(
                                    seen.isEmpty() ? Optional.empty() : Optional.of(seen.get(seen.size() - 1)))
                            : last(persistenceId);
                    List<Item> rows = seen.stream()
                            .filter(row -> items.seqNr(row) >= from)
                            .toList();
                    return last.thenApply(row -> new Opening(new Page(rows, next.get()), row));
                });
    }

    @Override
    public CompletionStage<Page> page(String persistenceId, long to, Position position) {
        if (position.key() != null && isBeyond(position.key(), persistenceId, to)) {
            return CompletableFuture.completedFuture(new Page(List.of(), null));
        }
        return query(persistenceId, position.from(), to, position.key(), true, settings.pageItems())
                .thenApply(page -> new Page(
                        page.items(),
                        page.next() == null ? null : new Position(position.from(), position.window(), page.next())));
    }

    /** Whether a start key is after the range. The first page has no upper bound; DynamoDB rejects a start key beyond one. */
    private boolean isBeyond(Map<String, AttributeValue> start, String persistenceId, long to) {
        String sort = settings.columns().sortKey();
        AttributeValue at = value(start, sort);
        return settings.columns().sortsBySeqNr()
                ? Long.parseLong(at.n()) >= to
                : at.s()
                                .compareTo(value(items.key(persistenceId, to).attributes(), sort)
                                        .s())
                        >= 0;
    }

    @Override
    public CompletionStage<Optional<Item>> last(String persistenceId) {
        AtomicReference<@Nullable Item> found = new AtomicReference<>();
        // DynamoDB applies the limit before the filter, so after a row of another persistence id the search continues.
        return Pages.<Map<String, AttributeValue>>drain(
                        null,
                        start -> query(
                                        persistenceId,
                                        0,
                                        Long.MAX_VALUE,
                                        start,
                                        false,
                                        start == null ? 1 : settings.pageItems())
                                .thenApply(page -> {
                                    List<Item> rows = page.items();
                                    if (!rows.isEmpty()) {
                                        found.set(rows.get(0));
                                        return null;
                                    }
                                    return page.next();
                                }))
                .thenApply(done -> Optional.ofNullable(found.get()));
    }

    private CompletionStage<ItemPage> query(
            String persistenceId,
            long from,
            long to,
            @Nullable Map<String, AttributeValue> start,
            boolean upwards,
            int limit) {
        Map<String, AttributeValue> first = items.key(persistenceId, from).attributes();
        Map<String, AttributeValue> last = items.key(persistenceId, to).attributes();
        J5Columns columns = settings.columns();
        return dynamo.query(QueryRequest.builder()
                .tableName(settings.tableName())
                .consistentRead(true)
                .scanIndexForward(upwards)
                .keyConditionExpression("#partition = :partition AND #sort BETWEEN :from AND :to")
                .filterExpression("#id = :id")
                .expressionAttributeNames(Map.of(
                        "#partition", columns.partitionKey(),
                        "#sort", columns.sortKey(),
                        "#id", columns.persistenceId()))
                .expressionAttributeValues(Map.of(
                        ":partition", value(first, columns.partitionKey()),
                        ":from", value(first, columns.sortKey()),
                        ":to", value(last, columns.sortKey()),
                        ":id", AttributeValue.fromS(persistenceId)))
                .limit(limit)
                .exclusiveStartKey(start));
    }

    private static AttributeValue value(Map<String, AttributeValue> key, String name) {
        return Objects.requireNonNull(key.get(name));
    }
}
