package io.dynajournal.internal.layout.akka2;

import io.dynajournal.exception.StoreException;
import io.dynajournal.internal.dynamo.Dynamo;
import io.dynajournal.internal.dynamo.Item;
import io.dynajournal.internal.layout.akka2.Akka2Items.Row;
import io.dynajournal.internal.layout.akka2.Akka2Items.Visibility;
import io.dynajournal.internal.layout.akka2.Akka2Table.WriteState;
import io.dynajournal.internal.model.SeqRange;
import io.dynajournal.internal.model.SliceRange;
import io.dynajournal.internal.model.StoredEvent;
import io.dynajournal.internal.store.PageToken;
import io.dynajournal.internal.store.Pages;
import io.dynajournal.internal.store.SliceIndex;
import io.dynajournal.internal.store.SlicePartition;
import io.dynajournal.internal.store.SliceRow;
import io.dynajournal.internal.store.Stages;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;

/**
 * The slice index of 2.x: a partition for each slice of an entity type, a row for each event with all its attributes. A row
 * does not hold the time of the event before it, so a reader checks the table when it first sees a persistence id.
 */
final class Akka2SliceIndex implements SliceIndex {

    private static final int BACKWARD_PAGE_ITEMS = 10;

    private record Next(Map<String, AttributeValue> key) implements PageToken {}

    /** A row of the index. */
    private record IndexRow(Row row) implements SliceRow.Content {}

    /** An event of the table. */
    private record TableEvent(StoredEvent event) implements SliceRow.Content {}

    private final Dynamo dynamo;
    private final Akka2Journal settings;
    private final Akka2Table table;
    private final Akka2Reader reader;

    Akka2SliceIndex(Dynamo dynamo, Akka2Journal settings) {
        this.dynamo = dynamo;
        this.settings = settings;
        this.table = new Akka2Table(dynamo, settings);
        this.reader = new Akka2Reader(dynamo, settings);
    }

    @Override
    public long nowMicros() {
        return dynamo.nowMicros();
    }

    @Override
    public CompletionStage<List<SlicePartition>> partitions(SliceRange slices) {
        return CompletableFuture.failedFuture(unknownTypes());
    }

    private UnsupportedOperationException unknownTypes() {
        return new UnsupportedOperationException("Table " + settings.tableName()
                + " (layout akka2) has no list of entity types, which a query by tag needs. Set query.entity-types to the"
                + " entity types to query; the layout commits keeps a list of them.");
    }

    /** Sends no request: there is a partition for each slice. */
    @Override
    public CompletionStage<List<SlicePartition>> partitions(String entityType, SliceRange slices) {
        return CompletableFuture.completedFuture(Akka2Items.partitions(entityType, slices));
    }

    @Override
    public CompletionStage<RowPage> read(
            SlicePartition partition, long fromMicros, long toMicros, @Nullable PageToken start, int limit) {
        return dynamo.query(QueryRequest.builder()
                        .tableName(settings.tableName())
                        .indexName(settings.sliceIndex())
                        .keyConditionExpression("#slice = :slice AND #ts BETWEEN :from AND :to")
                        .expressionAttributeNames(Map.of("#slice", Akka2Items.ENTITY_TYPE_SLICE, "#ts", Akka2Items.TS))
                        .expressionAttributeValues(Map.of(
                                ":slice", AttributeValue.fromS(partition.name()),
                                ":from", Akka2Table.number(fromMicros),
                                ":to", Akka2Table.number(toMicros)))
                        .limit(limit)
                        .exclusiveStartKey(start == null ? null : ((Next) start).key()))
                .thenCompose(page -> visible(page.items())
                        .thenApply(rows -> new RowPage(rows, page.next() == null ? null : new Next(page.next()))));
    }

    /** Without deleted and expired events, and without incomplete large writes, which become visible later. */
    private CompletionStage<List<SliceRow>> visible(List<Item> items) {
        long now = table.nowSeconds();
        List<SliceRow> rows = new ArrayList<>();
        Map<String, WriteState> writes = new HashMap<>();
        return Pages.drain(0, index -> {
                    if (index >= items.size()) {
                        return CompletableFuture.completedFuture(null);
                    }
                    Item item = items.get(index);
                    Row row = Akka2Items.row(item);
                    if (isDeletedOrExpired(row, now)) {
                        return CompletableFuture.completedFuture(index + 1);
                    }
                    return state(item.text(Akka2Items.PID), row, writes).thenApply(state -> {
                        if (state == WriteState.COMMITTED) {
                            rows.add(row(row));
                        }
                        return index + 1;
                    });
                })
                .thenApply(done -> rows);
    }

    private boolean isDeletedOrExpired(Row row, long nowSeconds) {
        boolean expired = row.expiry() <= nowSeconds || row.expiryMarker() <= nowSeconds;
        return row.isDeleted() || (expired && table.checksExpiry(row.item().text(Akka2Items.PID)));
    }

    private CompletionStage<WriteState> state(String persistenceId, Row row, Map<String, WriteState> writes) {
        String write = row.write();
        if (write == null) {
            return CompletableFuture.completedFuture(WriteState.COMMITTED);
        }
        WriteState before = writes.get(write);
        return before == null
                ? table.writeState(persistenceId, row).whenComplete((state, failure) -> {
                    if (failure == null) {
                        writes.put(write, state);
                    }
                })
                : CompletableFuture.completedFuture(before);
    }

    private static SliceRow row(Row row) {
        return row(
                row.item().text(Akka2Items.PID),
                row.seqNr(),
                row.ts(),
                row.item().texts(Akka2Items.TAGS),
                new IndexRow(row));
    }

    private static SliceRow row(String persistenceId, long seqNr, long ts, Set<String> tags, SliceRow.Content content) {
        return new SliceRow(persistenceId, seqNr, seqNr, ts, seqNr == 1 ? 0 : SliceRow.UNKNOWN, tags, content);
    }

    @Override
    public CompletionStage<List<SliceRow>> between(
            String persistenceId, long afterSeqNr, long beforeSeqNr, long fromMicros, int limit) {
        return Stages.guarded(() -> fromMicros == 0
                ? upwards(persistenceId, afterSeqNr + 1, beforeSeqNr - 1, limit)
                : lowest(persistenceId, afterSeqNr + 1, beforeSeqNr - 1, fromMicros)
                        .thenCompose(first -> upwards(persistenceId, first, beforeSeqNr - 1, limit)));
    }

    /** Rows with their events, because these are delivered next. */
    private CompletionStage<List<SliceRow>> upwards(String persistenceId, long from, long to, int limit) {
        List<SliceRow> rows = new ArrayList<>();
        if (from > to) {
            return CompletableFuture.completedFuture(rows);
        }
        SeqRange range = SeqRange.singleEvents(from, to, limit);
        return Pages.<Akka2Cursor>drain(
                        null,
                        start -> reader.read(persistenceId, range, start).thenApply(page -> {
                            page.events()
                                    .forEach(event -> rows.add(row(
                                            persistenceId,
                                            event.seqNr(),
                                            event.timestampMicros(),
                                            event.event().tags(),
                                            new TableEvent(event))));
                            return (Akka2Cursor) page.next();
                        }))
                .<List<SliceRow>>thenApply(read -> rows)
                .exceptionally(failure -> {
                    // A large write was completed in the meantime; a retry reads it.
                    Throwable cause = Stages.unwrap(failure);
                    throw cause instanceof StoreException.LogMoved moved
                            ? new StoreException.Unavailable(String.valueOf(moved.getMessage()), moved)
                            : new CompletionException(cause);
                });
    }

    /** The sequence number of the first event of that time or later; times rise with the sequence numbers. */
    private CompletionStage<Long> lowest(String persistenceId, long from, long to, long fromMicros) {
        long[] lowest = {to + 1};
        if (from > to) {
            return CompletableFuture.completedFuture(lowest[0]);
        }
        return Pages.<Map<String, AttributeValue>>drain(
                        null,
                        start -> table.itemsWithoutPayloadDownwards(
                                        persistenceId, from, to, start == null ? 1 : BACKWARD_PAGE_ITEMS, start)
                                .thenApply(page -> {
                                    for (Item item : page.items()) {
                                        Row row = Akka2Items.row(item);
                                        if (row.ts() < fromMicros) {
                                            return null;
                                        }
                                        lowest[0] = row.seqNr();
                                    }
                                    return page.next();
                                }))
                .thenApply(read -> lowest[0]);
    }

    @Override
    public CompletionStage<List<List<StoredEvent>>> events(List<SliceRow> rows) {
        List<Map<String, AttributeValue>> keys = rows.stream()
                .filter(row ->
                        row.content() instanceof IndexRow shown && !shown.row().hasEvent())
                .map(row -> Akka2Table.key(row.persistenceId(), row.seqNr()))
                .distinct()
                .toList();
        // Only for an index that was created without payloads.
        CompletionStage<Map<Map<String, AttributeValue>, Row>> read = keys.isEmpty()
                ? CompletableFuture.completedFuture(Map.of())
                : dynamo.getAll(settings.tableName(), keys).thenApply(Akka2SliceIndex::byKey);
        return read.thenApply(
                found -> rows.stream().map(row -> event(row, found)).toList());
    }

    private static Map<Map<String, AttributeValue>, Row> byKey(List<Item> items) {
        Map<Map<String, AttributeValue>, Row> rows = new HashMap<>();
        for (Item item : items) {
            Row row = Akka2Items.row(item);
            rows.put(Akka2Table.key(item.text(Akka2Items.PID), row.seqNr()), row);
        }
        return rows;
    }

    private List<StoredEvent> event(SliceRow row, Map<Map<String, AttributeValue>, Row> found) {
        if (row.content() instanceof TableEvent stored) {
            return List.of(stored.event());
        }
        Row indexed = ((IndexRow) row.content()).row();
        Row whole = indexed.hasEvent() ? indexed : found.get(Akka2Table.key(row.persistenceId(), row.seqNr()));
        return whole == null
                        || whole.visibility(table.nowSeconds(), table.checksExpiry(row.persistenceId()))
                                != Visibility.EVENT
                ? List.of()
                : List.of(whole.event(settings.fallbackStore()));
    }
}
