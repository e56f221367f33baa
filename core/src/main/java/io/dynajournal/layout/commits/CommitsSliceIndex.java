package io.dynajournal.layout.commits;

import io.dynajournal.dynamo.Dynamo;
import io.dynajournal.dynamo.Item;
import io.dynajournal.dynamo.ItemPage;
import io.dynajournal.layout.commits.CommitItems.Entry;
import io.dynajournal.model.SliceRange;
import io.dynajournal.model.Slices;
import io.dynajournal.model.StoredEvent;
import io.dynajournal.store.PageToken;
import io.dynajournal.store.Pages;
import io.dynajournal.store.SliceIndex;
import io.dynajournal.store.SlicePartition;
import io.dynajournal.store.SliceRow;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;

/** The slice index of the native layout. A row holds small commits whole; larger ones are read from the table. */
final class CommitsSliceIndex implements SliceIndex {

    /** How many commits are looked at in one request when one was missed; usually it is the last one. */
    private static final int BACKWARDS = 10;

    private record Next(Map<String, AttributeValue> key) implements PageToken {}

    private record Row(Entry entry) implements SliceRow.Content {

        @Override
        public long heldBytes() {
            return entry.item().size();
        }
    }

    private final Dynamo dynamo;
    private final CommitsJournal settings;
    private final CommitsRegistry registry;
    private final Parts parts;

    CommitsSliceIndex(Dynamo dynamo, CommitsJournal settings) {
        this.dynamo = dynamo;
        this.settings = settings;
        this.registry = new CommitsRegistry(dynamo, settings);
        this.parts = new Parts(dynamo, settings.tableName(), settings.itemSize());
    }

    @Override
    public long nowMicros() {
        return dynamo.nowMicros();
    }

    @Override
    public CompletionStage<Set<String>> entityTypes() {
        return registry.read().thenApply(state -> new TreeSet<>(state.types()));
    }

    @Override
    public CompletionStage<List<SlicePartition>> partitions(String entityType, SliceRange slices) {
        return registry.read().thenApply(state -> partitions(state, Set.of(entityType), slices));
    }

    @Override
    public CompletionStage<List<SlicePartition>> partitions(SliceRange slices) {
        return registry.read().thenApply(state -> partitions(state, state.types(), slices));
    }

    private List<SlicePartition> partitions(CommitsRegistry.State state, Set<String> entityTypes, SliceRange slices) {
        Set<Integer> counts = new TreeSet<>(state.counts().keySet());
        counts.add(settings.indexPartitions());
        Set<SlicePartition> partitions = new LinkedHashSet<>();
        for (int count : counts) {
            int first = slices.min() * count / Slices.COUNT;
            int last = slices.max() * count / Slices.COUNT;
            for (int partition = first; partition <= last; partition++) {
                for (String entityType : entityTypes) {
                    partitions.add(CommitItems.slicePartition(entityType, count, partition));
                }
            }
        }
        return List.copyOf(partitions);
    }

    @Override
    public CompletionStage<RowPage> read(
            SlicePartition partition, long fromMicros, long toMicros, @Nullable PageToken start, int limit) {
        return dynamo.query(QueryRequest.builder()
                        .tableName(settings.tableName())
                        .indexName(CommitsJournal.SLICE_INDEX)
                        .keyConditionExpression("ix = :ix AND ts BETWEEN :from AND :to")
                        .expressionAttributeValues(Map.of(
                                ":ix", AttributeValue.fromS(partition.name()),
                                ":from", number(fromMicros),
                                ":to", number(toMicros)))
                        .limit(limit)
                        .exclusiveStartKey(start == null ? null : ((Next) start).key()))
                .thenApply(page -> new RowPage(
                        page.items().stream().map(CommitsSliceIndex::row).toList(),
                        page.next() == null ? null : new Next(page.next())));
    }

    private static SliceRow row(Item item) {
        Entry entry = CommitItems.entry(item);
        return new SliceRow(
                item.text(CommitItems.PID),
                entry.seq(),
                entry.end(),
                entry.ts(),
                item.numberOr(CommitItems.PV, 0),
                item.texts(CommitItems.TAGS),
                new Row(entry));
    }

    @Override
    public CompletionStage<List<SliceRow>> between(
            String persistenceId, long afterSeqNr, long beforeSeqNr, long fromMicros, int limit) {
        return ReservedIds.guarded(
                persistenceId,
                () -> fromMicros == 0
                        ? upwards(persistenceId, afterSeqNr + 1, beforeSeqNr - 1, limit)
                        : lowest(persistenceId, afterSeqNr + 1, beforeSeqNr - 1, fromMicros)
                                .thenCompose(first -> upwards(persistenceId, first, beforeSeqNr - 1, limit)));
    }

    private CompletionStage<List<SliceRow>> upwards(String persistenceId, long from, long to, int limit) {
        List<SliceRow> rows = new ArrayList<>();
        long nowSeconds = dynamo.nowMicros() / 1_000_000;
        if (from > to) {
            return CompletableFuture.completedFuture(rows);
        }
        return Pages.<Map<String, AttributeValue>>drain(
                        null,
                        start -> log(persistenceId, from, to, true, limit, start)
                                .thenApply(page -> {
                                    for (Item item : page.items()) {
                                        Entry entry = CommitItems.entry(item);
                                        if (!entry.isStub() && !entry.isExpired(nowSeconds) && rows.size() < limit) {
                                            rows.add(row(item));
                                        }
                                    }
                                    return rows.size() < limit ? page.next() : null;
                                }))
                .thenApply(read -> rows);
    }

    /** The key of the first commit of that time or later; times rise with the keys. */
    private CompletionStage<Long> lowest(String persistenceId, long from, long to, long fromMicros) {
        long[] lowest = {to + 1};
        if (from > to) {
            return CompletableFuture.completedFuture(lowest[0]);
        }
        return Pages.<Map<String, AttributeValue>>drain(
                        null,
                        start -> log(persistenceId, from, to, false, BACKWARDS, start)
                                .thenApply(page -> {
                                    for (Item item : page.items()) {
                                        Entry entry = CommitItems.entry(item);
                                        if (entry.ts() < fromMicros) {
                                            return null;
                                        }
                                        lowest[0] = entry.seq();
                                    }
                                    return page.next();
                                }))
                .thenApply(read -> lowest[0]);
    }

    /** Without payloads, which are read when the commit is delivered. */
    private CompletionStage<ItemPage> log(
            String persistenceId,
            long from,
            long to,
            boolean upwards,
            int limit,
            @Nullable Map<String, AttributeValue> start) {
        return dynamo.query(QueryRequest.builder()
                .tableName(settings.tableName())
                .consistentRead(true)
                .scanIndexForward(upwards)
                .keyConditionExpression("pid = :pid AND seq BETWEEN :from AND :to")
                .projectionExpression("pid, seq, n, skip, ts, pv, w, ix, tags, lo, #exp")
                .expressionAttributeNames(Map.of("#exp", CommitItems.EXP))
                .expressionAttributeValues(
                        Map.of(":pid", AttributeValue.fromS(persistenceId), ":from", number(from), ":to", number(to)))
                .limit(limit)
                .exclusiveStartKey(start));
    }

    @Override
    public CompletionStage<List<List<StoredEvent>>> events(List<SliceRow> rows) {
        List<Entry> entries =
                rows.stream().map(row -> ((Row) row.content()).entry()).toList();
        List<Map<String, AttributeValue>> keys = entries.stream()
                .filter(entry -> !entry.item().has(CommitItems.EV))
                .map(CommitsSliceIndex::key)
                .distinct()
                .toList();
        CompletionStage<Map<Map<String, AttributeValue>, Entry>> read = keys.isEmpty()
                ? CompletableFuture.completedFuture(Map.of())
                : dynamo.getAll(settings.tableName(), keys).thenApply(CommitsSliceIndex::byKey);
        return read.thenCompose(found -> {
            List<List<StoredEvent>> events = new ArrayList<>();
            return Pages.drain(0, index -> {
                        if (index >= entries.size()) {
                            return CompletableFuture.completedFuture(null);
                        }
                        Entry entry = entries.get(index);
                        Entry whole = entry.item().has(CommitItems.EV) ? entry : found.get(key(entry));
                        return events(whole).thenApply(decoded -> {
                            events.add(decoded);
                            return index + 1;
                        });
                    })
                    .thenApply(done -> events);
        });
    }

    /** @param entry null, or a stub, if it was deleted since the index showed it */
    private CompletionStage<List<StoredEvent>> events(@Nullable Entry entry) {
        if (entry == null || entry.isStub() || entry.isExpired(dynamo.nowMicros() / 1_000_000)) {
            return CompletableFuture.completedFuture(List.of());
        }
        return entry.hasParts()
                ? parts.read(entry.item()).thenApply(payload -> payload == null ? List.of() : living(entry, payload))
                : CompletableFuture.completedFuture(living(entry, entry.payload()));
    }

    private static List<StoredEvent> living(Entry entry, byte[] payload) {
        return entry.writes(payload).stream()
                .flatMap(List::stream)
                .filter(event -> event.seqNr() >= entry.lo())
                .toList();
    }

    private static Map<Map<String, AttributeValue>, Entry> byKey(List<Item> items) {
        Map<Map<String, AttributeValue>, Entry> entries = new HashMap<>();
        for (Item item : items) {
            Entry entry = CommitItems.entry(item);
            entries.put(key(entry), entry);
        }
        return Collections.unmodifiableMap(entries);
    }

    private static Map<String, AttributeValue> key(Entry entry) {
        return Map.of(
                CommitItems.PID, AttributeValue.fromS(entry.item().text(CommitItems.PID)),
                CommitItems.SEQ, number(entry.seq()));
    }

    private static AttributeValue number(long value) {
        return AttributeValue.fromN(Long.toString(value));
    }
}
