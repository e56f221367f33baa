package io.dynajournal.internal.layout.commits;

import io.dynajournal.exception.StoreException;
import io.dynajournal.internal.dynamo.Dynamo;
import io.dynajournal.internal.dynamo.Item;
import io.dynajournal.internal.dynamo.ItemPage;
import io.dynajournal.internal.layout.commits.CommitFloor.Expiring;
import io.dynajournal.internal.layout.commits.CommitItems.Entry;
import io.dynajournal.internal.store.Pages;
import io.dynajournal.internal.store.Stages;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/**
 * Replaces commits by tombstones, which keep the highest sequence number and stop stale writers until they expire.
 *
 * <p>The order of the steps makes a crash harmless. First it sets the mark of the delete: {@code lo} in a commit of which only
 * the front is deleted, and the highest tombstone, which does not expire. From then on nothing before the mark is replayed,
 * and gaps there are legal. Then the other commits follow in ascending order, with an expiry; the last of them is the
 * tombstone that marked an earlier delete. The tombstone at key 1 never expires, because the index of ids needs it.
 */
final class CommitDeleter {

    /**
     * Each item of a page is also written, so that the number of reads hardly matters. DynamoDB Local reads the whole range
     * up to the limit before it ends a page at 1 MB.
     */
    private static final int MAX_PAGE_ITEMS = 100;

    private static final int MAX_PUTS_IN_FLIGHT = 8;

    /**
     * After this number of expiring tombstones in a row, an earlier delete has completed everything before them. More than the puts
     * in flight, because after a crash these may have been stored in any order.
     */
    private static final int TOMBSTONES_OF_COMPLETED_DELETE = 2 * MAX_PUTS_IN_FLIGHT;

    private final Dynamo dynamo;
    private final CommitsJournal settings;
    private final Parts parts;
    private final CommitFloor floor;

    CommitDeleter(Dynamo dynamo, CommitsJournal settings, CommitFloor floor) {
        this.dynamo = dynamo;
        this.settings = settings;
        this.parts = new Parts(dynamo, settings.tableName(), settings.itemSize());
        this.floor = floor.in(dynamo);
    }

    /** Deletes events as the time to live of deletes says. May be repeated after a failure. */
    CompletionStage<Void> deleteTo(String persistenceId, long toSeqNr) {
        Duration life = settings.timeToLive().of(persistenceId).deletes();
        return life == null
                ? removeTo(persistenceId, toSeqNr)
                : expireTo(persistenceId, toSeqNr, dynamo.nowMicros() / 1_000_000 + life.toSeconds(), false, false);
    }

    /**
     * Lets the commits expire whose last event is at or before a sequence number, in ascending order, so that none expires
     * before the one before it. A commit that reaches further stays as a whole. The floor is raised first: from the expiry on
     * it keeps the highest sequence number and the persistence id.
     *
     * @param prolongs whether an earlier expiry is replaced, though never by one beyond the time to live of events; a delete that
     *     is repeated must not prolong it
     * @param reset whether the tombstones and the floor expire too, and with them the highest sequence number
     */
    CompletionStage<Void> expireTo(
            String persistenceId, long toSeqNr, long expirySeconds, boolean prolongs, boolean reset) {
        if (toSeqNr < 1) {
            return CompletableFuture.completedFuture(null);
        }
        long now = dynamo.nowMicros() / 1_000_000;
        return pageDownFrom(persistenceId, toSeqNr, null).thenCompose(page -> {
            Entry highest = entries(page).stream()
                    .filter(entry -> !entry.isFloor() && entry.end() <= toSeqNr)
                    .findFirst()
                    .orElse(null);
            if (highest == null) {
                return CompletableFuture.completedFuture(null);
            }
            CompletionStage<Void> floored = reset
                    ? CompletableFuture.completedFuture(null)
                    : floor.raise(persistenceId, highest.end(), true, Expiring.NONE);
            return floored.thenCompose(raised -> Pages.<Map<String, AttributeValue>>drain(
                            null,
                            start -> page(persistenceId, "pid = :pid AND seq <= :number", highest.key(), start, true)
                                    .thenCompose(lower -> expireAll(
                                                    entries(lower).stream()
                                                            .filter(entry ->
                                                                    expires(entry, expirySeconds, now, prolongs, reset))
                                                            .toList(),
                                                    expirySeconds,
                                                    reset)
                                            .thenApply(done -> lower.next()))))
                    .thenCompose(done -> reset
                            ? floor.expire(persistenceId, expirySeconds)
                            : CompletableFuture.completedFuture(null));
        });
    }

    private boolean expires(Entry entry, long expirySeconds, long now, boolean prolongs, boolean reset) {
        if (entry.isFloor() || entry.isExpired(now) || (entry.isTombstone() && !reset)) {
            return false;
        }
        long before = entry.expirySeconds();
        boolean prolonged = prolongs && !entry.isTombstone() && !outlivesLaterEvents(entry, expirySeconds);
        return before == 0 || before > expirySeconds || (prolonged && before < expirySeconds);
    }

    /** Later events expire after the time to live of events. An earlier one that is left then would be replayed without them. */
    private boolean outlivesLaterEvents(Entry entry, long expirySeconds) {
        Duration life = settings.timeToLive().of(entry.persistenceId()).events();
        return life != null && expirySeconds > entry.timestampMicros() / 1_000_000 + life.toSeconds();
    }

    private CompletionStage<Void> expireAll(List<Entry> entries, long expirySeconds, boolean reset) {
        return Pages.drain(0, from -> {
            if (from >= entries.size()) {
                return CompletableFuture.completedFuture(null);
            }
            int to = Math.min(entries.size(), from + MAX_PUTS_IN_FLIGHT);
            return CompletableFuture.allOf(entries.subList(from, to).stream()
                            .map(entry -> expire(entry, expirySeconds, reset).toCompletableFuture())
                            .toArray(CompletableFuture[]::new))
                    .thenApply(expired -> to);
        });
    }

    /**
     * The parts must not expire before the commit, whatever happens in between: they are second, unless the expiry is prolonged.
     * The floor has the row in the index of ids now.
     */
    private CompletionStage<Void> expire(Entry entry, long expirySeconds, boolean reset) {
        boolean prolonged = entry.expirySeconds() > 0 && entry.expirySeconds() < expirySeconds;
        return prolonged
                ? parts.expire(entry.item(), expirySeconds).thenCompose(done -> expireHead(entry, expirySeconds, reset))
                : expireHead(entry, expirySeconds, reset)
                        .thenCompose(done -> parts.expire(entry.item(), expirySeconds));
    }

    private CompletionStage<Void> expireHead(Entry entry, long expirySeconds, boolean reset) {
        return dynamo.updateIf(UpdateItemRequest.builder()
                        .tableName(settings.tableName())
                        .key(new ItemKey(entry.persistenceId(), entry.key()).attributes())
                        .updateExpression("SET #exp = :exp" + (reset ? "" : " REMOVE id"))
                        .conditionExpression("w = :w AND ts = :ts")
                        .expressionAttributeNames(Map.of("#exp", CommitItems.EXPIRY))
                        .expressionAttributeValues(Map.of(
                                ":exp", ItemKey.number(expirySeconds),
                                ":w", writer(entry),
                                ":ts", ItemKey.number(entry.timestampMicros()))))
                .thenAccept(rejection -> {});
    }

    /** Raises the floor of a log to its last commit, which expires. */
    CompletionStage<Void> raiseFloor(Entry last) {
        return floor.raise(last.persistenceId(), last.end(), true, new Expiring(last.end(), last.expirySeconds()));
    }

    /** Deletes all events up to a sequence number at once. May be repeated after a failure. */
    CompletionStage<Void> removeTo(String persistenceId, long toSeqNr) {
        if (toSeqNr < 1) {
            return CompletableFuture.completedFuture(null);
        }
        Plan plan = new Plan(toSeqNr);
        return Pages.<Map<String, AttributeValue>>drain(
                        null,
                        start -> pageDownFrom(persistenceId, toSeqNr, start).thenApply(page -> {
                            entries(page).forEach(plan::add);
                            return plan.isComplete() ? null : page.next();
                        }))
                .thenCompose(read -> run(plan));
    }

    /**
     * Removes all items of a log, from the lowest key up. The highest becomes a tombstone first and is removed last: until
     * then nothing is replayed and the highest sequence number is kept. An item above it means that an entity is writing.
     */
    CompletionStage<Void> reset(String persistenceId) {
        floor.forget(persistenceId);
        return page(persistenceId, "pid = :pid AND seq <= :number", Long.MAX_VALUE, null, false, 1)
                .thenCompose(page -> {
                    if (page.items().isEmpty()) {
                        return CompletableFuture.completedFuture(null);
                    }
                    Entry highest = entries(page).get(0);
                    CompletionStage<Void> marked = highest.isFloor() || isCompleteTombstone(highest)
                            ? CompletableFuture.completedFuture(null)
                            : replace(highest, 0);
                    return marked.thenCompose(done -> removeBelow(highest))
                            .thenCompose(removed -> checkNothingAbove(highest))
                            .thenCompose(none -> removeAll(List.of(highest)));
                });
    }

    private CompletionStage<Void> removeBelow(Entry highest) {
        return Pages.<Map<String, AttributeValue>>drain(
                null,
                start -> page(highest.persistenceId(), "pid = :pid AND seq < :number", highest.key(), start, true)
                        .thenCompose(page -> removeAll(entries(page)).thenApply(removed -> page.next())));
    }

    private CompletionStage<Void> checkNothingAbove(Entry highest) {
        return page(highest.persistenceId(), "pid = :pid AND seq > :number", highest.key(), null, true, 1)
                .thenAccept(page -> {
                    if (!page.items().isEmpty()) {
                        throw new StoreException.LogMoved("Table " + settings.tableName()
                                + ": an entity wrote sequence number "
                                + page.items().get(0).number(ItemKey.SEQ) + " of " + highest.persistenceId()
                                + " while its log was being reset. The events up to " + highest.end()
                                + " are deleted, that one is stored, and the sequence number is kept. Stop the entity and"
                                + " reset again.");
                    }
                });
    }

    private CompletionStage<Void> removeAll(List<Entry> entries) {
        return Stages.inOrder(entries, entry -> parts.delete(entry.item()))
                .thenCompose(deleted -> dynamo.deleteAll(
                        settings.tableName(),
                        entries.stream()
                                .map(entry -> new ItemKey(entry.persistenceId(), entry.key()).attributes())
                                .toList()));
    }

    /**
     * Looks for the mark of a delete at or after a key, and completes that delete. Expired commits are not a mark.
     *
     * @return whether there was one
     */
    CompletionStage<Boolean> complete(String persistenceId, long fromKey) {
        AtomicLong mark = new AtomicLong();
        return Pages.<Map<String, AttributeValue>>drain(
                        null,
                        start -> pageUpFrom(persistenceId, fromKey, start).thenApply(page -> {
                            for (Entry entry : entries(page)) {
                                mark.accumulateAndGet(deletedTo(entry), Math::max);
                            }
                            return page.next();
                        }))
                .thenCompose(read -> mark.get() < 1
                        ? CompletableFuture.completedFuture(false)
                        : removeTo(persistenceId, mark.get()).thenApply(deleted -> true));
    }

    private static long deletedTo(Entry entry) {
        if (entry.isFloor()) {
            return 0;
        }
        return entry.isTombstone() ? entry.end() : entry.lowestSeqNr() - 1;
    }

    private List<Entry> entries(ItemPage page) {
        return page.items().stream()
                .map(item -> CommitItems.entry(settings.tableName(), item))
                .toList();
    }

    /** The steps of a delete, collected in descending order of the keys. */
    private static final class Plan {
        private final long toSeqNr;

        /** The commit of which only the front is deleted. */
        private @Nullable Entry cut;

        /** The highest entry that is deleted as a whole. */
        private @Nullable Entry highest;

        private final List<Entry> others = new ArrayList<>();
        private int tombstonesInARow;

        Plan(long toSeqNr) {
            this.toSeqNr = toSeqNr;
        }

        boolean isComplete() {
            return tombstonesInARow >= TOMBSTONES_OF_COMPLETED_DELETE;
        }

        void add(Entry entry) {
            if (entry.isFloor()) {
                return;
            }
            if (entry.end() > toSeqNr) {
                cut = entry.isTombstone() || entry.lowestSeqNr() > toSeqNr ? null : entry;
            } else if (highest == null) {
                highest = entry;
            } else if (entry.isTombstone() && (entry.expirySeconds() > 0 || entry.key() == 1)) {
                tombstonesInARow++;
            } else {
                tombstonesInARow = 0;
                others.add(entry);
            }
        }
    }

    private CompletionStage<Void> run(Plan plan) {
        Collections.reverse(plan.others);
        long expirySeconds =
                dynamo.nowMicros() / 1_000_000 + settings.tombstoneRetention().toSeconds();
        return deleteFront(plan.cut, plan.toSeqNr)
                .thenCompose(done -> plan.highest == null || isCompleteTombstone(plan.highest)
                        ? CompletableFuture.completedFuture(null)
                        : replace(plan.highest, 0))
                .thenCompose(marked -> Pages.drain(0, from -> {
                    if (from >= plan.others.size()) {
                        return CompletableFuture.completedFuture(null);
                    }
                    int to = Math.min(plan.others.size(), from + MAX_PUTS_IN_FLIGHT);
                    return CompletableFuture.allOf(plan.others.subList(from, to).stream()
                                    .map(entry -> replace(entry, entry.key() == 1 ? 0 : expirySeconds)
                                            .toCompletableFuture())
                                    .toArray(CompletableFuture[]::new))
                            .thenApply(replaced -> to);
                }));
    }

    private static boolean isCompleteTombstone(Entry entry) {
        return entry.isTombstone() && !entry.item().has(Parts.ID);
    }

    /** Marks the events of a commit up to a sequence number as deleted. The mark only rises, and never on a tombstone. */
    private CompletionStage<Void> deleteFront(@Nullable Entry commit, long toSeqNr) {
        if (commit == null) {
            return CompletableFuture.completedFuture(null);
        }
        return dynamo.updateIf(UpdateItemRequest.builder()
                        .tableName(settings.tableName())
                        .key(new ItemKey(commit.persistenceId(), commit.key()).attributes())
                        .updateExpression("SET lo = :lo")
                        .conditionExpression(
                                "attribute_exists(ix) AND w = :w AND ts = :ts AND (attribute_not_exists(lo) OR lo < :lo)")
                        .expressionAttributeValues(Map.of(
                                ":lo",
                                ItemKey.number(toSeqNr + 1),
                                ":w",
                                writer(commit),
                                ":ts",
                                ItemKey.number(commit.timestampMicros()))))
                .thenAccept(rejection -> {});
    }

    /** Puts a tombstone in the place of an entry, deletes its parts, and then removes the parts' id from the tombstone. */
    private CompletionStage<Void> replace(Entry entry, long expirySeconds) {
        Item tombstone = CommitItems.tombstone(entry);
        if (expirySeconds > 0) {
            tombstone.number(CommitItems.EXPIRY, expirySeconds);
        }
        if (!entry.item().has(Parts.ID)) {
            return put(entry, tombstone);
        }
        Item withParts = tombstone
                .copy()
                .text(Parts.ID, entry.item().text(Parts.ID))
                .number(Parts.COUNT, entry.item().number(Parts.COUNT));
        return put(entry, withParts)
                .thenCompose(stored -> parts.delete(withParts))
                .thenCompose(deleted -> put(entry, tombstone));
    }

    /** A rejection means that the commit is no longer there, or is another writer's: then there is nothing to delete. */
    private CompletionStage<Void> put(Entry entry, Item tombstone) {
        return dynamo.putIf(PutItemRequest.builder()
                        .tableName(settings.tableName())
                        .item(tombstone.attributes())
                        .conditionExpression("w = :w AND ts = :ts")
                        .expressionAttributeValues(
                                Map.of(":w", writer(entry), ":ts", ItemKey.number(entry.timestampMicros()))))
                .thenAccept(rejection -> {});
    }

    private static AttributeValue writer(Entry entry) {
        return AttributeValue.fromB(SdkBytes.fromByteArrayUnsafe(entry.writer().bytes()));
    }

    private CompletionStage<ItemPage> pageDownFrom(
            String persistenceId, long key, @Nullable Map<String, AttributeValue> start) {
        return page(persistenceId, "pid = :pid AND seq <= :number", key, start, false);
    }

    private CompletionStage<ItemPage> pageUpFrom(
            String persistenceId, long key, @Nullable Map<String, AttributeValue> start) {
        return page(persistenceId, "pid = :pid AND seq >= :number", key, start, true);
    }

    private CompletionStage<ItemPage> page(
            String persistenceId,
            String condition,
            long key,
            @Nullable Map<String, AttributeValue> start,
            boolean ascending) {
        return page(persistenceId, condition, key, start, ascending, Math.min(MAX_PAGE_ITEMS, settings.pageItems()));
    }

    /** Without payloads: they cost the same read units, but need not be transferred. */
    private CompletionStage<ItemPage> page(
            String persistenceId,
            String condition,
            long key,
            @Nullable Map<String, AttributeValue> start,
            boolean ascending,
            int limit) {
        return dynamo.query(QueryRequest.builder()
                .tableName(settings.tableName())
                .consistentRead(true)
                .scanIndexForward(ascending)
                .keyConditionExpression(condition)
                .projectionExpression("pid, seq, n, skip, ts, w, ix, id, lo, #exp, hi, parts, #part, #sum")
                .expressionAttributeNames(Map.of("#exp", CommitItems.EXPIRY, "#part", Parts.ID, "#sum", Parts.DIGEST))
                .expressionAttributeValues(
                        Map.of(":pid", AttributeValue.fromS(persistenceId), ":number", ItemKey.number(key)))
                .limit(limit)
                .exclusiveStartKey(start));
    }
}
