package io.dynajournal.internal.layout.akka2;

import io.dynajournal.internal.dynamo.Dynamo;
import io.dynajournal.internal.dynamo.Item;
import io.dynajournal.internal.dynamo.ItemPage;
import io.dynajournal.internal.layout.akka2.Akka2Items.Row;
import io.dynajournal.internal.layout.akka2.Akka2Items.Visibility;
import io.dynajournal.internal.store.Pages;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;

/** The requests to the journal table that reading, writing and deleting share. All reads are consistent. */
final class Akka2Table {

    /** The state of a write that is too large for one transaction. */
    enum WriteState {
        COMMITTED,
        /** Its first event is stored, others may be missing; it may still be committed. */
        OPEN,
        /** Its writer did not complete it, and another write replaced its first event. */
        ABANDONED
    }

    /** All attributes but payloads: reading them costs the same units, and fewer bytes on the wire. */
    private static final List<String> WITHOUT_PAYLOAD = List.of(
            Akka2Items.PID,
            Akka2Items.SEQ_NR,
            Akka2Items.TS,
            Akka2Items.WRITER,
            Akka2Items.DEL,
            Akka2Items.EXPIRY,
            Akka2Items.EXPIRY_MARKER,
            Akka2Items.LAST,
            Akka2Items.FIRST,
            Akka2Items.WRITE,
            Akka2Items.OPEN);

    private static final int SEARCH_PAGE_ITEMS = 1000;

    private final Dynamo dynamo;
    private final Akka2Journal settings;

    Akka2Table(Dynamo dynamo, Akka2Journal settings) {
        this.dynamo = dynamo;
        this.settings = settings;
    }

    long nowSeconds() {
        return dynamo.nowMicros() / 1_000_000;
    }

    boolean checksExpiry(String persistenceId) {
        return settings.timeToLive().of(persistenceId).checkExpiry();
    }

    /** Whole items in order, up to 1 MB per page. */
    CompletionStage<ItemPage> items(
            String persistenceId, long from, long to, @Nullable Map<String, AttributeValue> start) {
        return dynamo.query(query(persistenceId, from, to, start));
    }

    /** Items in order, without payloads. */
    CompletionStage<ItemPage> itemsWithoutPayload(
            String persistenceId, long from, long to, @Nullable Map<String, AttributeValue> start) {
        return dynamo.query(withoutPayload(query(persistenceId, from, to, start)));
    }

    /** Items from the highest sequence number downwards, without payloads. */
    CompletionStage<ItemPage> itemsWithoutPayloadDownwards(
            String persistenceId, long from, long to, int limit, @Nullable Map<String, AttributeValue> start) {
        return dynamo.query(withoutPayload(query(persistenceId, from, to, start))
                .scanIndexForward(false)
                .limit(limit));
    }

    /**
     * The highest item up to a sequence number that is neither expired nor part of an incomplete write. Such items may be above
     * it, so the search continues downwards; DynamoDB applies a limit before a filter.
     */
    CompletionStage<Optional<Row>> highest(String persistenceId, long to) {
        long now = nowSeconds();
        boolean check = checksExpiry(persistenceId);
        AtomicReference<@Nullable Row> found = new AtomicReference<>();
        Map<String, WriteState> known = new HashMap<>();
        return Pages.<Map<String, AttributeValue>>drain(
                        null,
                        start -> itemsWithoutPayloadDownwards(
                                        persistenceId, 0, to, start == null ? 1 : SEARCH_PAGE_ITEMS, start)
                                .thenCompose(page -> firstCommitted(
                                                persistenceId,
                                                page.items().stream()
                                                        .map(Akka2Items::row)
                                                        .filter(row -> row.visibility(now, check) != Visibility.NONE)
                                                        .toList(),
                                                known)
                                        .thenApply(row -> {
                                            found.set(row.orElse(null));
                                            return row.isPresent() ? null : page.next();
                                        })))
                .thenApply(done -> Optional.ofNullable(found.get()));
    }

    /** The first row that is not part of an incomplete write. */
    CompletionStage<Optional<Row>> firstCommitted(String persistenceId, List<Row> rows, Map<String, WriteState> known) {
        AtomicReference<@Nullable Row> found = new AtomicReference<>();
        return Pages.drain(0, index -> {
                    if (index >= rows.size()) {
                        return CompletableFuture.completedFuture(null);
                    }
                    Row row = rows.get(index);
                    String write = row.write();
                    if (write == null) {
                        found.set(row);
                        return CompletableFuture.completedFuture(null);
                    }
                    WriteState before = known.get(write);
                    CompletionStage<WriteState> state =
                            before == null ? writeState(persistenceId, row) : CompletableFuture.completedFuture(before);
                    return state.thenApply(is -> {
                        known.put(write, is);
                        if (is != WriteState.COMMITTED) {
                            return index + 1;
                        }
                        found.set(row);
                        return null;
                    });
                })
                .thenApply(done -> Optional.ofNullable(found.get()));
    }

    /**
     * The state of the large write of a row. Its first event holds it. If that was deleted, a tombstone between proves that the
     * write was committed, because only visible events are deleted.
     */
    CompletionStage<WriteState> writeState(String persistenceId, Row row) {
        WriteState own = writeStateFrom(row, row);
        if (own != null) {
            return CompletableFuture.completedFuture(own);
        }
        AtomicReference<WriteState> state = new AtomicReference<>(WriteState.ABANDONED);
        return Pages.<Map<String, AttributeValue>>drain(
                        null,
                        start -> itemsWithoutPayload(persistenceId, row.first(), row.seqNr(), start)
                                .thenApply(page -> {
                                    for (Item item : page.items()) {
                                        Row earlier = Akka2Items.row(item);
                                        WriteState known = writeStateFrom(earlier, row);
                                        if (known != null) {
                                            state.set(known);
                                            return null;
                                        }
                                        if (earlier.seqNr() == row.first()) {
                                            return null;
                                        }
                                    }
                                    return page.next();
                                }))
                .thenApply(done -> state.get());
    }

    /** The state of the large write of {@code row}, as far as {@code other} proves it; null if it does not. */
    static @Nullable WriteState writeStateFrom(Row other, Row row) {
        if (row.write() == null || !row.write().equals(other.write())) {
            return null;
        }
        if (other.seqNr() == other.first()) {
            return other.isOpen() ? WriteState.OPEN : WriteState.COMMITTED;
        }
        return other.isDeleted() || other.item().has(Akka2Items.EXPIRY_MARKER) ? WriteState.COMMITTED : null;
    }

    private QueryRequest.Builder query(
            String persistenceId, long from, long to, @Nullable Map<String, AttributeValue> start) {
        return QueryRequest.builder()
                .tableName(settings.tableName())
                .consistentRead(true)
                .keyConditionExpression("#pid = :pid AND #seq_nr BETWEEN :from AND :to")
                .expressionAttributeNames(Map.of("#pid", Akka2Items.PID, "#seq_nr", Akka2Items.SEQ_NR))
                .expressionAttributeValues(
                        Map.of(":pid", AttributeValue.fromS(persistenceId), ":from", number(from), ":to", number(to)))
                .exclusiveStartKey(start);
    }

    private static QueryRequest.Builder withoutPayload(QueryRequest.Builder query) {
        return query.projectionExpression(
                        WITHOUT_PAYLOAD.stream().map(name -> "#" + name).collect(Collectors.joining(", ")))
                .expressionAttributeNames(names(WITHOUT_PAYLOAD));
    }

    static Map<String, String> names(List<String> attributes) {
        return attributes.stream().collect(Collectors.toMap(name -> "#" + name, name -> name));
    }

    static Map<String, AttributeValue> key(String persistenceId, long seqNr) {
        return Map.of(
                Akka2Items.PID, AttributeValue.fromS(persistenceId),
                Akka2Items.SEQ_NR, number(seqNr));
    }

    static AttributeValue number(long value) {
        return AttributeValue.fromN(Long.toString(value));
    }
}
