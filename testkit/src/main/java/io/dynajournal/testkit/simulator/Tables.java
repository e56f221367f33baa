package io.dynajournal.testkit.simulator;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.CreateGlobalSecondaryIndexAction;
import software.amazon.awssdk.services.dynamodb.model.CreateTableRequest;
import software.amazon.awssdk.services.dynamodb.model.GlobalSecondaryIndex;
import software.amazon.awssdk.services.dynamodb.model.GlobalSecondaryIndexDescription;
import software.amazon.awssdk.services.dynamodb.model.GlobalSecondaryIndexUpdate;
import software.amazon.awssdk.services.dynamodb.model.IndexStatus;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.LocalSecondaryIndex;
import software.amazon.awssdk.services.dynamodb.model.LocalSecondaryIndexDescription;
import software.amazon.awssdk.services.dynamodb.model.Projection;
import software.amazon.awssdk.services.dynamodb.model.ProjectionType;
import software.amazon.awssdk.services.dynamodb.model.TableDescription;
import software.amazon.awssdk.services.dynamodb.model.TableStatus;
import software.amazon.awssdk.services.dynamodb.model.TimeToLiveDescription;
import software.amazon.awssdk.services.dynamodb.model.TimeToLiveStatus;
import software.amazon.awssdk.services.dynamodb.model.UpdateTableRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateTimeToLiveRequest;

/** The tables by name. They are active as soon as they are created. Not thread-safe. */
final class Tables {

    static final String ARN = "arn:aws:dynamodb:us-east-1:000000000000:table/";

    private final Map<String, Table> tables = new TreeMap<>();
    private final Lags lags;

    Tables(Lags lags) {
        this.lags = lags;
    }

    Table named(@Nullable String nameOrArn) {
        if (nameOrArn == null) {
            throw Errors.validation("The parameter 'TableName' is required but was not present in the request");
        }
        Table table = tables.get(nameOrArn.startsWith(ARN) ? nameOrArn.substring(ARN.length()) : nameOrArn);
        if (table == null) {
            throw Errors.tableNotFound();
        }
        return table;
    }

    List<String> names() {
        return List.copyOf(tables.keySet());
    }

    TableDescription create(CreateTableRequest request) {
        if (tables.containsKey(request.tableName())) {
            throw Errors.tableInUse(request.tableName());
        }
        KeySchema schema = KeySchema.of(request.keySchema(), request.attributeDefinitions());
        List<IndexShape> shapes = new ArrayList<>();
        for (LocalSecondaryIndex index : request.localSecondaryIndexes()) {
            shapes.add(shape(
                    index.indexName(),
                    index.keySchema(),
                    index.projection(),
                    request.attributeDefinitions(),
                    schema,
                    true));
        }
        for (GlobalSecondaryIndex index : request.globalSecondaryIndexes()) {
            shapes.add(shape(
                    index.indexName(),
                    index.keySchema(),
                    index.projection(),
                    request.attributeDefinitions(),
                    schema,
                    false));
        }
        checkDefinitions(request, schema, shapes);
        Table table = new Table(description(request, lags.epochSeconds()), schema, shapes, lags);
        tables.put(request.tableName(), table);
        return table.description();
    }

    private static IndexShape shape(
            String name,
            List<KeySchemaElement> keys,
            Projection projection,
            List<AttributeDefinition> definitions,
            KeySchema table,
            boolean local) {
        KeySchema schema = KeySchema.of(keys, definitions);
        Set<String> projected = null;
        if (projection.projectionType() != ProjectionType.ALL) {
            projected = new HashSet<>(projection.nonKeyAttributes());
            projected.addAll(schema.names());
            projected.addAll(table.names());
        }
        return new IndexShape(name, schema, local, projected);
    }

    private static void checkDefinitions(CreateTableRequest request, KeySchema schema, List<IndexShape> shapes) {
        Set<String> used = new HashSet<>(schema.names());
        shapes.forEach(shape -> used.addAll(shape.schema().names()));
        if (request.attributeDefinitions().size() != used.size()) {
            throw Errors.validation("One or more parameter values were invalid: Number of attributes in KeySchema does"
                    + " not exactly match number of attributes defined in AttributeDefinitions");
        }
    }

    private static TableDescription description(CreateTableRequest request, long epochSeconds) {
        return TableDescription.builder()
                .tableName(request.tableName())
                .tableArn(ARN + request.tableName())
                .tableStatus(TableStatus.ACTIVE)
                .creationDateTime(Instant.ofEpochSecond(epochSeconds))
                .keySchema(request.keySchema())
                .attributeDefinitions(request.attributeDefinitions())
                .globalSecondaryIndexes(request.globalSecondaryIndexes().stream()
                        .map(index -> description(index.indexName(), index.keySchema(), index.projection()))
                        .toList())
                .localSecondaryIndexes(request.localSecondaryIndexes().stream()
                        .map(index -> LocalSecondaryIndexDescription.builder()
                                .indexName(index.indexName())
                                .keySchema(index.keySchema())
                                .projection(index.projection())
                                .build())
                        .toList())
                .build();
    }

    TableDescription describe(String name) {
        Table table = named(name);
        TableDescription shown = table.description();
        List<GlobalSecondaryIndexDescription> indexes = new ArrayList<>();
        for (GlobalSecondaryIndexDescription index : shown.globalSecondaryIndexes()) {
            boolean building = lags.isBuilding(shown.tableName(), index.indexName());
            indexes.add(
                    building
                            ? index.toBuilder()
                                    .indexStatus(IndexStatus.CREATING)
                                    .backfilling(true)
                                    .build()
                            : index);
        }
        return shown.toBuilder()
                .globalSecondaryIndexes(indexes)
                .itemCount((long) table.size())
                .build();
    }

    /** Adds or removes a global index, one in a request as DynamoDB demands; a change of capacity has no effect. */
    TableDescription update(UpdateTableRequest request) {
        Table table = named(request.tableName());
        List<GlobalSecondaryIndexUpdate> updates = request.globalSecondaryIndexUpdates().stream()
                .filter(update -> update.create() != null || update.delete() != null)
                .toList();
        if (updates.size() > 1) {
            throw Errors.limitExceeded("Only 1 online index can be created or deleted simultaneously per table");
        }
        updates.forEach(update -> {
            if (update.create() != null) {
                addIndex(table, update.create(), request.attributeDefinitions());
            } else {
                removeIndex(table, update.delete().indexName());
            }
        });
        return describe(request.tableName());
    }

    private void addIndex(
            Table table, CreateGlobalSecondaryIndexAction added, List<AttributeDefinition> moreDefinitions) {
        if (has(table, added.indexName())) {
            throw Errors.validation("Attempting to create an index which already exists");
        }
        Map<String, AttributeDefinition> definitions = new LinkedHashMap<>();
        Stream.concat(table.description().attributeDefinitions().stream(), moreDefinitions.stream())
                .forEach(definition -> definitions.put(definition.attributeName(), definition));
        IndexShape shape = shape(
                added.indexName(),
                added.keySchema(),
                added.projection(),
                List.copyOf(definitions.values()),
                table.schema(),
                false);
        List<GlobalSecondaryIndexDescription> indexes =
                new ArrayList<>(table.description().globalSecondaryIndexes());
        indexes.add(description(added.indexName(), added.keySchema(), added.projection()));
        table.addIndex(
                shape,
                table.description().toBuilder()
                        .attributeDefinitions(definitions.values())
                        .globalSecondaryIndexes(indexes)
                        .build());
    }

    private static void removeIndex(Table table, String index) {
        List<GlobalSecondaryIndexDescription> indexes =
                new ArrayList<>(table.description().globalSecondaryIndexes());
        if (!indexes.removeIf(there -> there.indexName().equals(index))) {
            throw Errors.indexNotFound(index);
        }
        table.removeIndex(
                index,
                table.description().toBuilder().globalSecondaryIndexes(indexes).build());
    }

    private static boolean has(Table table, String index) {
        return table.indexShapes().stream().anyMatch(shape -> shape.name().equals(index));
    }

    private static GlobalSecondaryIndexDescription description(
            String index, List<KeySchemaElement> keys, Projection projection) {
        return GlobalSecondaryIndexDescription.builder()
                .indexName(index)
                .indexStatus(IndexStatus.ACTIVE)
                .keySchema(keys)
                .projection(projection)
                .build();
    }

    TableDescription delete(String name) {
        TableDescription last = named(name).description().toBuilder()
                .tableStatus(TableStatus.DELETING)
                .build();
        tables.remove(last.tableName());
        return last;
    }

    void timeToLive(UpdateTimeToLiveRequest request) {
        Table table = named(request.tableName());
        boolean enable = Boolean.TRUE.equals(request.timeToLiveSpecification().enabled());
        if (enable == (table.timeToLive() != null)) {
            throw Errors.validation("TimeToLive is already " + (enable ? "enabled" : "disabled"));
        }
        table.timeToLive(enable ? request.timeToLiveSpecification().attributeName() : null);
    }

    TimeToLiveDescription timeToLive(String name) {
        String attribute = named(name).timeToLive();
        return TimeToLiveDescription.builder()
                .timeToLiveStatus(attribute == null ? TimeToLiveStatus.DISABLED : TimeToLiveStatus.ENABLED)
                .attributeName(attribute)
                .build();
    }
}
