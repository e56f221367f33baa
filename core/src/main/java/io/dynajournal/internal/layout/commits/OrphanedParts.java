package io.dynajournal.internal.layout.commits;

import io.dynajournal.internal.dynamo.Dynamo;
import io.dynajournal.internal.dynamo.Item;
import io.dynajournal.internal.store.Finding;
import io.dynajournal.internal.store.FindingKind;
import io.dynajournal.internal.store.PageToken;
import io.dynajournal.internal.store.Pages;
import io.dynajournal.internal.store.PartsCheck;
import io.dynajournal.internal.store.PersistenceIds.IdPage;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.ScanRequest;

/**
 * Finds parts that no head names. In a journal the key of a head is used once: as soon as something else is there, or the log has
 * gone on, the head can never be stored. Otherwise its writer may be about to store it, for {@link Parts#MAX_AGE} and its call
 * timeout at most.
 */
final class OrphanedParts implements PartsCheck {

    /** @param last the last id of the page before: a scan returns the parts of an id together */
    private record Token(
            Map<String, AttributeValue> next, @Nullable String last) implements PageToken {}

    private final Dynamo dynamo;
    private final String table;
    private final boolean headsAreFinal;

    /** @param headsAreFinal whether a head is never replaced by another one with other parts, as in a journal */
    OrphanedParts(Dynamo dynamo, String table, boolean headsAreFinal) {
        this.dynamo = dynamo;
        this.table = table;
        this.headsAreFinal = headsAreFinal;
    }

    @Override
    public CompletionStage<IdPage> ids(@Nullable PageToken start) {
        @Nullable Token token = (Token) start;
        return dynamo.scan(ScanRequest.builder()
                        .tableName(table)
                        .consistentRead(true)
                        .projectionExpression("pid")
                        .filterExpression("begins_with(pid, :parts)")
                        .expressionAttributeValues(Map.of(":parts", AttributeValue.fromS(Parts.KEY_PREFIX)))
                        .exclusiveStartKey(token == null ? null : token.next()))
                .thenApply(page -> {
                    List<String> ids = new ArrayList<>();
                    String last = token == null ? null : token.last();
                    for (Item part : page.items()) {
                        String id = part.text(ItemKey.PID).substring(Parts.KEY_PREFIX.length());
                        if (!id.equals(last)) {
                            ids.add(id);
                            last = id;
                        }
                    }
                    return new IdPage(ids, page.next() == null ? null : new Token(page.next(), last));
                });
    }

    @Override
    public CompletionStage<List<Finding>> check(String partId) {
        List<Item> parts = new ArrayList<>();
        return parts(partId, parts).thenCompose(read -> {
            if (parts.isEmpty()) {
                return CompletableFuture.completedFuture(List.of());
            }
            Item first = ItemKey.named(table, parts.get(0));
            if (outlivesHead(first)) {
                return CompletableFuture.completedFuture(List.of());
            }
            String owner = first.text(Parts.OWNER);
            long seqNr = first.number(Parts.OWNER_SEQ);
            // The end first: a head that is not there after the log went on will never be.
            return highest(owner)
                    .thenCompose(highest -> last(owner, seqNr).thenApply(head -> {
                        boolean isThere = head != null && head.number(ItemKey.SEQ) == seqNr;
                        if (isThere && partId.equals(head.textOr(Parts.ID, null))) {
                            return List.of();
                        }
                        boolean taken = headsAreFinal && (isThere || highest > seqNr);
                        return List.of(finding(partId, owner, seqNr, parts.size(), taken));
                    }));
        });
    }

    /** DynamoDB removes a head some time after it has expired, and its parts a day later by their own expiry. */
    private boolean outlivesHead(Item part) {
        return part.has(Parts.EXPIRY)
                && part.number(Parts.EXPIRY) - Parts.EXPIRY_MARGIN_SECONDS
                        <= TimeUnit.MICROSECONDS.toSeconds(dynamo.nowMicros());
    }

    private Finding finding(String partId, String owner, long seqNr, int count, boolean taken) {
        return Finding.of(
                        taken ? FindingKind.ORPHANED_PARTS : FindingKind.UNCLAIMED_PARTS,
                        owner,
                        seqNr,
                        count + " items under the key " + Parts.KEY_PREFIX + partId + " of table " + table)
                .with("delete these " + count + " items", () -> delete(partId));
    }

    private CompletionStage<Void> delete(String partId) {
        List<Item> parts = new ArrayList<>();
        return parts(partId, parts)
                .thenCompose(read -> dynamo.deleteAll(
                        table,
                        parts.stream()
                                .map(part -> ItemKey.of(part).attributes())
                                .toList()));
    }

    /** Without their bytes. */
    private CompletionStage<Void> parts(String partId, List<Item> parts) {
        return Pages.<Map<String, AttributeValue>>drain(
                null,
                start -> dynamo.query(QueryRequest.builder()
                                .tableName(table)
                                .consistentRead(true)
                                .keyConditionExpression("pid = :pid")
                                .projectionExpression("pid, seq, #of, #at, #exp")
                                .expressionAttributeNames(
                                        Map.of("#of", Parts.OWNER, "#at", Parts.OWNER_SEQ, "#exp", Parts.EXPIRY))
                                .expressionAttributeValues(
                                        Map.of(":pid", AttributeValue.fromS(Parts.KEY_PREFIX + partId)))
                                .exclusiveStartKey(start))
                        .thenApply(page -> {
                            parts.addAll(page.items());
                            return page.next();
                        }));
    }

    private CompletionStage<Long> highest(String owner) {
        return last(owner, Long.MAX_VALUE).thenApply(item -> item == null ? 0 : item.number(ItemKey.SEQ));
    }

    private CompletionStage<@Nullable Item> last(String owner, long seqNr) {
        return dynamo.query(QueryRequest.builder()
                        .tableName(table)
                        .consistentRead(true)
                        .scanIndexForward(false)
                        .keyConditionExpression("pid = :pid AND seq <= :seq")
                        .projectionExpression("pid, seq, #part")
                        .expressionAttributeNames(Map.of("#part", Parts.ID))
                        .expressionAttributeValues(
                                Map.of(":pid", AttributeValue.fromS(owner), ":seq", ItemKey.number(seqNr)))
                        .limit(1))
                .thenApply(page -> page.items().isEmpty()
                        ? null
                        : ItemKey.named(table, page.items().get(0)));
    }
}
