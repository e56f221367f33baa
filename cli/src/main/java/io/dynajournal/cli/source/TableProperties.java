package io.dynajournal.cli.source;

import io.dynajournal.cli.store.StoreKind;
import io.dynajournal.internal.dynamo.TableSpec;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The properties of a table under the names of CloudFormation: maps, lists, texts and booleans. */
final class TableProperties {

    private static final String NAME = "AttributeName";

    private TableProperties() {}

    /** The name of the resource: of what is stored, so that a table may be renamed. */
    static String resourceName(StoreKind kind) {
        return switch (kind) {
            case JOURNAL -> "JournalTable";
            case SNAPSHOTS -> "SnapshotTable";
            case STATES -> "StateTable";
            case OFFSETS -> "OffsetTable";
        };
    }

    static Map<String, Object> of(TableSpec table) {
        Map<String, Object> properties = new LinkedHashMap<>();
        properties.put("TableName", table.name());
        properties.put("BillingMode", "PAY_PER_REQUEST");
        properties.put(
                "AttributeDefinitions",
                table.keys().stream()
                        .map(key -> ordered(NAME, key.name(), "AttributeType", key.type()))
                        .toList());
        properties.put("KeySchema", keySchema(table.hash(), table.range()));
        if (!table.indexes().isEmpty()) {
            properties.put(
                    "GlobalSecondaryIndexes",
                    table.indexes().stream().map(TableProperties::of).toList());
        }
        if (!table.localIndexes().isEmpty()) {
            properties.put(
                    "LocalSecondaryIndexes",
                    table.localIndexes().stream()
                            .map(index -> ordered(
                                    "IndexName",
                                    index.name(),
                                    "KeySchema",
                                    keySchema(table.hash(), index.range()),
                                    "Projection",
                                    projection(TableSpec.Index.EVERYTHING)))
                            .toList());
        }
        String timeToLive = table.timeToLive();
        if (timeToLive != null) {
            properties.put("TimeToLiveSpecification", ordered(NAME, timeToLive, "Enabled", true));
        }
        return properties;
    }

    private static Map<String, Object> of(TableSpec.Index index) {
        return ordered(
                "IndexName",
                index.name(),
                "KeySchema",
                keySchema(index.hash(), index.range()),
                "Projection",
                projection(index.projected()));
    }

    /** {@code ALL}, {@code KEYS_ONLY} or {@code INCLUDE}. */
    static String projectionType(List<String> projected) {
        return projected.equals(TableSpec.Index.EVERYTHING) ? "ALL" : projected.isEmpty() ? "KEYS_ONLY" : "INCLUDE";
    }

    private static Map<String, Object> projection(List<String> projected) {
        String type = projectionType(projected);
        return type.equals("INCLUDE")
                ? ordered("ProjectionType", type, "NonKeyAttributes", projected)
                : ordered("ProjectionType", type);
    }

    private static List<Map<String, Object>> keySchema(TableSpec.Key hash, TableSpec.@Nullable Key range) {
        List<Map<String, Object>> keys = new ArrayList<>();
        keys.add(ordered(NAME, hash.name(), "KeyType", "HASH"));
        if (range != null) {
            keys.add(ordered(NAME, range.name(), "KeyType", "RANGE"));
        }
        return keys;
    }

    static Map<String, Object> ordered(Object... namesAndValues) {
        Map<String, Object> values = new LinkedHashMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            values.put((String) namesAndValues[i], namesAndValues[i + 1]);
        }
        return values;
    }
}
