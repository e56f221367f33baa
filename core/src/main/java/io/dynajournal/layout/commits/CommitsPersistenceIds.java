package io.dynajournal.layout.commits;

import io.dynajournal.dynamo.Dynamo;
import io.dynajournal.dynamo.Item;
import io.dynajournal.dynamo.ItemPage;
import io.dynajournal.store.PageToken;
import io.dynajournal.store.PersistenceIds;
import io.dynajournal.store.StoreException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;

/** Ids from their index, one partition after another. An id that was first written a moment ago may still be missing. */
final class CommitsPersistenceIds implements PersistenceIds {

    /** A partition of the index, and where it goes on. */
    private record At(int partition, @Nullable Map<String, AttributeValue> start) implements PageToken {}

    private final Dynamo dynamo;
    private final String table;

    CommitsPersistenceIds(Dynamo dynamo, String table) {
        this.dynamo = dynamo;
        this.table = table;
    }

    @Override
    public CompletionStage<IdPage> read(@Nullable PageToken start) {
        return readBetween(0, Long.MAX_VALUE, start);
    }

    @Override
    public CompletionStage<IdPage> readBetween(long fromMicros, long toMicros, @Nullable PageToken start) {
        At at = start == null ? new At(0, null) : (At) start;
        return dynamo.query(QueryRequest.builder()
                        .tableName(table)
                        .indexName(CommitsJournal.ID_INDEX)
                        .keyConditionExpression("id = :partition AND ts BETWEEN :from AND :to")
                        .expressionAttributeValues(Map.of(
                                ":partition",
                                AttributeValue.fromS(Integer.toHexString(at.partition())),
                                ":from",
                                AttributeValue.fromN(Long.toString(fromMicros)),
                                ":to",
                                AttributeValue.fromN(Long.toString(toMicros))))
                        .exclusiveStartKey(at.start()))
                .thenApply(page -> new IdPage(ids(page), next(at, page)));
    }

    /** Its row in the index has the keys and the time of its first item, be that a commit or a stub. */
    @Override
    public CompletionStage<@Nullable PageToken> behind(String persistenceId) {
        return ReservedIds.guarded(
                persistenceId,
                () -> dynamo.query(QueryRequest.builder()
                                .tableName(table)
                                .consistentRead(true)
                                .keyConditionExpression("pid = :pid AND seq BETWEEN :floor AND :first")
                                .expressionAttributeValues(Map.of(
                                        ":pid", AttributeValue.fromS(persistenceId),
                                        ":floor", AttributeValue.fromN("0"),
                                        ":first", AttributeValue.fromN("1"))))
                        .thenApply(page -> {
                            if (page.items().isEmpty()) {
                                throw new StoreException.Refused(
                                        "There is no id " + persistenceId + " in table " + table + " to go on from",
                                        null);
                            }
                            Item last = page.items().get(page.items().size() - 1);
                            Map<String, AttributeValue> key = new HashMap<>();
                            for (String name :
                                    List.of(CommitItems.PID, CommitItems.SEQ, CommitItems.ID, CommitItems.TS)) {
                                AttributeValue value = last.attributes().get(name);
                                if (value == null) {
                                    throw last.corrupt(name, "is missing", null);
                                }
                                key.put(name, value);
                            }
                            return new At(Integer.parseInt(last.text(CommitItems.ID), 16), key);
                        }));
    }

    /** The floor and the first commit of a log are two rows. */
    private static List<String> ids(ItemPage page) {
        return page.items().stream()
                .map(item -> item.text(CommitItems.PID))
                .distinct()
                .toList();
    }

    private static @Nullable At next(At at, ItemPage page) {
        if (page.next() != null) {
            return new At(at.partition(), page.next());
        }
        return at.partition() + 1 < CommitItems.ID_PARTITIONS ? new At(at.partition() + 1, null) : null;
    }
}
