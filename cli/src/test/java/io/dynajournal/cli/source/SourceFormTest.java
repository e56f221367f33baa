package io.dynajournal.cli.source;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.json.JsonReadFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.dynajournal.cli.store.StoreKind;
import io.dynajournal.cli.store.StoreSettings.PlannedTable;
import io.dynajournal.internal.catalog.Layout;
import io.dynajournal.internal.dynamo.ClientSettings;
import io.dynajournal.internal.dynamo.TableSpec;
import io.dynajournal.internal.layout.LayoutSettings;
import io.dynajournal.internal.layout.Permissions;
import io.dynajournal.internal.layout.Permissions.Actions;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.yaml.snakeyaml.Yaml;

/** Each form is read back, into the definition that it was printed from. */
class SourceFormTest {

    private static final JsonMapper OBJECTS = JsonMapper.builder()
            .enable(JsonReadFeature.ALLOW_UNQUOTED_FIELD_NAMES)
            .enable(JsonReadFeature.ALLOW_TRAILING_COMMA)
            .build();

    private static Map<StoreKind, PlannedTable> tables(Layout layout) {
        LayoutSettings settings = new LayoutSettings(Map.of(layout.journalTableKey(), "table"));
        Map<StoreKind, PlannedTable> tables = new EnumMap<>(StoreKind.class);
        tables.put(StoreKind.JOURNAL, planned(layout.journal(settings).table()));
        layout.snapshots(settings).ifPresent(found -> tables.put(StoreKind.SNAPSHOTS, planned(found.table())));
        layout.states(settings).ifPresent(found -> tables.put(StoreKind.STATES, planned(found.table())));
        return tables;
    }

    private static PlannedTable planned(TableSpec table) {
        Permissions none = new Permissions(Actions.NONE, Actions.NONE, Actions.NONE, Actions.NONE);
        return new PlannedTable(table, ClientSettings.forEndpoint(null), none, false);
    }

    @ParameterizedTest
    @EnumSource(Layout.class)
    void theTemplateOfCloudFormationHasEveryTable(Layout layout) {
        Map<StoreKind, PlannedTable> tables = tables(layout);
        Map<String, Object> template = new Yaml().load(SourceForm.CLOUDFORMATION.print(tables));
        JsonNode root = OBJECTS.valueToTree(template);
        assertThat(root.path("AWSTemplateFormatVersion").asText()).isEqualTo("2010-09-09");
        assertThat(root.path("Resources")).hasSize(tables.size());
        tables.forEach((kind, planned) -> {
            JsonNode resource = root.path("Resources").path(TableProperties.resourceName(kind));
            assertThat(resource.path("Type").asText()).isEqualTo("AWS::DynamoDB::Table");
            assertThat(resource.path("DeletionPolicy").asText()).isEqualTo("Retain");
            assertIs(resource.path("Properties"), planned.table(), "");
        });
    }

    @ParameterizedTest
    @EnumSource(Layout.class)
    void theConstructOfTheCdkHasEveryTable(Layout layout) throws IOException {
        Map<StoreKind, PlannedTable> tables = tables(layout);
        String source = SourceForm.CDK.print(tables);
        assertThat(source).contains("import { CfnTable } from \"aws-cdk-lib/aws-dynamodb\";");
        for (Map.Entry<StoreKind, PlannedTable> table : tables.entrySet()) {
            String call = "new CfnTable(this, \"" + TableProperties.resourceName(table.getKey()) + "\", ";
            assertThat(source).containsOnlyOnce(call);
            String object = source.substring(source.indexOf(call) + call.length());
            JsonNode properties = OBJECTS.readTree(object.substring(0, object.indexOf(");")));
            assertIs(properties, table.getValue().table(), "lower");
        }
    }

    /** Compares with the definition itself: the names of CloudFormation, whose first letter the CDK has in lower case. */
    private static void assertIs(JsonNode properties, TableSpec table, String letters) {
        Names in = new Names(!letters.isEmpty());
        assertThat(in.text(properties, "TableName")).isEqualTo(table.name());
        assertThat(in.text(properties, "BillingMode")).isEqualTo("PAY_PER_REQUEST");
        List<TableSpec.Key> keys = new ArrayList<>();
        in.of(properties, "AttributeDefinitions")
                .forEach(key ->
                        keys.add(new TableSpec.Key(in.text(key, "AttributeName"), in.text(key, "AttributeType"))));
        assertThat(keys).containsExactlyElementsOf(table.keys());
        List<String> indexes = new ArrayList<>();
        in.of(properties, "GlobalSecondaryIndexes").forEach(index -> indexes.add(in.index(index)));
        assertThat(indexes)
                .isEqualTo(table.indexes().stream().map(SourceFormTest::index).toList());
        List<String> local = new ArrayList<>();
        in.of(properties, "LocalSecondaryIndexes").forEach(index -> local.add(in.index(index)));
        assertThat(local)
                .isEqualTo(table.localIndexes().stream()
                        .map(index -> index(new TableSpec.Index(
                                index.name(), table.hash(), index.range(), TableSpec.Index.EVERYTHING)))
                        .toList());
        assertThat(in.keys(properties)).isEqualTo(keys(table.hash(), table.range()));
        JsonNode timeToLive = in.of(properties, "TimeToLiveSpecification");
        assertThat(in.text(timeToLive, "AttributeName"))
                .isEqualTo(table.timeToLive() == null ? "" : table.timeToLive());
        assertThat(in.of(timeToLive, "Enabled").asBoolean()).isEqualTo(table.timeToLive() != null);
    }

    private static String keys(TableSpec.Key hash, TableSpec.@Nullable Key range) {
        return hash.name() + " HASH" + (range == null ? "" : ", " + range.name() + " RANGE");
    }

    private static String index(TableSpec.Index index) {
        List<String> projected = index.projected();
        String type = projected.equals(List.of("*"))
                ? "ALL []"
                : projected.isEmpty() ? "KEYS_ONLY []" : "INCLUDE " + projected;
        return index.name() + ": " + keys(index.hash(), index.range()) + " " + type;
    }

    private record Names(boolean lowerFirst) {

        JsonNode of(JsonNode node, String name) {
            return node.path(lowerFirst ? Character.toLowerCase(name.charAt(0)) + name.substring(1) : name);
        }

        String text(JsonNode node, String name) {
            return of(node, name).asText();
        }

        String keys(JsonNode node) {
            List<String> keys = new ArrayList<>();
            of(node, "KeySchema").forEach(key -> keys.add(text(key, "AttributeName") + " " + text(key, "KeyType")));
            return String.join(", ", keys);
        }

        String index(JsonNode node) {
            JsonNode projection = of(node, "Projection");
            List<String> attributes = new ArrayList<>();
            of(projection, "NonKeyAttributes").forEach(attribute -> attributes.add(attribute.asText()));
            return text(node, "IndexName") + ": " + keys(node) + " " + text(projection, "ProjectionType") + " "
                    + attributes;
        }
    }

    @ParameterizedTest
    @EnumSource(Layout.class)
    void theResourcesOfTerraformAreEveryTable(Layout layout) {
        Map<StoreKind, PlannedTable> tables = tables(layout);
        List<HclBlock> resources = HclBlock.parse(SourceForm.TERRAFORM.print(tables));
        assertThat(resources).hasSize(tables.size());
        int next = 0;
        for (PlannedTable planned : tables.values()) {
            assertIs(resources.get(next++), planned.table());
        }
    }

    private static void assertIs(HclBlock resource, TableSpec table) {
        assertThat(resource.type()).isEqualTo("resource");
        assertThat(resource.labels()).startsWith("aws_dynamodb_table").hasSize(2);
        assertThat(resource.attributes())
                .containsEntry("name", table.name())
                .containsEntry("billing_mode", "PAY_PER_REQUEST");
        assertThat(keys(resource)).isEqualTo(keys(table.hash(), table.range()));
        assertThat(resource.all("attribute"))
                .extracting(key ->
                        key.attributes().get("name") + " " + key.attributes().get("type"))
                .isEqualTo(table.keys().stream()
                        .map(key -> key.name() + " " + key.type())
                        .toList());
        assertThat(resource.all("global_secondary_index"))
                .extracting(index -> index.attributes().get("name") + ": " + keys(index) + " "
                        + index.attributes().get("projection_type") + " "
                        + index.attributes().getOrDefault("non_key_attributes", List.of()))
                .isEqualTo(table.indexes().stream().map(SourceFormTest::index).toList());
        assertThat(resource.all("local_secondary_index"))
                .extracting(index -> index.attributes().get("name") + " "
                        + index.attributes().get("range_key") + " "
                        + index.attributes().get("projection_type"))
                .isEqualTo(table.localIndexes().stream()
                        .map((TableSpec.LocalIndex index) ->
                                index.name() + " " + index.range().name() + " ALL")
                        .toList());
        assertThat(resource.all("ttl"))
                .extracting(HclBlock::attributes)
                .isEqualTo(
                        table.timeToLive() == null
                                ? List.of()
                                : List.of(Map.of("attribute_name", table.timeToLive(), "enabled", true)));
        assertThat(resource.all("lifecycle"))
                .extracting(HclBlock::attributes)
                .containsExactly(Map.of("prevent_destroy", true));
    }

    private static String keys(HclBlock block) {
        Object range = block.attributes().get("range_key");
        return block.attributes().get("hash_key") + " HASH" + (range == null ? "" : ", " + range + " RANGE");
    }

    @Test
    void namesThatYamlWouldReadAsBooleansStayNames() {
        TableSpec table = new TableSpec(
                "t",
                new TableSpec.Key("N", "S"),
                new TableSpec.Key("yes", "N"),
                List.of(new TableSpec.Index("on", new TableSpec.Key("Y", "S"), null, List.of("off"))),
                "no");
        Map<StoreKind, PlannedTable> tables = Map.of(StoreKind.JOURNAL, planned(table));
        Map<String, Object> template = new Yaml().load(SourceForm.CLOUDFORMATION.print(tables));
        JsonNode root = OBJECTS.valueToTree(template);
        assertIs(root.path("Resources").path("JournalTable").path("Properties"), table, "");
        assertIs(HclBlock.parse(SourceForm.TERRAFORM.print(tables)).get(0), table);
    }
}
