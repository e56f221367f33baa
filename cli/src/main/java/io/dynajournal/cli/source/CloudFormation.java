package io.dynajournal.cli.source;

import io.dynajournal.cli.store.StoreKind;
import io.dynajournal.cli.store.StoreSettings.PlannedTable;
import io.dynajournal.cli.terminal.Escapes;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A CloudFormation template in YAML. Deleting the stack keeps the tables. */
final class CloudFormation {

    private final StringBuilder yaml = new StringBuilder();

    private CloudFormation() {}

    static String template(Map<StoreKind, PlannedTable> tables) {
        Map<String, Object> resources = new LinkedHashMap<>();
        tables.forEach((kind, planned) -> resources.put(
                TableProperties.resourceName(kind),
                TableProperties.ordered(
                        "Type",
                        "AWS::DynamoDB::Table",
                        "DeletionPolicy",
                        "Retain",
                        "UpdateReplacePolicy",
                        "Retain",
                        "Properties",
                        TableProperties.of(planned.table()))));
        CloudFormation template = new CloudFormation();
        template.entries(TableProperties.ordered("AWSTemplateFormatVersion", "2010-09-09", "Resources", resources), "");
        return template.yaml.toString();
    }

    private void entries(Map<?, ?> values, String indent) {
        values.forEach((name, value) -> {
            yaml.append(indent).append(name).append(':');
            value(value, indent);
        });
    }

    private void value(Object value, String indent) {
        if (value instanceof Map<?, ?> map) {
            yaml.append('\n');
            entries(map, indent + "  ");
        } else if (value instanceof List<?> list) {
            yaml.append('\n');
            list.forEach(element -> element(element, indent + "  "));
        } else {
            yaml.append(' ').append(scalar(value)).append('\n');
        }
    }

    /** The first entry of a map follows the dash, so that the others are indented by two more. */
    private void element(Object element, String indent) {
        int start = yaml.length();
        if (element instanceof Map<?, ?> map) {
            entries(map, indent + "  ");
            yaml.setCharAt(start + indent.length(), '-');
        } else {
            yaml.append(indent).append("- ").append(scalar(element)).append('\n');
        }
    }

    /** Quoted: names such as N and Y are booleans of YAML otherwise. */
    private static String scalar(Object value) {
        return value instanceof Boolean ? value.toString() : Escapes.jsonString(value.toString());
    }
}
