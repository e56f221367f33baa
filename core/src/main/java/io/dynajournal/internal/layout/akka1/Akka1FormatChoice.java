package io.dynajournal.internal.layout.akka1;

import io.dynajournal.exception.StoreException;
import io.dynajournal.internal.dynamo.Dynamo;
import io.dynajournal.internal.dynamo.Item;
import io.dynajournal.internal.store.Stages;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ScanRequest;

/**
 * The form of new items: the configured one, or the one that the table holds. In a table with items of 1.0 and 1.1 only, new ones
 * have the same form, so that nodes of these versions can read them: during a rolling deployment, and after a way back. One item
 * of the newer form shows that no such node reads the table any more.
 *
 * <p>The table is asked before the first write of the process, by one scan of a few items, and never again. Items of other
 * journals and marks do not count; while a page has nothing else, the next one is read. Thread-safe.
 */
final class Akka1FormatChoice {

    private static final Logger log = LoggerFactory.getLogger(Akka1FormatChoice.class);

    /** Bounds the scan of a table whose first items all belong to other journals. */
    private static final int MAX_PAGES = 100;

    /**
     * Which items count.
     *
     * @param keyPrefix how their hash key begins
     * @param serializer the attribute that only those of the newer form have
     * @param pageItems the number of items of one page of the scan
     */
    record Sample(String table, String keyPrefix, String serializer, int pageItems) {}

    private final Dynamo dynamo;
    private final Sample sample;
    private @Nullable CompletableFuture<Akka1EventFormat> chosen;

    Akka1FormatChoice(Dynamo dynamo, @Nullable Akka1EventFormat configured, Sample sample) {
        this.dynamo = dynamo;
        this.sample = sample;
        this.chosen = configured == null ? null : CompletableFuture.completedFuture(configured);
    }

    synchronized CompletionStage<Akka1EventFormat> get() {
        CompletableFuture<Akka1EventFormat> known = chosen;
        if (known == null || known.isCompletedExceptionally()) {
            known = scan(null, 1)
                    .handle(this::reported)
                    .thenCompose(form -> form)
                    .toCompletableFuture();
            chosen = known;
        }
        return known;
    }

    private CompletionStage<Akka1EventFormat> reported(@Nullable Akka1EventFormat found, @Nullable Throwable failure) {
        if (failure == null) {
            Akka1EventFormat form = found == null ? Akka1EventFormat.EVENT : found;
            log.info(
                    "Table {}: new items have the form \"{}\", because the table holds {}. The setting {} overrides this.",
                    sample.table(),
                    form,
                    found == null
                            ? "none yet"
                            : form == Akka1EventFormat.PAY ? "items of 1.0 or 1.1 only" : "such items",
                    Akka1EventFormat.SETTING);
            return CompletableFuture.completedFuture(form);
        }
        Throwable cause = Stages.unwrap(failure);
        if (cause instanceof StoreException.Refused) {
            log.warn(
                    "Table {} could not be scanned for the form of its items; new ones have the form \"event\", which 1.0"
                            + " and 1.1 cannot read. Set {} to pay or event, or permit dynamodb:Scan. ({})",
                    sample.table(),
                    Akka1EventFormat.SETTING,
                    cause.getMessage());
            return CompletableFuture.completedFuture(Akka1EventFormat.EVENT);
        }
        return CompletableFuture.failedFuture(cause);
    }

    private CompletionStage<@Nullable Akka1EventFormat> scan(@Nullable Map<String, AttributeValue> start, int page) {
        return dynamo.scan(request(start)).thenCompose(found -> {
            Akka1EventFormat form = form(found.items());
            return form != null || found.next() == null || page == MAX_PAGES
                    ? CompletableFuture.completedFuture(form)
                    : scan(found.next(), page + 1);
        });
    }

    private @Nullable Akka1EventFormat form(List<Item> items) {
        if (items.isEmpty()) {
            return null;
        }
        return items.stream().anyMatch(item -> item.has(sample.serializer()))
                ? Akka1EventFormat.EVENT
                : Akka1EventFormat.PAY;
    }

    private ScanRequest.Builder request(@Nullable Map<String, AttributeValue> start) {
        return ScanRequest.builder()
                .tableName(sample.table())
                .limit(sample.pageItems())
                .exclusiveStartKey(start)
                .filterExpression(
                        "begins_with(#par, :prefix) AND (attribute_exists(#pay) OR attribute_exists(#serializer))")
                .projectionExpression("#par, #serializer")
                .expressionAttributeNames(Map.of(
                        "#par", Akka1Items.PAR,
                        "#pay", Akka1Items.PAY,
                        "#serializer", sample.serializer()))
                .expressionAttributeValues(Map.of(":prefix", AttributeValue.fromS(sample.keyPrefix())));
    }
}
