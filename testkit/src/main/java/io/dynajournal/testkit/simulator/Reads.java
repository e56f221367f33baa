package io.dynajournal.testkit.simulator;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.GetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryResponse;
import software.amazon.awssdk.services.dynamodb.model.ScanRequest;
import software.amazon.awssdk.services.dynamodb.model.ScanResponse;
import software.amazon.awssdk.services.dynamodb.model.Select;

/** GetItem, Query and Scan. */
final class Reads {

    static final int PAGE_BYTES = 1 << 20;

    private final Tables tables;

    Reads(Tables tables) {
        this.tables = tables;
    }

    GetItemResponse get(GetItemRequest request) {
        Table table = tables.named(request.tableName());
        Placeholders placeholders = new Placeholders(request.expressionAttributeNames(), Map.of());
        List<Path> projection = projection(request.projectionExpression(), placeholders);
        placeholders.checkAllUsed(projection != null);
        boolean consistent = Boolean.TRUE.equals(request.consistentRead());
        Map<String, AttributeValue> item = item(table, request.key(), consistent);
        GetItemResponse.Builder response = GetItemResponse.builder()
                .consumedCapacity(Units.reads(null, Values.bytes(item), consistent)
                        .report(table, request.returnConsumedCapacity()));
        return item.isEmpty()
                ? response.build()
                : response.item(projected(item, projection)).build();
    }

    static Map<String, AttributeValue> item(Table table, Map<String, AttributeValue> key, boolean consistent) {
        ItemKey itemKey = table.schema().exactly(Values.normal(key));
        return consistent ? table.get(itemKey) : table.getStale(itemKey);
    }

    static @Nullable List<Path> projection(@Nullable String text, Placeholders placeholders) {
        return text == null ? null : ExpressionParser.projection(text, placeholders);
    }

    static Map<String, AttributeValue> projected(Map<String, AttributeValue> item, @Nullable List<Path> projection) {
        if (projection == null) {
            return item;
        }
        Map<String, AttributeValue> projected = new HashMap<>();
        projection.forEach(path -> path.project(item, projected));
        return projected;
    }

    /** What a query or a scan has in common. */
    private record Page(
            Table table,
            Rows rows,
            @Nullable Condition filter,
            Set<String> filtered,
            @Nullable List<Path> projection,
            int limit,
            boolean countOnly) {}

    /** What was read. */
    private static final class Found {
        private final List<Map<String, AttributeValue>> items = new ArrayList<>();
        private int matching;
        private int scanned;
        private int bytes;
        private @Nullable Map<String, AttributeValue> last;

        /** Reads until the page is full. */
        void read(Page page, Iterator<Rows.Row> rows) {
            while (rows.hasNext()) {
                Rows.Row row = rows.next();
                scanned++;
                bytes += row.bytes();
                if (page.filter == null || page.filter.test(row.item())) {
                    matching++;
                    items.add(projected(row.item(), page.projection));
                }
                if (scanned == page.limit || bytes > PAGE_BYTES) {
                    last = positionOf(page, row);
                    return;
                }
            }
        }

        private static Map<String, AttributeValue> positionOf(Page page, Rows.Row row) {
            Map<String, AttributeValue> key = page.table.schema().only(row.item());
            key.putAll(page.rows.shape().schema().only(row.item()));
            return key;
        }
    }

    QueryResponse query(QueryRequest request) {
        Table table = tables.named(request.tableName());
        boolean consistent = Boolean.TRUE.equals(request.consistentRead());
        Rows rows = rows(table, request.indexName(), consistent);
        if (request.keyConditionExpression() == null) {
            throw Errors.validation(
                    "Either the KeyConditions or KeyConditionExpression parameter must be specified in the request.");
        }
        Placeholders placeholders =
                new Placeholders(request.expressionAttributeNames(), request.expressionAttributeValues());
        KeyCondition key = KeyCondition.parse(
                request.keyConditionExpression(), rows.shape().schema(), placeholders);
        Page page = page(
                table,
                rows,
                request.filterExpression(),
                request.projectionExpression(),
                request.limit(),
                request.select(),
                placeholders);
        placeholders.checkAllUsed(true);
        checkFilter(page.filtered, rows.shape().schema());
        checkProjected(page.filtered, rows.shape());
        boolean forward = !Boolean.FALSE.equals(request.scanIndexForward());
        Found found = new Found();
        NavigableMap<Rows.Position, Rows.Row> partition = rows.partition(key.hash());
        NavigableMap<Rows.Position, Rows.Row> within = key.within(partition);
        if (request.hasExclusiveStartKey()) {
            Rows.Position start = position(table, rows, request.exclusiveStartKey());
            within = forward ? within.tailMap(start, false) : within.headMap(start, false);
        }
        found.read(page, (forward ? within : within.descendingMap()).values().iterator());
        QueryResponse.Builder response = QueryResponse.builder()
                .count(found.matching)
                .scannedCount(found.scanned)
                .lastEvaluatedKey(found.last)
                .consumedCapacity(Units.reads(request.indexName(), found.bytes, consistent)
                        .report(table, request.returnConsumedCapacity()));
        return page.countOnly ? response.build() : response.items(found.items).build();
    }

    private static Rows rows(Table table, @Nullable String index, boolean consistent) {
        Rows rows = table.rows(index, consistent);
        if (consistent && index != null && !rows.shape().local()) {
            throw Errors.validation("Consistent reads are not supported on global secondary indexes");
        }
        return rows;
    }

    private static Page page(
            Table table,
            Rows rows,
            @Nullable String filter,
            @Nullable String projection,
            @Nullable Integer limit,
            @Nullable Select select,
            Placeholders placeholders) {
        if (limit != null && limit < 1) {
            throw Errors.validation("1 validation error detected: Value '" + limit
                    + "' at 'limit' failed to satisfy constraint: Member must have value greater than or equal to 1");
        }
        ExpressionParser.Parsed parsed =
                filter == null ? null : ExpressionParser.parse("FilterExpression", filter, placeholders);
        return new Page(
                table,
                rows,
                parsed == null ? null : parsed.condition(),
                parsed == null ? Set.of() : parsed.attributes(),
                projection(projection, placeholders),
                limit == null ? Integer.MAX_VALUE : limit,
                select == Select.COUNT);
    }

    private static void checkFilter(Set<String> attributes, KeySchema schema) {
        for (String name : schema.names()) {
            if (attributes.contains(name)) {
                throw Errors.validation("Filter Expression can only contain non-primary key attributes: Primary key"
                        + " attribute: " + name);
            }
        }
    }

    private static void checkProjected(Set<String> filtered, IndexShape index) {
        for (String name : filtered) {
            if (index.projected() != null && !index.projected().contains(name)) {
                throw Errors.validation("One or more parameter values were invalid: Index " + index.name()
                        + " does not project " + name);
            }
        }
    }

    private static Rows.Position position(Table table, Rows rows, Map<String, AttributeValue> given) {
        Map<String, AttributeValue> start = Values.normal(given);
        ItemKey item = table.schema().find(start);
        ItemKey own = rows.shape().schema().find(start);
        if (item == null || own == null) {
            throw Errors.validation("The provided starting key is invalid");
        }
        return new Rows.Position(own.range(), item);
    }

    ScanResponse scan(ScanRequest request) {
        Table table = tables.named(request.tableName());
        boolean consistent = Boolean.TRUE.equals(request.consistentRead());
        Rows rows = rows(table, request.indexName(), consistent);
        Placeholders placeholders =
                new Placeholders(request.expressionAttributeNames(), request.expressionAttributeValues());
        Page page = page(
                table,
                rows,
                request.filterExpression(),
                request.projectionExpression(),
                request.limit(),
                request.select(),
                placeholders);
        placeholders.checkAllUsed(page.filter != null || page.projection != null);
        checkProjected(page.filtered, rows.shape());
        Found found = new Found();
        found.read(page, scanned(request, table, rows).iterator());
        ScanResponse.Builder response = ScanResponse.builder()
                .count(found.matching)
                .scannedCount(found.scanned)
                .lastEvaluatedKey(found.last)
                .consumedCapacity(Units.reads(request.indexName(), found.bytes, consistent)
                        .report(table, request.returnConsumedCapacity()));
        return page.countOnly ? response.build() : response.items(found.items).build();
    }

    /** The rows of a segment after the start. */
    private static List<Rows.Row> scanned(ScanRequest request, Table table, Rows rows) {
        NavigableMap<KeyValue, NavigableMap<Rows.Position, Rows.Row>> partitions = rows.all();
        int segments = request.totalSegments() == null ? 1 : request.totalSegments();
        int segment = request.segment() == null ? 0 : request.segment();
        List<Rows.Row> scanned = new ArrayList<>();
        KeyValue startPartition = null;
        Rows.Position start = null;
        if (request.hasExclusiveStartKey()) {
            start = position(table, rows, request.exclusiveStartKey());
            startPartition = Objects.requireNonNull(
                            rows.shape().schema().find(Values.normal(request.exclusiveStartKey())))
                    .hash();
            partitions = partitions.tailMap(startPartition, true);
        }
        for (Map.Entry<KeyValue, NavigableMap<Rows.Position, Rows.Row>> partition : partitions.entrySet()) {
            if (Math.floorMod(partition.getKey().scattered(), segments) == segment) {
                NavigableMap<Rows.Position, Rows.Row> all = partition.getValue();
                scanned.addAll(
                        start != null && partition.getKey().equals(startPartition)
                                ? all.tailMap(start, false).values()
                                : all.values());
            }
        }
        return scanned;
    }
}
