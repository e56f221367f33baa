package io.dynajournal.cli.source;

import io.dynajournal.cli.store.StoreKind;
import io.dynajournal.cli.store.StoreSettings.PlannedTable;
import io.dynajournal.cli.terminal.Escapes;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** A construct of the AWS CDK in TypeScript. Deleting the stack keeps the tables. */
final class Cdk {

    private Cdk() {}

    static String construct(Map<StoreKind, PlannedTable> tables) {
        StringBuilder source = new StringBuilder("""
                import { RemovalPolicy } from "aws-cdk-lib";
                import { CfnTable } from "aws-cdk-lib/aws-dynamodb";
                import { Construct } from "constructs";

                export class DynajournalTables extends Construct {
                  constructor(scope: Construct, id: string) {
                    super(scope, id);
                """);
        tables.forEach((kind, planned) -> {
            String name = TableProperties.resourceName(kind);
            source.append("    const ").append(lowerFirst(name)).append(" = new CfnTable(this, \"" + name + "\", ");
            source.append(value(TableProperties.of(planned.table()), "    ")).append(");\n");
            source.append("    ").append(lowerFirst(name)).append(".applyRemovalPolicy(RemovalPolicy.RETAIN);\n");
        });
        return source.append("  }\n}\n").toString();
    }

    private static String value(Object value, String indent) {
        String deeper = indent + "  ";
        if (value instanceof Map<?, ?> map) {
            return map.entrySet().stream()
                    .map(entry -> deeper + lowerFirst((String) entry.getKey()) + ": " + value(entry.getValue(), deeper))
                    .collect(Collectors.joining(",\n", "{\n", ",\n" + indent + "}"));
        }
        if (value instanceof List<?> list) {
            return list.stream().map(element -> value(element, indent)).collect(Collectors.joining(", ", "[", "]"));
        }
        return value instanceof Boolean ? value.toString() : Escapes.jsonString(value.toString());
    }

    private static String lowerFirst(String name) {
        return name.substring(0, 1).toLowerCase(Locale.ROOT) + name.substring(1);
    }
}
