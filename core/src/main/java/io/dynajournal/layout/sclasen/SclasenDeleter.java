package io.dynajournal.layout.sclasen;

import io.dynajournal.dynamo.Dynamo;
import io.dynajournal.layout.sclasen.SclasenItems.Entry;
import io.dynajournal.store.Pages;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.LongStream;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/**
 * Deletes events up to a number that is there; 0.3 went on for ever behind the last. First {@code deletedTo} is set, so all of
 * them are gone at once and the order of the rest does not matter. What still has to be marked or removed is found from above:
 * a window in which there is nothing to do ends the search. One low mark then tells 0.3 that all below is deleted.
 */
final class SclasenDeleter {

    private static final int WINDOW = 100;
    private static final int UPDATES_AT_ONCE = 25;

    private final Dynamo dynamo;
    private final SclasenJournal settings;
    private final SclasenItems items;
    private final SclasenReader reader;

    SclasenDeleter(Dynamo dynamo, SclasenJournal settings, SclasenReader reader) {
        this.dynamo = dynamo;
        this.settings = settings;
        this.items = settings.items();
        this.reader = reader;
    }

    CompletionStage<Void> deleteTo(String persistenceId, long toSeqNr) {
        if (toSeqNr < 1) {
            return CompletableFuture.completedFuture(null);
        }
        return reader.look(persistenceId).thenCompose(view -> {
            long to = Math.min(toSeqNr, view.end());
            if (to < 1) {
                return CompletableFuture.completedFuture(null);
            }
            return hide(persistenceId, to, view.deletedTo())
                    .thenCompose(hidden -> left(persistenceId, to))
                    .thenCompose(numbers -> numbers.isEmpty()
                            ? CompletableFuture.completedFuture(null)
                            : delete(persistenceId, numbers)
                                    .thenCompose(deleted -> dynamo.put(PutItemRequest.builder()
                                            .tableName(settings.tableName())
                                            .item(items.lowMark(persistenceId, to)
                                                    .attributes())))
                                    .thenAccept(marked -> {}));
        });
    }

    /** The number only rises. The mark of shard 0 may not exist yet; 0 as its number is what 0.3 takes for no mark. */
    private CompletionStage<Void> hide(String persistenceId, long to, long deletedTo) {
        if (to <= deletedTo) {
            return CompletableFuture.completedFuture(null);
        }
        return dynamo.updateIf(UpdateItemRequest.builder()
                        .tableName(settings.tableName())
                        .key(key(items.highMarkKey(persistenceId, 0)))
                        .updateExpression("SET deletedTo = :to, sequenceNr = if_not_exists(sequenceNr, :none)")
                        .conditionExpression("attribute_not_exists(deletedTo) OR deletedTo < :to")
                        .expressionAttributeValues(Map.of(
                                ":to", AttributeValue.fromN(Long.toString(to)), ":none", AttributeValue.fromN("0"))))
                .thenAccept(hidden -> {});
    }

    /** The numbers that an item stands under which is not deleted yet, from the lowest up. */
    private CompletionStage<List<Long>> left(String persistenceId, long to) {
        List<Long> found = new ArrayList<>();
        return Pages.drain(
                        to,
                        high -> reader.entries(
                                        persistenceId, LongStream.rangeClosed(Math.max(1, high - WINDOW + 1), high))
                                .thenApply(entries -> {
                                    List<Long> open = entries.stream()
                                            .filter(this::isLeft)
                                            .map(Entry::seqNr)
                                            .toList();
                                    found.addAll(0, open);
                                    return open.isEmpty() || high <= WINDOW ? null : high - WINDOW;
                                }))
                .thenApply(searched -> found);
    }

    private boolean isLeft(Entry entry) {
        return settings.permanentDeletes() || !entry.isMarkedDeleted();
    }

    private CompletionStage<Void> delete(String persistenceId, List<Long> numbers) {
        List<Map<String, AttributeValue>> keys = numbers.stream()
                .map(number -> key(items.eventKey(persistenceId, number)))
                .toList();
        return settings.permanentDeletes() ? dynamo.deleteAll(settings.tableName(), keys) : markAll(keys);
    }

    private CompletionStage<Void> markAll(List<Map<String, AttributeValue>> keys) {
        return Pages.drain(0, from -> {
            if (from >= keys.size()) {
                return CompletableFuture.completedFuture(null);
            }
            int next = Math.min(keys.size(), from + UPDATES_AT_ONCE);
            return CompletableFuture.allOf(keys.subList(from, next).stream()
                            .map(key -> mark(key).toCompletableFuture())
                            .toArray(CompletableFuture[]::new))
                    .thenApply(marked -> next);
        });
    }

    /** Payload and confirmations stay; what is not there gets no stub, as it did with 0.3. */
    private CompletionStage<Void> mark(Map<String, AttributeValue> key) {
        return dynamo.updateIf(UpdateItemRequest.builder()
                        .tableName(settings.tableName())
                        .key(key)
                        .updateExpression("SET deleted = :deleted")
                        .conditionExpression("attribute_exists(#key)")
                        .expressionAttributeNames(Map.of("#key", SclasenItems.KEY))
                        .expressionAttributeValues(Map.of(":deleted", AttributeValue.fromS(SclasenItems.IS_DELETED))))
                .thenAccept(marked -> {});
    }

    private static Map<String, AttributeValue> key(String key) {
        return Map.of(SclasenItems.KEY, AttributeValue.fromS(key));
    }
}
