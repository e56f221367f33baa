package io.dynajournal.internal.layout.sclasen;

import io.dynajournal.internal.dynamo.Dynamo;
import io.dynajournal.internal.layout.Takeovers;
import io.dynajournal.internal.layout.sclasen.SclasenItems.Entry;
import io.dynajournal.internal.store.Pages;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/**
 * Deletes events, at most up to the end of the log; 0.3 looped for ever beyond it. First {@code deletedTo} is raised, which
 * hides all of the events at once. The items to mark or remove are then searched downwards until a window has none. One low
 * mark at the end shows 0.3 what is deleted.
 *
 * <p>Permanent deletes mark an event with which a writer took over from another in the last day, instead of removing it: a stale
 * writer continues there and is rejected. A later delete removes it.
 */
final class SclasenDeleter {

    /** Sequence numbers per read request. */
    private static final int WINDOW = 100;

    private static final int CONCURRENT_UPDATES = 25;

    private static final long TAKEOVER_MICROS = TimeUnit.DAYS.toMicros(1);

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
        return reader.view(persistenceId).thenCompose(view -> {
            long to = Math.min(toSeqNr, view.end());
            if (to < 1) {
                return CompletableFuture.completedFuture(null);
            }
            return raiseDeletedTo(persistenceId, to, view.deletedTo())
                    .thenCompose(hidden -> undeleted(persistenceId, to))
                    .thenCompose(entries -> entries.isEmpty()
                            ? CompletableFuture.completedFuture(null)
                            : delete(persistenceId, entries)
                                    .thenCompose(deleted -> dynamo.put(PutItemRequest.builder()
                                            .tableName(settings.tableName())
                                            .item(items.lowMark(persistenceId, to)
                                                    .attributes())))
                                    .thenAccept(marked -> {}));
        });
    }

    /** Removes all events, marked ones too, and then the marks, which keep the highest sequence number until the end. */
    CompletionStage<Void> reset(String persistenceId) {
        return deleteTo(persistenceId, Long.MAX_VALUE)
                .thenCompose(deleted -> reader.view(persistenceId))
                .thenCompose(view -> removeEventsTo(persistenceId, view.end()))
                .thenCompose(removed -> removeMarks(persistenceId));
    }

    /** Reads them first: a delete costs a write unit even where there is no item. */
    private CompletionStage<Void> removeMarks(String persistenceId) {
        List<Map<String, AttributeValue>> keys = LongStream.range(0, settings.sequenceShards())
                .boxed()
                .flatMap(shard -> Stream.of(
                        key(items.lowMarkKey(persistenceId, shard)), key(items.highMarkKey(persistenceId, shard))))
                .toList();
        return dynamo.getAll(settings.tableName(), keys)
                .thenCompose(found -> dynamo.deleteAll(
                        settings.tableName(),
                        found.stream()
                                .map(mark -> key(mark.text(SclasenItems.KEY)))
                                .toList()));
    }

    private CompletionStage<Void> removeEventsTo(String persistenceId, long last) {
        return Pages.drain(1L, from -> {
            if (from > last) {
                return CompletableFuture.completedFuture(null);
            }
            long to = Math.min(last, from + WINDOW - 1);
            return reader.entries(persistenceId, LongStream.rangeClosed(from, to))
                    .thenCompose(entries -> dynamo.deleteAll(
                            settings.tableName(),
                            entries.stream()
                                    .map(entry -> key(items.eventKey(persistenceId, entry.seqNr())))
                                    .toList()))
                    .thenApply(removed -> to + 1);
        });
    }

    /** Never lowers it. The mark of shard 0 may not exist yet; 0.3 reads a mark of 0 as no mark. */
    private CompletionStage<Void> raiseDeletedTo(String persistenceId, long to, long deletedTo) {
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
                .thenAccept(existing -> {});
    }

    /** The items that are not deleted yet, in order. */
    private CompletionStage<List<Entry>> undeleted(String persistenceId, long to) {
        List<Entry> found = new ArrayList<>();
        return Pages.drain(
                        to,
                        high -> reader.entries(
                                        persistenceId, LongStream.rangeClosed(Math.max(1, high - WINDOW + 1), high))
                                .thenApply(entries -> {
                                    List<Entry> undeleted = entries.stream()
                                            .filter(this::isUndeleted)
                                            .toList();
                                    found.addAll(0, undeleted);
                                    return undeleted.isEmpty() || high <= WINDOW ? null : high - WINDOW;
                                }))
                .thenApply(searched -> found);
    }

    private boolean isUndeleted(Entry entry) {
        return !entry.isMarkedDeleted() || (settings.permanentDeletes() && !isRecent(entry));
    }

    private boolean isRecent(Entry entry) {
        // A tombstone of rejected events has no time.
        return !entry.hasPayload() || entry.timestampMicros() > dynamo.nowMicros() - TAKEOVER_MICROS;
    }

    private CompletionStage<Void> delete(String persistenceId, List<Entry> entries) {
        Takeovers takeovers = new Takeovers(null);
        List<Map<String, AttributeValue>> marked = new ArrayList<>();
        List<Map<String, AttributeValue>> removed = new ArrayList<>();
        for (Entry entry : entries) {
            boolean fence = settings.permanentDeletes() && takeovers.isNext(entry.writer()) && isRecent(entry);
            (fence || !settings.permanentDeletes() ? marked : removed)
                    .add(key(items.eventKey(persistenceId, entry.seqNr())));
        }
        return markAll(marked).thenCompose(done -> dynamo.deleteAll(settings.tableName(), removed));
    }

    private CompletionStage<Void> markAll(List<Map<String, AttributeValue>> keys) {
        return Pages.drain(0, from -> {
            if (from >= keys.size()) {
                return CompletableFuture.completedFuture(null);
            }
            int next = Math.min(keys.size(), from + CONCURRENT_UPDATES);
            return CompletableFuture.allOf(keys.subList(from, next).stream()
                            .map(key -> mark(key).toCompletableFuture())
                            .toArray(CompletableFuture[]::new))
                    .thenApply(marked -> next);
        });
    }

    /** Marks one item as deleted; payload and confirmations stay. Unlike 0.3 it creates no item where none exists. */
    private CompletionStage<Void> mark(Map<String, AttributeValue> key) {
        return dynamo.updateIf(UpdateItemRequest.builder()
                        .tableName(settings.tableName())
                        .key(key)
                        .updateExpression("SET deleted = :deleted")
                        .conditionExpression("attribute_exists(#key)")
                        .expressionAttributeNames(Map.of("#key", SclasenItems.KEY))
                        .expressionAttributeValues(Map.of(":deleted", AttributeValue.fromS(SclasenItems.IS_DELETED))))
                .thenAccept(existing -> {});
    }

    private static Map<String, AttributeValue> key(String key) {
        return Map.of(SclasenItems.KEY, AttributeValue.fromS(key));
    }
}
