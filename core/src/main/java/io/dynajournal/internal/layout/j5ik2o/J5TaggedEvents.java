package io.dynajournal.internal.layout.j5ik2o;

import io.dynajournal.internal.dynamo.Dynamo;
import io.dynajournal.internal.dynamo.Item;
import io.dynajournal.internal.layout.j5ik2o.J5Items.Entry;
import io.dynajournal.internal.model.StoredEvent;
import io.dynajournal.internal.store.Pages;
import io.dynajournal.internal.store.SliceRow;
import io.dynajournal.internal.store.TaggedEvents;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ScanRequest;

/**
 * Finds events by tag. The tags of a row are one string, which no query can search; so this scans the table, or the index of
 * rows with tags where there is one.
 */
final class J5TaggedEvents implements TaggedEvents {

    /** The key of a row, to read its event. */
    private record Key(Map<String, AttributeValue> attributes) implements SliceRow.Content {}

    /** The rows of a persistence id that a scan has found. */
    private static final class FoundRows {
        private final Map<Long, SliceRow> rows = new TreeMap<>();
        private long deletedTo;
    }

    private static final Comparator<SliceRow> ORDER = Comparator.comparingLong(SliceRow::timestampMicros)
            .thenComparing(SliceRow::persistenceId)
            .thenComparingLong(SliceRow::seqNr);

    private final Dynamo dynamo;
    private final J5Journal settings;
    private final J5Items items;
    private final Map<String, String> names;

    J5TaggedEvents(Dynamo dynamo, J5Journal settings) {
        this.dynamo = dynamo;
        this.settings = settings;
        this.items = settings.items();
        J5Columns columns = settings.columns();
        List<String> read = Stream.of(
                        columns.partitionKey(),
                        columns.sortKey(),
                        columns.persistenceId(),
                        columns.sequenceNr(),
                        columns.ordering(),
                        columns.deleted(),
                        columns.tags(),
                        J5Items.SKIP)
                .distinct()
                .toList();
        this.names = read.stream().collect(Collectors.toMap(name -> "#a" + read.indexOf(name), Function.identity()));
    }

    @Override
    public CompletionStage<List<SliceRow>> find(String tag, long fromMicros) {
        Map<String, FoundRows> ids = new HashMap<>();
        return Pages.<Map<String, AttributeValue>>drain(
                        null,
                        start -> dynamo.scan(scan(tag, start)).thenApply(page -> {
                            page.items().forEach(row -> take(row, tag, ids));
                            return page.next();
                        }))
                .thenApply(done -> ordered(ids, fromMicros));
    }

    private ScanRequest.Builder scan(String tag, @Nullable Map<String, AttributeValue> start) {
        Map<String, String> all = new HashMap<>(names);
        all.put("#tags", settings.columns().tags());
        return ScanRequest.builder()
                .tableName(settings.tableName())
                .indexName(settings.tagsIndex().isEmpty() ? null : settings.tagsIndex())
                // An index cannot be read consistently.
                .consistentRead(settings.tagsIndex().isEmpty())
                .projectionExpression(String.join(", ", names.keySet()))
                .filterExpression("contains(#tags, :tag)")
                .expressionAttributeNames(all)
                .expressionAttributeValues(Map.of(":tag", AttributeValue.fromS(tag)))
                .exclusiveStartKey(start);
    }

    /** The same event may exist under keys of two resolvers, one row deleted and the other not. */
    private void take(Item row, String tag, Map<String, FoundRows> ids) {
        if (!items.tags(row).contains(tag)) {
            return; // the tag is part of a longer one
        }
        String persistenceId = items.persistenceId(row);
        Entry entry = items.entry(row);
        FoundRows found = ids.computeIfAbsent(persistenceId, id -> new FoundRows());
        if (entry.deleted()) {
            found.deletedTo = Math.max(found.deletedTo, entry.seqNr());
        } else {
            found.rows.put(
                    entry.seqNr(),
                    new SliceRow(
                            persistenceId,
                            entry.seqNr(),
                            entry.seqNr(),
                            items.ordering(row) * 1000,
                            SliceRow.UNKNOWN,
                            items.tags(row),
                            new Key(items.key(row).attributes())));
        }
    }

    /** Sorts by time, and by sequence number within a persistence id, because the clocks of writers differ. */
    private static List<SliceRow> ordered(Map<String, FoundRows> ids, long fromMicros) {
        List<SliceRow> all = new ArrayList<>();
        for (FoundRows found : ids.values()) {
            long latest = 0;
            for (SliceRow row : found.rows.values()) {
                latest = Math.max(latest, row.timestampMicros());
                if (row.seqNr() > found.deletedTo && latest >= fromMicros) {
                    all.add(new SliceRow(
                            row.persistenceId(),
                            row.seqNr(),
                            row.endSeqNr(),
                            latest,
                            row.previousMicros(),
                            row.tags(),
                            row.content()));
                }
            }
        }
        all.sort(ORDER);
        return all;
    }

    @Override
    public CompletionStage<List<StoredEvent>> events(List<SliceRow> rows) {
        List<Map<String, AttributeValue>> keys =
                rows.stream().map(row -> ((Key) row.content()).attributes()).toList();
        return dynamo.getAll(settings.tableName(), keys).thenApply(read -> {
            Map<Map<String, AttributeValue>, Item> byKey = new HashMap<>();
            read.forEach(row -> byKey.put(items.key(row).attributes(), row));
            return keys.stream()
                    .flatMap(key -> Stream.ofNullable(byKey.get(key)))
                    .map(items::entry)
                    .filter(entry -> !entry.deleted())
                    .map(items::stored)
                    .toList();
        });
    }
}
