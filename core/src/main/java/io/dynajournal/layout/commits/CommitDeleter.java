package io.dynajournal.layout.commits;

import io.dynajournal.dynamo.Dynamo;
import io.dynajournal.dynamo.Item;
import io.dynajournal.dynamo.ItemPage;
import io.dynajournal.layout.commits.CommitItems.Entry;
import io.dynajournal.store.Pages;
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
 * Replaces commits by stubs, which keep the highest number and stop stale writers until they expire.
 *
 * <p>The order is what makes a crash harmless. First the highest mark is set: {@code lo} in a commit that the delete cuts,
 * then the highest stub, which does not expire; from then on nothing below is replayed, and holes there are legal. Then the
 * other commits follow from the lowest up, with an expiry; last among them the stub of an earlier delete, which is the
 * highest no more. The stub at number 1 never expires, because the index over ids lives on it.
 */
final class CommitDeleter {

    /**
     * Each of them is written as well, so that a request for so many hardly counts. DynamoDB Local fetches all of a range up to the
     * limit before it cuts a page of 1 MB.
     */
    private static final int PAGE_ITEMS = 100;

    private static final int PUTS_AT_ONCE = 8;

    /**
     * Expiring stubs in a row after which everything below has been done by an earlier delete. More than the puts that can
     * be on their way at once, because a crash may let them land in any order.
     */
    private static final int DONE = 2 * PUTS_AT_ONCE;

    private final Dynamo dynamo;
    private final CommitsJournal settings;
    private final Parts parts;

    CommitDeleter(Dynamo dynamo, CommitsJournal settings, Parts parts) {
        this.dynamo = dynamo;
        this.settings = settings;
        this.parts = parts;
    }

    CompletionStage<Void> deleteTo(String persistenceId, long to) {
        if (to < 1) {
            return CompletableFuture.completedFuture(null);
        }
        Plan plan = new Plan(to);
        return Pages.<Map<String, AttributeValue>>drain(
                        null,
                        start -> below(persistenceId, to, start).thenApply(page -> {
                            boolean more = plan.addAll(page.items());
                            return more ? page.next() : null;
                        }))
                .thenCompose(read -> run(plan));
    }

    /**
     * Looks for the mark of a delete at or above a number, and finishes what that delete has left. Expired commits are not
     * the mark of a delete.
     */
    CompletionStage<Boolean> finish(String persistenceId, long from) {
        AtomicLong mark = new AtomicLong();
        return Pages.<Map<String, AttributeValue>>drain(
                        null,
                        start -> above(persistenceId, from, start).thenApply(page -> {
                            for (Item item : page.items()) {
                                Entry entry = CommitItems.entry(item);
                                long deleted = entry.isFloor() ? 0 : entry.isStub() ? entry.end() : entry.lo() - 1;
                                mark.accumulateAndGet(deleted, Math::max);
                            }
                            return page.next();
                        }))
                .thenCompose(read -> mark.get() < 1
                        ? CompletableFuture.completedFuture(false)
                        : deleteTo(persistenceId, mark.get()).thenApply(deleted -> true));
    }

    /** What a delete has to do, found from the highest number down. */
    private static final class Plan {
        private final long to;
        private final List<Entry> lower = new ArrayList<>();
        private @Nullable Entry cut;
        private @Nullable Entry highest;
        private int done;

        Plan(long to) {
            this.to = to;
        }

        /** Whether to read on. */
        boolean addAll(List<Item> items) {
            for (Item item : items) {
                add(CommitItems.entry(item));
            }
            return done < DONE;
        }

        private void add(Entry entry) {
            if (entry.isFloor()) {
                return;
            }
            if (entry.end() > to) {
                cut = entry.isStub() || entry.lo() > to ? null : entry;
            } else if (highest == null) {
                highest = entry;
            } else if (entry.isStub() && (entry.exp() > 0 || entry.seq() == 1)) {
                done++;
            } else {
                done = 0;
                lower.add(entry);
            }
        }
    }

    private CompletionStage<Void> run(Plan plan) {
        Collections.reverse(plan.lower);
        long exp = dynamo.nowMicros() / 1_000_000 + settings.stubLife().toSeconds();
        return raise(plan.cut, plan.to)
                .thenCompose(raised -> plan.highest == null || isClean(plan.highest)
                        ? CompletableFuture.completedFuture(null)
                        : bury(plan.highest, 0))
                .thenCompose(marked -> Pages.drain(0, from -> {
                    if (from >= plan.lower.size()) {
                        return CompletableFuture.completedFuture(null);
                    }
                    int next = Math.min(plan.lower.size(), from + PUTS_AT_ONCE);
                    return CompletableFuture.allOf(plan.lower.subList(from, next).stream()
                                    .map(entry -> bury(entry, entry.seq() == 1 ? 0 : exp)
                                            .toCompletableFuture())
                                    .toArray(CompletableFuture[]::new))
                            .thenApply(buried -> next);
                }));
    }

    private static boolean isClean(Entry entry) {
        return entry.isStub() && !entry.item().has(Parts.PART);
    }

    /** Marks the events of a commit below {@code to} as deleted. The mark only rises, and only on a living commit. */
    private CompletionStage<Void> raise(@Nullable Entry entry, long to) {
        if (entry == null) {
            return CompletableFuture.completedFuture(null);
        }
        return dynamo.updateIf(UpdateItemRequest.builder()
                        .tableName(settings.tableName())
                        .key(key(entry))
                        .updateExpression("SET lo = :lo")
                        .conditionExpression(
                                "attribute_exists(ix) AND w = :w AND ts = :ts AND (attribute_not_exists(lo) OR lo < :lo)")
                        .expressionAttributeValues(Map.of(
                                ":lo", AttributeValue.fromN(Long.toString(to + 1)),
                                ":w", writer(entry),
                                ":ts", AttributeValue.fromN(Long.toString(entry.ts())))))
                .thenAccept(refusal -> {});
    }

    /** Puts a stub in the place of a commit, then removes its parts, then forgets them. */
    private CompletionStage<Void> bury(Entry entry, long exp) {
        Item stub = CommitItems.stub(entry);
        if (exp > 0) {
            stub.number(CommitItems.EXP, exp);
        }
        if (!entry.item().has(Parts.PART)) {
            return put(entry, stub);
        }
        Item withParts = stub.copy()
                .text(Parts.PART, entry.item().text(Parts.PART))
                .number(Parts.PARTS, entry.item().number(Parts.PARTS));
        return put(entry, withParts)
                .thenCompose(stubbed -> parts.delete(withParts))
                .thenCompose(deleted -> put(entry, stub));
    }

    /** A refusal means that the commit is gone or another's by now: then there is nothing to delete. */
    private CompletionStage<Void> put(Entry entry, Item stub) {
        return dynamo.putIf(PutItemRequest.builder()
                        .tableName(settings.tableName())
                        .item(stub.attributes())
                        .conditionExpression("w = :w AND ts = :ts")
                        .expressionAttributeValues(
                                Map.of(":w", writer(entry), ":ts", AttributeValue.fromN(Long.toString(entry.ts())))))
                .thenAccept(refusal -> {});
    }

    private static AttributeValue writer(Entry entry) {
        return AttributeValue.fromB(SdkBytes.fromByteArrayUnsafe(entry.writer().bytes()));
    }

    private static Map<String, AttributeValue> key(Entry entry) {
        return Map.of(
                CommitItems.PID, AttributeValue.fromS(entry.item().text(CommitItems.PID)),
                CommitItems.SEQ, AttributeValue.fromN(Long.toString(entry.seq())));
    }

    private CompletionStage<ItemPage> below(
            String persistenceId, long to, @Nullable Map<String, AttributeValue> start) {
        return page(persistenceId, "pid = :pid AND seq <= :number", to, start, false);
    }

    private CompletionStage<ItemPage> above(
            String persistenceId, long from, @Nullable Map<String, AttributeValue> start) {
        return page(persistenceId, "pid = :pid AND seq >= :number", from, start, true);
    }

    /** Without payloads: they cost the same to read, but not to send. */
    private CompletionStage<ItemPage> page(
            String persistenceId,
            String condition,
            long number,
            @Nullable Map<String, AttributeValue> start,
            boolean upwards) {
        return dynamo.query(QueryRequest.builder()
                .tableName(settings.tableName())
                .consistentRead(true)
                .scanIndexForward(upwards)
                .keyConditionExpression(condition)
                .projectionExpression("pid, seq, n, skip, ts, w, ix, id, lo, #exp, hi, parts, #part, #sum")
                .expressionAttributeNames(Map.of("#exp", CommitItems.EXP, "#part", Parts.PART, "#sum", Parts.SUM))
                .expressionAttributeValues(Map.of(
                        ":pid", AttributeValue.fromS(persistenceId),
                        ":number", AttributeValue.fromN(Long.toString(number))))
                .limit(Math.min(PAGE_ITEMS, settings.pageItems()))
                .exclusiveStartKey(start));
    }
}
