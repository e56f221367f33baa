package io.dynajournal.layout.akka2;

import io.dynajournal.dynamo.Dynamo;
import io.dynajournal.dynamo.Item;
import io.dynajournal.dynamo.ItemPage;
import io.dynajournal.layout.akka2.Akka2Items.Row;
import io.dynajournal.layout.akka2.Akka2Items.Sight;
import io.dynajournal.store.Pages;
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

/** What reading, writing and deleting ask of the journal table alike. All reads are consistent. */
final class Akka2Table {

    /** What is known of a write that is too large for one transaction. */
    enum WriteState {
        COMMITTED,
        /** Its first event stands there, the last one may not; it may still be committed. */
        OPEN,
        /** Left behind by a writer that never finished, and whose place was taken. */
        GONE
    }

    /** Without payloads: they cost the same to read, but not to send. */
    private static final List<String> MARKS = List.of(
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

    private static final int SEARCH = 1000;

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

    /** Whole items in order; 1 MB a page. */
    CompletionStage<ItemPage> items(
            String persistenceId, long from, long to, @Nullable Map<String, AttributeValue> start) {
        return dynamo.query(query(persistenceId, from, to, start));
    }

    /** Items in order, without payloads. */
    CompletionStage<ItemPage> marks(
            String persistenceId, long from, long to, @Nullable Map<String, AttributeValue> start) {
        return dynamo.query(withoutPayload(query(persistenceId, from, to, start)));
    }

    /** Items from the last one down, without payloads. */
    CompletionStage<ItemPage> marksDownwards(
            String persistenceId, long from, long to, int limit, @Nullable Map<String, AttributeValue> start) {
        return dynamo.query(withoutPayload(query(persistenceId, from, to, start))
                .scanIndexForward(false)
                .limit(limit));
    }

    /**
     * The highest item up to a number that counts. What does not count may stand above it, so this looks further down until
     * it finds one: a filter after a limit of one would find nothing.
     */
    CompletionStage<Optional<Row>> highest(String persistenceId, long to) {
        long now = nowSeconds();
        boolean check = checksExpiry(persistenceId);
        AtomicReference<@Nullable Row> found = new AtomicReference<>();
        Map<String, WriteState> known = new HashMap<>();
        return Pages.<Map<String, AttributeValue>>drain(
                        null,
                        start -> dynamo.query(withoutPayload(query(persistenceId, 0, to, start))
                                        .scanIndexForward(false)
                                        .limit(start == null ? 1 : SEARCH))
                                .thenCompose(page -> firstThatCounts(
                                                persistenceId,
                                                page.items().stream()
                                                        .map(Akka2Items::row)
                                                        .filter(row -> row.sight(now, check) != Sight.NOTHING)
                                                        .toList(),
                                                known)
                                        .thenApply(row -> {
                                            found.set(row.orElse(null));
                                            return row.isPresent() ? null : page.next();
                                        })))
                .thenApply(done -> Optional.ofNullable(found.get()));
    }

    /** The first row that is no leftover. */
    CompletionStage<Optional<Row>> firstThatCounts(
            String persistenceId, List<Row> rows, Map<String, WriteState> known) {
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
                            before == null ? state(persistenceId, row) : CompletableFuture.completedFuture(before);
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
     * What became of the large write of a row. Its first event tells; where that was deleted, a mark of the delete between
     * does, since nothing that was never visible is deleted.
     */
    CompletionStage<WriteState> state(String persistenceId, Row row) {
        WriteState own = stateBy(row, row);
        if (own != null) {
            return CompletableFuture.completedFuture(own);
        }
        AtomicReference<WriteState> state = new AtomicReference<>(WriteState.GONE);
        return Pages.<Map<String, AttributeValue>>drain(
                        null,
                        start -> marks(persistenceId, row.first(), row.seqNr(), start)
                                .thenApply(page -> {
                                    for (Item item : page.items()) {
                                        Row there = Akka2Items.row(item);
                                        WriteState told = stateBy(there, row);
                                        if (told != null) {
                                            state.set(told);
                                            return null;
                                        }
                                        if (there.seqNr() == row.first()) {
                                            return null;
                                        }
                                    }
                                    return page.next();
                                }))
                .thenApply(done -> state.get());
    }

    /** What a row tells about the large write of another, if anything. */
    static @Nullable WriteState stateBy(Row there, Row of) {
        if (of.write() == null || !of.write().equals(there.write())) {
            return null;
        }
        if (there.seqNr() == there.first()) {
            return there.isOpen() ? WriteState.OPEN : WriteState.COMMITTED;
        }
        return there.isDeleted() || there.item().has(Akka2Items.EXPIRY_MARKER) ? WriteState.COMMITTED : null;
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
        return query.projectionExpression(MARKS.stream().map(name -> "#" + name).collect(Collectors.joining(", ")))
                .expressionAttributeNames(names(MARKS));
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
