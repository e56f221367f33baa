package io.dynajournal.layout.akka2;

import io.dynajournal.dynamo.Dynamo;
import io.dynajournal.dynamo.Item;
import io.dynajournal.layout.akka2.Akka2Items.Row;
import io.dynajournal.store.Pages;
import io.dynajournal.store.StoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.Delete;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.Update;

/**
 * Deletes events as the predecessor does: in transactions of 100 from the lowest number up, so that a failure leaves a
 * prefix deleted; the highest one becomes a tombstone that keeps the number. With a time to live for deletes nothing is
 * removed: items get an expiry, the highest one a marker.
 *
 * <p>Only items that exist are touched. The predecessor goes over every number and so makes items where there were none;
 * those stubs have no time, and its own recovery fails on them.
 *
 * <p>The first event of a large write, which says that the write is complete, stays as a tombstone while later events of
 * that write live.
 */
final class Akka2Deleter {

    private static final int TRANSACTION_ITEMS = 100;

    /** An item that vanished while we looked means another delete of the same events; looking again settles it. */
    private static final int ATTEMPTS = 3;

    private final Dynamo dynamo;
    private final Akka2Journal settings;
    private final Akka2Table table;

    Akka2Deleter(Dynamo dynamo, Akka2Journal settings, Akka2Table table) {
        this.dynamo = dynamo;
        this.settings = settings;
        this.table = table;
    }

    CompletionStage<Void> deleteTo(String persistenceId, long to) {
        return to < 1 ? CompletableFuture.completedFuture(null) : deleteTo(persistenceId, to, ATTEMPTS);
    }

    private CompletionStage<Void> deleteTo(String persistenceId, long to, int attempts) {
        return table.highest(persistenceId, to)
                .thenCompose(highest -> highest.isEmpty()
                        ? CompletableFuture.completedFuture(true)
                        : deleteUpTo(persistenceId, highest.get().seqNr()))
                .thenCompose(done -> {
                    if (done) {
                        return CompletableFuture.completedFuture(null);
                    }
                    if (attempts > 1) {
                        return deleteTo(persistenceId, to, attempts - 1);
                    }
                    throw new StoreException.Unavailable(
                            "Events of " + persistenceId + " up to " + to + " were being deleted by somebody else;"
                                    + " some may still be there",
                            null);
                });
    }

    /** Whether all items were as they had been read. */
    private CompletionStage<Boolean> deleteUpTo(String persistenceId, long highest) {
        Duration life = settings.timeToLive().of(persistenceId).deletes();
        long expiry = life == null ? 0 : table.nowSeconds() + life.toSeconds();
        List<Boolean> vanished = new ArrayList<>();
        return Pages.<Map<String, AttributeValue>>drain(
                        null,
                        start -> table.marks(persistenceId, 0, highest, start).thenCompose(page -> {
                            List<TransactWriteItem> actions = new ArrayList<>();
                            for (Item item : page.items()) {
                                Row row = Akka2Items.row(item);
                                boolean keep = row.seqNr() == highest || isHeadOfALivingWrite(row, highest);
                                action(row, keep, life != null, expiry).ifPresent(actions::add);
                            }
                            return send(actions).thenApply(stored -> {
                                if (!stored) {
                                    vanished.add(true);
                                }
                                return stored ? page.next() : null;
                            });
                        }))
                .thenApply(done -> vanished.isEmpty());
    }

    private static boolean isHeadOfALivingWrite(Row row, long highest) {
        return row.write() != null && row.seqNr() == row.first() && !row.isOpen() && row.last() > highest;
    }

    private Optional<TransactWriteItem> action(Row row, boolean keep, boolean byExpiry, long expiry) {
        if (keep && row.isDeleted()) {
            return Optional.empty();
        }
        if (!byExpiry) {
            return Optional.of(keep ? tombstone(row) : delete(row));
        }
        if (keep) {
            return row.expiryMarker() <= expiry && !row.item().has(Akka2Items.EXPIRY)
                    ? Optional.empty()
                    : Optional.of(expire(row, Akka2Items.EXPIRY_MARKER, Akka2Items.EXPIRY, expiry));
        }
        // What goes earlier anyway keeps its time: a repeated delete prolongs nothing.
        return row.expiry() <= expiry && !row.item().has(Akka2Items.EXPIRY_MARKER)
                ? Optional.empty()
                : Optional.of(expire(row, Akka2Items.EXPIRY, Akka2Items.EXPIRY_MARKER, Math.min(expiry, row.expiry())));
    }

    private TransactWriteItem delete(Row row) {
        return TransactWriteItem.builder()
                .delete(Delete.builder()
                        .tableName(settings.tableName())
                        .key(key(row))
                        .build())
                .build();
    }

    private TransactWriteItem tombstone(Row row) {
        return update(
                row,
                "SET #del = :value REMOVE "
                        + Akka2Items.GONE_WITH_THE_EVENT.stream()
                                .map(name -> "#" + name)
                                .collect(Collectors.joining(", ")),
                with(Akka2Items.GONE_WITH_THE_EVENT, Akka2Items.DEL),
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

    private TransactWriteItem update(Row row, String expression, List<String> names, AttributeValue value) {
        return TransactWriteItem.builder()
                .update(Update.builder()
                        .tableName(settings.tableName())
                        .key(key(row))
                        .updateExpression(expression)
                        .conditionExpression("attribute_exists(#pid)")
                        .expressionAttributeNames(Akka2Table.names(with(names, Akka2Items.PID)))
                        .expressionAttributeValues(Map.of(":value", value))
                        .build())
                .build();
    }

    private static Map<String, AttributeValue> key(Row row) {
        return Akka2Table.key(row.item().text(Akka2Items.PID), row.seqNr());
    }

    /** One transaction after another; whether no condition failed. A page has 1 MB, so no transaction has 4. */
    private CompletionStage<Boolean> send(List<TransactWriteItem> actions) {
        List<Boolean> vanished = new ArrayList<>();
        return Pages.<Integer>drain(0, at -> {
                    int from = at == null ? 0 : at;
                    if (from >= actions.size() || !vanished.isEmpty()) {
                        return CompletableFuture.<@Nullable Integer>completedFuture(null);
                    }
                    int next = Math.min(actions.size(), from + TRANSACTION_ITEMS);
                    return dynamo.transact(
                                    settings.tableName(),
                                    TransactWriteItemsRequest.builder().transactItems(actions.subList(from, next)))
                            .thenApply(reasons -> {
                                if (!reasons.isEmpty()) {
                                    vanished.add(true);
                                }
                                return next;
                            });
                })
                .thenApply(done -> vanished.isEmpty());
    }
}
