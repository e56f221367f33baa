package io.dynajournal.internal.layout.commits;

import io.dynajournal.internal.dynamo.Dynamo;
import io.dynajournal.internal.layout.commits.CommitItems.Entry;
import io.dynajournal.internal.store.Finding;
import io.dynajournal.internal.store.FindingKind;
import io.dynajournal.internal.store.LogCheck;
import io.dynajournal.internal.store.Pages;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/** Checks the items of a log, page by page, and whether the slice index shows the last commit. */
final class CommitsCheck implements LogCheck {

    private static final String ATTRIBUTES = "pid, seq, n, skip, ts, w, ix, id, lo, #exp, hi, parts, #part, #sum";

    private final Dynamo dynamo;
    private final CommitsJournal settings;
    private final CommitsEventLog log;
    private final CommitsRegistry registry;

    CommitsCheck(Dynamo dynamo, CommitsJournal settings) {
        this.dynamo = dynamo;
        this.settings = settings;
        this.log = new CommitsEventLog(dynamo, settings);
        this.registry = new CommitsRegistry(dynamo, settings.tableName(), settings.indexPartitions());
    }

    @Override
    public CompletionStage<List<Finding>> check(String persistenceId) {
        AtomicReference<@Nullable Entry> last = new AtomicReference<>();
        List<EntryCheck> checks = new ArrayList<>(List.of(
                new UnfinishedDelete(persistenceId, to -> log.removeTo(persistenceId, to)),
                new ExpiringTombstone(persistenceId)));
        if (settings.idIndex()) {
            checks.add(new UnlistedId(persistenceId, this::list));
        }
        // A partition count that is registered meanwhile is unknown here, and known to a second check.
        return registry.read()
                .thenCompose(known -> {
                    if (settings.sliceIndex()) {
                        checks.add(new IndexPlace(persistenceId, known));
                    }
                    return Pages.<Map<String, AttributeValue>>drain(
                            null, start -> page(persistenceId, start, checks, last));
                })
                .thenCompose(read -> shown(last.get()))
                .thenApply(missing -> {
                    List<Finding> found = new ArrayList<>(missing);
                    checks.forEach(check -> check.finding().ifPresent(found::add));
                    return found;
                });
    }

    private CompletionStage<@Nullable Map<String, AttributeValue>> page(
            String persistenceId,
            @Nullable Map<String, AttributeValue> start,
            List<EntryCheck> checks,
            AtomicReference<@Nullable Entry> last) {
        return dynamo.query(QueryRequest.builder()
                        .tableName(settings.tableName())
                        .consistentRead(true)
                        .keyConditionExpression("pid = :pid")
                        .projectionExpression(ATTRIBUTES)
                        .expressionAttributeNames(
                                Map.of("#exp", CommitItems.EXPIRY, "#part", Parts.ID, "#sum", Parts.DIGEST))
                        .expressionAttributeValues(Map.of(":pid", AttributeValue.fromS(persistenceId)))
                        .exclusiveStartKey(start))
                .thenApply(page -> {
                    page.items().forEach(item -> {
                        Entry entry = CommitItems.entry(settings.tableName(), item);
                        checks.forEach(check -> check.accept(entry));
                        last.set(entry);
                    });
                    return page.next();
                });
    }

    /** Whether the index shows the last commit: it may be lagging, or being created. */
    private CompletionStage<List<Finding>> shown(@Nullable Entry last) {
        if (!settings.sliceIndex() || last == null || last.isFloor() || last.isTombstone()) {
            return CompletableFuture.completedFuture(List.of());
        }
        String partition = last.item().text(CommitItems.INDEX_PARTITION);
        return dynamo.query(QueryRequest.builder()
                        .tableName(settings.tableName())
                        .indexName(CommitsSliceRows.INDEX)
                        .keyConditionExpression("ix = :ix AND #ts = :ts")
                        .expressionAttributeNames(Map.of("#ts", CommitItems.TIMESTAMP))
                        .expressionAttributeValues(Map.of(
                                ":ix", AttributeValue.fromS(partition), ":ts", ItemKey.number(last.timestampMicros()))))
                .thenApply(page -> page.items().stream()
                                .anyMatch(row -> row.text(ItemKey.PID).equals(last.persistenceId()))
                        ? List.of()
                        : List.of(Finding.of(
                                FindingKind.NOT_INDEXED,
                                last.persistenceId(),
                                last.key(),
                                "the index " + CommitsSliceRows.INDEX + " does not show the last commit")));
    }

    private CompletionStage<Void> list(Entry first) {
        return dynamo.updateIf(UpdateItemRequest.builder()
                        .tableName(settings.tableName())
                        .key(new ItemKey(first.persistenceId(), first.key()).attributes())
                        .updateExpression("SET id = :id")
                        .conditionExpression("w = :w AND #ts = :ts AND attribute_not_exists(#exp)")
                        .expressionAttributeNames(Map.of("#exp", CommitItems.EXPIRY, "#ts", CommitItems.TIMESTAMP))
                        .expressionAttributeValues(Map.of(
                                ":id", AttributeValue.fromS(CommitItems.idPartition(first.persistenceId())),
                                ":w",
                                        AttributeValue.fromB(SdkBytes.fromByteArrayUnsafe(
                                                first.writer().bytes())),
                                ":ts", ItemKey.number(first.timestampMicros()))))
                .thenAccept(rejection -> {});
    }
}
