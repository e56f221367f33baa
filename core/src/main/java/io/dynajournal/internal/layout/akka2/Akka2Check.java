package io.dynajournal.internal.layout.akka2;

import io.dynajournal.internal.dynamo.Dynamo;
import io.dynajournal.internal.dynamo.Item;
import io.dynajournal.internal.layout.akka2.Akka2Items.Row;
import io.dynajournal.internal.store.Finding;
import io.dynajournal.internal.store.FindingKind;
import io.dynajournal.internal.store.LogCheck;
import io.dynajournal.internal.store.Pages;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;

/** Checks the items of a log, page by page: large writes that were not completed, and places in the slice index. */
final class Akka2Check implements LogCheck {

    private final Dynamo dynamo;
    private final Akka2Journal settings;
    private final Akka2Table table;

    Akka2Check(Dynamo dynamo, Akka2Journal settings) {
        this.dynamo = dynamo;
        this.settings = settings;
        this.table = new Akka2Table(dynamo, settings);
    }

    @Override
    public CompletionStage<List<Finding>> check(String persistenceId) {
        Found found = new Found(persistenceId);
        return Pages.<Map<String, AttributeValue>>drain(
                        null,
                        start -> table.items(persistenceId, 0, Long.MAX_VALUE, start)
                                .thenApply(page -> {
                                    page.items().forEach(found::accept);
                                    return page.next();
                                }))
                .thenCompose(read -> shown(found.last))
                .thenApply(missing -> Stream.of(found.open, found.misplaced, missing)
                        .filter(Objects::nonNull)
                        .toList());
    }

    /** The first finding of each kind. */
    private final class Found {
        private final String persistenceId;
        private final String expected;
        private @Nullable Finding open;
        private @Nullable Finding misplaced;
        private @Nullable Item last;

        Found(String persistenceId) {
            this.persistenceId = persistenceId;
            this.expected = Akka2Items.entityTypeSlice(persistenceId);
        }

        void accept(Item item) {
            Row row = Akka2Items.row(item.in(settings.tableName(), Akka2Items.PID, Akka2Items.SEQ_NR));
            if (open == null && row.isOpen()) {
                open = Finding.of(
                        FindingKind.INCOMPLETE_WRITE,
                        persistenceId,
                        row.first(),
                        "the write to sequence number " + row.last() + " by writer " + row.writer() + " is open");
            }
            if (!row.hasEvent() || settings.sliceIndex().isEmpty()) {
                return;
            }
            String place = String.valueOf(item.textOr(Akka2Items.ENTITY_TYPE_SLICE, "missing"));
            if (misplaced == null && !place.equals(expected)) {
                misplaced = Finding.of(
                        FindingKind.NOT_INDEXED,
                        persistenceId,
                        row.seqNr(),
                        Akka2Items.ENTITY_TYPE_SLICE + " is " + place + ", expected " + expected);
            }
            last = place.equals(expected) ? item : null;
        }
    }

    /** Null if the index shows the event: it may be lagging, or being created. */
    private CompletionStage<@Nullable Finding> shown(@Nullable Item last) {
        if (last == null) {
            return CompletableFuture.completedFuture(null);
        }
        Row row = Akka2Items.row(last);
        String id = last.text(Akka2Items.PID);
        return dynamo.query(QueryRequest.builder()
                        .tableName(settings.tableName())
                        .indexName(settings.sliceIndex())
                        .keyConditionExpression("#slice = :slice AND #ts = :ts")
                        .expressionAttributeNames(Map.of("#slice", Akka2Items.ENTITY_TYPE_SLICE, "#ts", Akka2Items.TS))
                        .expressionAttributeValues(Map.of(
                                ":slice", AttributeValue.fromS(Akka2Items.entityTypeSlice(id)),
                                ":ts", Akka2Table.number(row.ts()))))
                .thenApply(page -> page.items().stream()
                                .anyMatch(shown -> shown.text(Akka2Items.PID).equals(id))
                        ? null
                        : Finding.of(
                                FindingKind.NOT_INDEXED,
                                id,
                                row.seqNr(),
                                "the index " + settings.sliceIndex() + " does not show the last event"));
    }
}
