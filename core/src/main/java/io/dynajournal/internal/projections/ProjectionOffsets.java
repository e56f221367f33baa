package io.dynajournal.internal.projections;

import io.dynajournal.internal.dynamo.Dynamo;
import io.dynajournal.internal.dynamo.Item;
import io.dynajournal.internal.dynamo.TableSpec;
import io.dynajournal.internal.model.SliceRange;
import io.dynajournal.internal.model.Slices;
import io.dynajournal.internal.store.Pages;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ScanRequest;

/**
 * The offsets of a projection in all its ranges, for tools. Instances that run notice a change within their {@code
 * flush-interval} and start again. Thread-safe.
 */
public final class ProjectionOffsets {

    /** The IAM actions on the table of projections that run, and of the tools here. */
    public static final List<String> ACTIONS = List.of("BatchGetItem", "BatchWriteItem", "PutItem", "Query", "Scan");

    private final Dynamo dynamo;
    private final String table;
    private final String projection;
    private final OffsetRows items;
    private final OffsetTable offsets;

    public ProjectionOffsets(Dynamo dynamo, String table, String projection) {
        this.dynamo = dynamo;
        this.table = table;
        this.projection = projection;
        this.items = new OffsetRows(projection);
        this.offsets = new OffsetTable(dynamo, table, projection, null);
    }

    /** The table of offsets, for checking and creating it. */
    public static TableSpec table(String name) {
        return new TableSpec(
                name,
                new TableSpec.Key(OffsetRows.NAME_SLICE, "S"),
                new TableSpec.Key(OffsetRows.PID, "S"),
                List.of(),
                OffsetRows.EXPIRY);
    }

    /** The names of the projections with offsets in a table. Reads the whole table. */
    public static CompletionStage<SortedSet<String>> names(Dynamo dynamo, String table) {
        SortedSet<String> names = new TreeSet<>();
        return Pages.<Map<String, AttributeValue>>drain(
                        null,
                        start -> dynamo.scan(scan(table, start)).thenApply(page -> {
                            page.items().forEach(item -> names.add(name(item)));
                            return page.next();
                        }))
                .thenApply(done -> names);
    }

    private static ScanRequest.Builder scan(String table, @Nullable Map<String, AttributeValue> start) {
        return ScanRequest.builder()
                .tableName(table)
                .exclusiveStartKey(start)
                .projectionExpression(OffsetRows.NAME_SLICE);
    }

    private static String name(Item item) {
        String key = item.text(OffsetRows.NAME_SLICE);
        return key.substring(0, Math.max(0, key.lastIndexOf('-')));
    }

    /**
     * The stored offsets of a projection.
     *
     * @param slices number of slices with an offset
     * @param newestMicros the time of the newest event that was projected; 0 if there is none
     * @param projectedToMicros a query of all slices from this time on skips nothing; 0 for the beginning
     * @param ranges that ran last, without those that were split or joined since
     * @param paused what was paused
     */
    public record Overview(
            String projection,
            boolean packed,
            int slices,
            long newestMicros,
            long projectedToMicros,
            Map<SliceRange, Long> ranges,
            List<SliceRange> paused) {}

    /** Reads the offsets of all slices. 21 requests. */
    public CompletionStage<Overview> read() {
        return offsets.read(SliceRange.ALL)
                .thenCombine(management(), (found, management) -> overview(found, management));
    }

    private Overview overview(StoredOffsets found, Map<Integer, Item> management) {
        List<SliceRange> paused = management.entrySet().stream()
                .filter(entry -> OffsetRows.isPaused(entry.getValue()))
                .map(entry -> new SliceRange(entry.getKey(), OffsetRows.lastPaused(entry.getValue(), entry.getKey())))
                .toList();
        return new Overview(
                projection,
                isPacked(found),
                found.rows().size(),
                found.rows().values().stream().mapToLong(SliceRow::micros).max().orElse(0),
                found.resumeMicros(),
                found.currentRanges(),
                paused);
    }

    static boolean isPacked(StoredOffsets found) {
        return found.rows().values().stream()
                .flatMap(row -> row.progress().values().stream())
                .anyMatch(SliceRow.Progress::isPacked);
    }

    private CompletionStage<NavigableMap<Integer, Item>> management() {
        List<Map<String, AttributeValue>> keys = IntStream.range(0, Slices.COUNT)
                .mapToObj(slice -> items.key(slice, OffsetRows.MANAGEMENT))
                .toList();
        return dynamo.getAll(table, keys).thenApply(found -> {
            NavigableMap<Integer, Item> bySlice = new TreeMap<>();
            found.forEach(item -> bySlice.put(items.slice(item), item));
            return bySlice;
        });
    }

    /** Pauses all instances, or lets them run again. */
    public CompletionStage<Void> pause(boolean paused) {
        return management().thenCompose(found -> {
            List<Item> rows = new ArrayList<>();
            rows.add(items.management(0, paused, SliceRange.ALL.max()));
            // Of two rows the one of the narrower range decides, so what was written for a part of the slices must
            // agree.
            found.tailMap(0, false)
                    .forEach((slice, item) ->
                            rows.add(items.management(slice, paused, OffsetRows.lastPaused(item, slice))));
            return dynamo.putAll(table, rows);
        });
    }

    /**
     * Sets all slices to a time. Rows of slices that an instance is just storing may be replaced by it, so the projection
     * should be paused before.
     *
     * @param micros 0 for the beginning
     */
    public CompletionStage<Void> set(long micros) {
        String tool = OffsetRows.tool();
        return offsets.read(SliceRange.ALL).thenCompose(found -> {
            Map<Integer, SliceRow> rows = found.at(micros, Map.of(), found.generation() + 1, isPacked(found));
            // The instances look at the rows in which their ranges begin.
            List<Item> written = rows.entrySet().stream()
                    .map(row -> items.slice(
                            row.getKey(),
                            row.getValue(),
                            row.getValue().progress().isEmpty() ? null : tool))
                    .toList();
            // Instances that have read the old offsets commit nothing more.
            return offsets.ownLogs(found.logs(), tool).thenCompose(owned -> dynamo.putAll(table, written));
        });
    }
}
