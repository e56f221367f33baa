package io.dynajournal.layout.j5ik2o;

import io.dynajournal.dynamo.Dynamo;
import io.dynajournal.dynamo.Item;
import io.dynajournal.dynamo.ItemPage;
import io.dynajournal.store.Pages;
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
 * Rows of an id that are in one partition, in order: a Query by key finds them. Other ids may have rows among them, which
 * are passed over, so a page may be empty and is not the last one.
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
     * The row in front is read too: with a snapshot that is often where the log ends. The end is asked for by itself only if
     * there are more pages, or nothing was found behind a beginning that may be deleted.
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

    /** A head reads without an upper bound; what goes on from there may have one, and DynamoDB refuses to start behind it. */
    private boolean isBeyond(Map<String, AttributeValue> start, String persistenceId, long to) {
        String sort = settings.columns().sortKey();
        AttributeValue at = value(start, sort);
        return settings.columns().sortsByNumber()
                ? Long.parseLong(at.n()) >= to
                : at.s()
                                .compareTo(value(items.key(persistenceId, to).attributes(), sort)
                                        .s())
                        >= 0;
    }

    @Override
    public CompletionStage<Optional<Item>> last(String persistenceId) {
        AtomicReference<@Nullable Item> found = new AtomicReference<>();
        // DynamoDB takes the limit before the filter: behind one row of another id there may still be one of ours.
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
