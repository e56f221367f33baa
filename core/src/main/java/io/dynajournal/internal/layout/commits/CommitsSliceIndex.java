package io.dynajournal.internal.layout.commits;

import io.dynajournal.internal.dynamo.Dynamo;
import io.dynajournal.internal.dynamo.Item;
import io.dynajournal.internal.dynamo.ItemPage;
import io.dynajournal.internal.layout.commits.CommitItems.Entry;
import io.dynajournal.internal.model.StoredEvent;
import io.dynajournal.internal.store.Pages;
import io.dynajournal.internal.store.SliceIndex;
import io.dynajournal.internal.store.SliceRow;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;

/** The slice index of the journal table. A row holds the events of a small commit; those of a larger one are in the table. */
final class CommitsSliceIndex extends CommitsSliceRows implements SliceIndex {

    /** How many commits one request reads when a commit was missed; usually the first one is the missed one. */
    private static final int BACKWARD_PAGE_ITEMS = 10;

    private record RowEntry(Entry entry) implements SliceRow.Content {}

    private final Dynamo dynamo;
    private final CommitsJournal settings;
    private final String table;
    private final Parts parts;

    CommitsSliceIndex(Dynamo dynamo, CommitsJournal settings) {
        super(dynamo, settings.tableName(), settings.indexPartitions());
        this.dynamo = dynamo;
        this.settings = settings;
        this.table = settings.tableName();
        this.parts = new Parts(dynamo, table, settings.itemSize());
    }

    @Override
    SliceRow row(Item item) {
        Entry entry = CommitItems.entry(table, item);
        return new SliceRow(
                entry.persistenceId(),
                entry.key(),
                entry.end(),
                entry.timestampMicros(),
                item.numberOr(CommitItems.PREVIOUS_TIMESTAMP, 0),
                item.texts(CommitItems.TAGS),
                new RowEntry(entry));
    }

    @Override
    public CompletionStage<List<SliceRow>> between(
            String persistenceId, long afterSeqNr, long beforeSeqNr, long fromMicros, int limit) {
        return ReservedIds.guarded(
                persistenceId,
                () -> fromMicros == 0
                        ? rows(persistenceId, afterSeqNr + 1, beforeSeqNr - 1, limit)
                        : firstKeySince(persistenceId, afterSeqNr + 1, beforeSeqNr - 1, fromMicros)
                                .thenCompose(first -> rows(persistenceId, first, beforeSeqNr - 1, limit)));
    }

    private CompletionStage<List<SliceRow>> rows(String persistenceId, long fromKey, long toKey, int limit) {
        List<SliceRow> rows = new ArrayList<>();
        long nowSeconds = settings.expiryTime(persistenceId, dynamo.nowMicros());
        if (fromKey > toKey) {
            return CompletableFuture.completedFuture(rows);
        }
        return Pages.<Map<String, AttributeValue>>drain(
                        null,
                        start -> commits(persistenceId, fromKey, toKey, true, limit, start)
                                .thenApply(page -> {
                                    for (Item item : page.items()) {
                                        Entry entry = CommitItems.entry(table, item);
                                        if (!entry.isTombstone()
                                                && !entry.isExpired(nowSeconds)
                                                && rows.size() < limit) {
                                            rows.add(row(item));
                                        }
                                    }
                                    return rows.size() < limit ? page.next() : null;
                                }))
                .thenApply(read -> rows);
    }

    /** The key of the first commit at a time or later. Timestamps increase with the keys, so it searches backwards. */
    private CompletionStage<Long> firstKeySince(String persistenceId, long fromKey, long toKey, long fromMicros) {
        long[] first = {toKey + 1};
        if (fromKey > toKey) {
            return CompletableFuture.completedFuture(first[0]);
        }
        return Pages.<Map<String, AttributeValue>>drain(
                        null,
                        start -> commits(persistenceId, fromKey, toKey, false, BACKWARD_PAGE_ITEMS, start)
                                .thenApply(page -> {
                                    for (Item item : page.items()) {
                                        Entry entry = CommitItems.entry(table, item);
                                        if (entry.timestampMicros() < fromMicros) {
                                            return null;
                                        }
                                        first[0] = entry.key();
                                    }
                                    return page.next();
                                }))
                .thenApply(read -> first[0]);
    }

    /** Without payloads, which are read when the commit is delivered. */
    private CompletionStage<ItemPage> commits(
            String persistenceId,
            long fromKey,
            long toKey,
            boolean ascending,
            int limit,
            @Nullable Map<String, AttributeValue> start) {
        return dynamo.query(QueryRequest.builder()
                .tableName(table)
                .consistentRead(true)
                .scanIndexForward(ascending)
                .keyConditionExpression("pid = :pid AND seq BETWEEN :from AND :to")
                .projectionExpression("pid, seq, n, skip, ts, pv, w, ix, tags, lo, #exp")
                .expressionAttributeNames(Map.of("#exp", CommitItems.EXPIRY))
                .expressionAttributeValues(Map.of(
                        ":pid", AttributeValue.fromS(persistenceId),
                        ":from", ItemKey.number(fromKey),
                        ":to", ItemKey.number(toKey)))
                .limit(limit)
                .exclusiveStartKey(start));
    }

    @Override
    public CompletionStage<List<List<StoredEvent>>> events(List<SliceRow> rows) {
        List<Entry> entries =
                rows.stream().map(row -> ((RowEntry) row.content()).entry()).toList();
        List<ItemKey> keys = entries.stream()
                .filter(entry -> !entry.item().has(CommitItems.EVENTS))
                .map(entry -> ItemKey.of(entry.item()))
                .distinct()
                .toList();
        return stored(keys).thenCompose(stored -> {
            List<List<StoredEvent>> events = new ArrayList<>();
            long[] bytes = {0};
            return Pages.drain(0, index -> {
                        if (index >= entries.size() || bytes[0] >= MAX_CONTENT_BYTES) {
                            return CompletableFuture.completedFuture(null);
                        }
                        Entry entry = entries.get(index);
                        Entry whole =
                                entry.item().has(CommitItems.EVENTS) ? entry : stored.get(ItemKey.of(entry.item()));
                        return events(whole).thenApply(decoded -> {
                            events.add(decoded);
                            decoded.forEach(
                                    event -> bytes[0] += event.event().payload().bytes().length);
                            return index + 1;
                        });
                    })
                    .thenApply(done -> events);
        });
    }

    private CompletionStage<Map<ItemKey, Entry>> stored(List<ItemKey> keys) {
        if (keys.isEmpty()) {
            return CompletableFuture.completedFuture(Map.of());
        }
        return dynamo.getAll(table, keys.stream().map(ItemKey::attributes).toList())
                .thenApply(items -> {
                    Map<ItemKey, Entry> entries = new HashMap<>();
                    items.forEach(item -> entries.put(ItemKey.of(item), CommitItems.entry(table, item)));
                    return entries;
                });
    }

    /** @param entry null, or a tombstone, if it was deleted after the index showed it */
    private CompletionStage<List<StoredEvent>> events(@Nullable Entry entry) {
        if (entry == null
                || entry.isTombstone()
                || entry.isExpired(settings.expiryTime(entry.persistenceId(), dynamo.nowMicros()))) {
            return CompletableFuture.completedFuture(List.of());
        }
        return entry.hasParts()
                ? parts.read(entry.item())
                        .thenCompose(frame -> frame == null
                                ? withoutParts(entry)
                                : CompletableFuture.completedFuture(undeleted(entry, frame)))
                : CompletableFuture.completedFuture(undeleted(entry, entry.payload()));
    }

    /** Parts are deleted after their commit, so parts that are missing while the commit is in place are lost. */
    private CompletionStage<List<StoredEvent>> withoutParts(Entry entry) {
        ItemKey key = ItemKey.of(entry.item());
        return stored(List.of(key)).thenApply(stored -> {
            Entry now = stored.get(key);
            if (now != null && !now.isTombstone() && now.isOwn(entry)) {
                throw Parts.missing(entry.item());
            }
            return List.of();
        });
    }

    private static List<StoredEvent> undeleted(Entry entry, byte[] frame) {
        return entry.writes(frame).stream()
                .flatMap(List::stream)
                .filter(event -> event.seqNr() >= entry.lowestSeqNr())
                .toList();
    }
}
