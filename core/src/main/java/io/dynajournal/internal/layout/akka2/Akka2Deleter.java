package io.dynajournal.internal.layout.akka2;

import io.dynajournal.exception.StoreException;
import io.dynajournal.internal.dynamo.Dynamo;
import io.dynajournal.internal.dynamo.Item;
import io.dynajournal.internal.layout.Takeovers;
import io.dynajournal.internal.layout.akka2.Akka2Items.Row;
import io.dynajournal.internal.store.Pages;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.Delete;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.Update;

/**
 * Deletes events as the predecessor does: in transactions of 100 from the lowest sequence number upwards, so that a failure
 * leaves a prefix deleted. The highest event becomes a tombstone that keeps the sequence number. With a time to live for
 * deletes no item is removed: items get an expiry, the highest one an expiry marker.
 *
 * <p>Only existing items are changed. The predecessor updates every sequence number and so creates items without a timestamp,
 * on which its own recovery fails.
 *
 * <p>The first event of a large write marks the write as complete, so it stays as a tombstone until the whole write is
 * deleted.
 *
 * <p>An event with which a writer took over from another stays as a tombstone too, if it is newer than {@link
 * #TAKEOVER_LIFETIME}: a stale writer continues there and is rejected. An older view is compared with the table before it is
 * used, so a later delete removes the tombstone. A tombstone costs what the removal costs.
 */
final class Akka2Deleter {

    private static final int TRANSACTION_ITEMS = 100;

    /** Longer than a view is used without a check, plus the longest time that a request can be under way. */
    private static final Duration TAKEOVER_LIFETIME = Duration.ofMinutes(15);

    /** An item that disappears during the delete means a concurrent delete of the same events; the delete starts again. */
    private static final int MAX_ATTEMPTS = 3;

    private static final Expiry NOW = new Expiry(0, false, false);

    /**
     * When deleted items expire.
     *
     * @param seconds 0 to remove them at once
     * @param prolongs whether an earlier expiry is replaced; a delete that is repeated must not prolong it
     * @param reset whether the highest item expires too, and with it the highest sequence number
     */
    private record Expiry(long seconds, boolean prolongs, boolean reset) {
        boolean isNow() {
            return seconds == 0;
        }
    }

    private final Dynamo dynamo;
    private final Akka2Journal settings;
    private final Akka2Table table;

    Akka2Deleter(Dynamo dynamo, Akka2Journal settings) {
        this.dynamo = dynamo;
        this.settings = settings;
        this.table = new Akka2Table(dynamo, settings);
    }

    CompletionStage<Void> deleteTo(String persistenceId, long to) {
        Duration life = settings.timeToLive().of(persistenceId).deletes();
        return deleteTo(
                persistenceId,
                to,
                life == null ? NOW : new Expiry(table.nowSeconds() + life.toSeconds(), false, false),
                MAX_ATTEMPTS);
    }

    /** Lets events expire at a time, also later than before. */
    CompletionStage<Void> expireTo(String persistenceId, long to, long seconds, boolean reset) {
        return deleteTo(persistenceId, to, new Expiry(seconds, true, reset), MAX_ATTEMPTS);
    }

    /** Removes events at once, whatever the time to live of deletes is. */
    CompletionStage<Void> removeTo(String persistenceId, long to) {
        return deleteTo(persistenceId, to, NOW, MAX_ATTEMPTS);
    }

    /** Removes all items up to the highest one that is there now, also expired ones and those of incomplete writes. */
    CompletionStage<Void> reset(String persistenceId) {
        return removeTo(persistenceId, Long.MAX_VALUE)
                .thenCompose(deleted -> table.itemsWithoutPayloadDownwards(persistenceId, 0, Long.MAX_VALUE, 1, null))
                .thenCompose(last -> last.items().isEmpty()
                        ? CompletableFuture.completedFuture(null)
                        : removeItemsTo(
                                persistenceId,
                                Akka2Items.row(last.items().get(0)).seqNr()));
    }

    private CompletionStage<Void> removeItemsTo(String persistenceId, long last) {
        return Pages.<Map<String, AttributeValue>>drain(
                null,
                start -> table.itemsWithoutPayload(persistenceId, 0, last, start)
                        .thenCompose(page -> dynamo.deleteAll(
                                        settings.tableName(),
                                        page.items().stream()
                                                .map(item -> key(Akka2Items.row(item)))
                                                .toList())
                                .thenApply(removed -> page.next())));
    }

    private CompletionStage<Void> deleteTo(String persistenceId, long to, Expiry expiry, int attempts) {
        if (to < 1) {
            return CompletableFuture.completedFuture(null);
        }
        return table.highest(persistenceId, to)
                .thenCompose(highest -> highest.isEmpty()
                        ? CompletableFuture.completedFuture(true)
                        : deleteUpTo(persistenceId, highest.get().seqNr(), expiry))
                .thenCompose(done -> {
                    if (done) {
                        return CompletableFuture.completedFuture(null);
                    }
                    if (attempts > 1) {
                        return deleteTo(persistenceId, to, expiry, attempts - 1);
                    }
                    throw new StoreException.Unavailable(
                            "The events of " + persistenceId + " up to sequence number " + to + " in table "
                                    + settings.tableName()
                                    + " were not all deleted: other deletes of the same events ran"
                                    + " during each of " + MAX_ATTEMPTS
                                    + " attempts. Some events may still be stored; delete again.",
                            null,
                            StoreException.Outcome.UNKNOWN);
                });
    }

    /** Whether no item changed between the read and the delete. */
    private CompletionStage<Boolean> deleteUpTo(String persistenceId, long highest, Expiry expiry) {
        AtomicBoolean unchanged = new AtomicBoolean(true);
        Takeovers takeovers = new Takeovers(null);
        long recent = dynamo.nowMicros() - TimeUnit.MICROSECONDS.convert(TAKEOVER_LIFETIME);
        return Pages.<Map<String, AttributeValue>>drain(
                        null,
                        start -> table.itemsWithoutPayload(persistenceId, 0, highest, start)
                                .thenCompose(page -> {
                                    List<TransactWriteItem> actions = new ArrayList<>();
                                    for (Item item : page.items()) {
                                        Row row = Akka2Items.row(item);
                                        boolean fence = takeovers.isNext(row.writer()) && row.ts() > recent;
                                        boolean keep = (row.seqNr() == highest && !expiry.reset())
                                                || isFirstOfPartlyDeletedWrite(row, highest)
                                                || (fence && expiry.isNow());
                                        action(row, keep, expiry).ifPresent(actions::add);
                                    }
                                    return send(actions).thenApply(stored -> {
                                        unchanged.compareAndSet(true, stored);
                                        return stored ? page.next() : null;
                                    });
                                }))
                .thenApply(done -> unchanged.get());
    }

    private static boolean isFirstOfPartlyDeletedWrite(Row row, long highest) {
        return row.write() != null && row.seqNr() == row.first() && !row.isOpen() && row.last() > highest;
    }

    private Optional<TransactWriteItem> action(Row row, boolean keep, Expiry expiry) {
        if (keep && row.isDeleted()) {
            return Optional.empty();
        }
        if (expiry.isNow()) {
            return Optional.of(keep ? tombstone(row) : delete(row));
        }
        String set = keep ? Akka2Items.EXPIRY_MARKER : Akka2Items.EXPIRY;
        String removed = keep ? Akka2Items.EXPIRY : Akka2Items.EXPIRY_MARKER;
        long before = keep ? row.expiryMarker() : row.expiry();
        long seconds = expiry.prolongs() && before > table.nowSeconds()
                ? expiry.seconds()
                : Math.min(expiry.seconds(), before);
        return seconds == before && !row.item().has(removed)
                ? Optional.empty()
                : Optional.of(expire(row, set, removed, seconds));
    }

    private TransactWriteItem delete(Row row) {
        Delete.Builder delete = Delete.builder().tableName(settings.tableName()).key(key(row));
        if (row.item().has(Akka2Items.TS)) {
            delete.conditionExpression("attribute_not_exists(#pid) OR #ts = :ts")
                    .expressionAttributeNames(Akka2Table.names(List.of(Akka2Items.PID, Akka2Items.TS)))
                    .expressionAttributeValues(Map.of(":ts", Akka2Table.number(row.ts())));
        }
        return TransactWriteItem.builder().delete(delete.build()).build();
    }

    private TransactWriteItem tombstone(Row row) {
        return update(
                row,
                "SET #del = :value REMOVE "
                        + Akka2Items.REMOVED_BY_TOMBSTONE.stream()
                                .map(name -> "#" + name)
                                .collect(Collectors.joining(", ")),
                with(Akka2Items.REMOVED_BY_TOMBSTONE, Akka2Items.DEL),
                AttributeValue.fromBool(true));
    }

    private TransactWriteItem expire(Row row, String set, String remove, long seconds) {
        return update(
                row, "SET #" + set + " = :value REMOVE #" + remove, List.of(set, remove), Akka2Table.number(seconds));
    }

    private static List<String> with(List<String> names, String other) {
        List<String> all = new ArrayList<>(names);
        all.add(other);
        return all;
    }

    /** A request that arrives late must not reach the events of a log that was reset meanwhile: these have another time. */
    private TransactWriteItem update(Row row, String expression, List<String> names, AttributeValue value) {
        boolean hasTime = row.item().has(Akka2Items.TS);
        return TransactWriteItem.builder()
                .update(Update.builder()
                        .tableName(settings.tableName())
                        .key(key(row))
                        .updateExpression(expression)
                        .conditionExpression(hasTime ? "#ts = :ts" : "attribute_exists(#pid)")
                        .expressionAttributeNames(
                                Akka2Table.names(with(names, hasTime ? Akka2Items.TS : Akka2Items.PID)))
                        .expressionAttributeValues(
                                hasTime
                                        ? Map.of(":value", value, ":ts", Akka2Table.number(row.ts()))
                                        : Map.of(":value", value))
                        .build())
                .build();
    }

    private static Map<String, AttributeValue> key(Row row) {
        return Akka2Table.key(row.item().text(Akka2Items.PID), row.seqNr());
    }

    /**
     * Sends one transaction after another. Whether all conditions held. A page has at most 1 MB, so no transaction exceeds 4.
     */
    private CompletionStage<Boolean> send(List<TransactWriteItem> actions) {
        AtomicBoolean stored = new AtomicBoolean(true);
        return Pages.<Integer>drain(0, at -> {
                    int from = at == null ? 0 : at;
                    if (from >= actions.size() || !stored.get()) {
                        return CompletableFuture.<@Nullable Integer>completedFuture(null);
                    }
                    int next = Math.min(actions.size(), from + TRANSACTION_ITEMS);
                    return dynamo.transact(
                                    settings.tableName(),
                                    TransactWriteItemsRequest.builder().transactItems(actions.subList(from, next)))
                            .thenApply(reasons -> {
                                stored.compareAndSet(true, reasons.isEmpty());
                                return next;
                            });
                })
                .thenApply(done -> stored.get());
    }
}
