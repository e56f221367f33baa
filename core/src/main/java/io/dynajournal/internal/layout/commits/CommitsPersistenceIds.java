package io.dynajournal.internal.layout.commits;

import io.dynajournal.exception.StoreException;
import io.dynajournal.internal.dynamo.Dynamo;
import io.dynajournal.internal.dynamo.Item;
import io.dynajournal.internal.dynamo.ItemPage;
import io.dynajournal.internal.store.PageToken;
import io.dynajournal.internal.store.PersistenceIds;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;

/**
 * Reads persistence ids from their index, one partition after another. The index is eventually consistent, so an id that was
 * written for the first time a moment ago may be missing.
 */
final class CommitsPersistenceIds implements PersistenceIds, PersistenceIds.ByTime {

    /** The attributes that are the key of a row in the index and in the table. */
    private static final List<String> ROW_KEY =
            List.of(ItemKey.PID, ItemKey.SEQ, CommitItems.ID_PARTITION, CommitItems.TIMESTAMP);

    /** A partition of the index, and the key after which its next page starts. */
    private record Position(int partition, @Nullable Map<String, AttributeValue> start) implements PageToken {}

    private final Dynamo dynamo;
    private final CommitsJournal settings;

    CommitsPersistenceIds(Dynamo dynamo, CommitsJournal settings) {
        this.dynamo = dynamo;
        this.settings = settings;
    }

    @Override
    public CompletionStage<IdPage> read(@Nullable PageToken start) {
        return readBetween(0, Long.MAX_VALUE, start);
    }

    @Override
    public Optional<ByTime> byTime() {
        return Optional.of(this);
    }

    @Override
    public CompletionStage<IdPage> readBetween(long fromMicros, long toMicros, @Nullable PageToken start) {
        if (!settings.idIndex()) {
            return CompletableFuture.failedFuture(noIndex());
        }
        Position at = start == null ? new Position(0, null) : (Position) start;
        return dynamo.query(QueryRequest.builder()
                        .tableName(settings.tableName())
                        .indexName(CommitsJournal.ID_INDEX)
                        .keyConditionExpression("id = :partition AND ts BETWEEN :from AND :to")
                        .expressionAttributeValues(Map.of(
                                ":partition",
                                AttributeValue.fromS(Integer.toHexString(at.partition())),
                                ":from",
                                ItemKey.number(fromMicros),
                                ":to",
                                ItemKey.number(toMicros)))
                        .exclusiveStartKey(at.start()))
                .thenApply(page -> new IdPage(ids(page), next(at, page)));
    }

    /** The row of an id in the index has the keys and the timestamp of its first item, a commit or a tombstone. */
    @Override
    public CompletionStage<@Nullable PageToken> after(String persistenceId) {
        if (!settings.idIndex()) {
            return CompletableFuture.failedFuture(noIndex());
        }
        return ReservedIds.guarded(
                persistenceId,
                () -> dynamo.query(QueryRequest.builder()
                                .tableName(settings.tableName())
                                .consistentRead(true)
                                .keyConditionExpression("pid = :pid AND seq BETWEEN :floor AND :first")
                                .expressionAttributeValues(Map.of(
                                        ":pid", AttributeValue.fromS(persistenceId),
                                        ":floor", ItemKey.number(0),
                                        ":first", ItemKey.number(1))))
                        .thenApply(page -> after(persistenceId, page.items())));
    }

    private StoreException noIndex() {
        return new StoreException.Refused(
                "Table " + settings.tableName() + " has no index of persistence ids, because index.ids is off. Add the"
                        + " index " + CommitsJournal.ID_INDEX + " to the table and set index.ids = on.",
                null);
    }

    private Position after(String persistenceId, List<Item> firstItems) {
        if (firstItems.isEmpty()) {
            throw new StoreException.Refused(
                    "Table " + settings.tableName() + " has no persistence id " + persistenceId
                            + ", so ids after it cannot be listed. Start from an id that is there, or from the first one.",
                    null);
        }
        // The floor or the first commit, whichever has the row of the index.
        Item first = ItemKey.named(
                settings.tableName(),
                firstItems.stream()
                        .filter(item -> item.has(CommitItems.ID_PARTITION))
                        .findFirst()
                        .orElse(firstItems.get(firstItems.size() - 1)));
        Map<String, AttributeValue> key = new HashMap<>();
        for (String name : ROW_KEY) {
            AttributeValue value = first.attributes().get(name);
            if (value == null) {
                throw first.corrupt(name, "is missing", null);
            }
            key.put(name, value);
        }
        try {
            return new Position(Integer.parseInt(first.text(CommitItems.ID_PARTITION), 16), key);
        } catch (NumberFormatException e) {
            throw first.corrupt(CommitItems.ID_PARTITION, "is not a hexadecimal digit", e);
        }
    }

    /** The floor and the first commit of a log are two rows. */
    private static List<String> ids(ItemPage page) {
        return page.items().stream()
                .map(item -> item.text(ItemKey.PID))
                .distinct()
                .toList();
    }

    private static @Nullable Position next(Position at, ItemPage page) {
        if (page.next() != null) {
            return new Position(at.partition(), page.next());
        }
        return at.partition() + 1 < CommitItems.ID_PARTITIONS ? new Position(at.partition() + 1, null) : null;
    }
}
