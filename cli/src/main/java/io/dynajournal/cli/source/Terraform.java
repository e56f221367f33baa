package io.dynajournal.cli.source;

import io.dynajournal.cli.store.StoreKind;
import io.dynajournal.cli.terminal.Escapes;
import io.dynajournal.internal.dynamo.TableSpec;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A resource of Terraform's AWS provider, which refuses to destroy the table. */
final class Terraform {

    private final StringBuilder hcl = new StringBuilder();
    private String indent = "";

    String table(StoreKind kind, TableSpec table) {
        block("resource \"aws_dynamodb_table\" \"" + kind.name().toLowerCase(Locale.ROOT) + "\"", () -> {
            text("name", table.name());
            text("billing_mode", "PAY_PER_REQUEST");
            keys(table.hash(), table.range());
            for (TableSpec.Key key : table.keys()) {
                block("attribute", () -> {
                    text("name", key.name());
                    text("type", key.type());
                });
            }
            table.indexes().forEach(this::index);
            for (TableSpec.LocalIndex index : table.localIndexes()) {
                block("local_secondary_index", () -> {
                    text("name", index.name());
                    text("range_key", index.range().name());
                    text("projection_type", "ALL");
                });
            }
            timeToLive(table.timeToLive());
            block("lifecycle", () -> line("prevent_destroy = true"));
        });
        return hcl.toString();
    }

    private void index(TableSpec.Index index) {
        block("global_secondary_index", () -> {
            text("name", index.name());
            keys(index.hash(), index.range());
            String type = TableProperties.projectionType(index.projected());
            text("projection_type", type);
            if (type.equals("INCLUDE")) {
                line("non_key_attributes = " + list(index.projected()));
            }
        });
    }

    private void timeToLive(@Nullable String attribute) {
        if (attribute != null) {
            block("ttl", () -> {
                text("attribute_name", attribute);
                line("enabled = true");
            });
        }
    }

    private void keys(TableSpec.Key hash, TableSpec.@Nullable Key range) {
        text("hash_key", hash.name());
        if (range != null) {
            text("range_key", range.name());
        }
    }

    private void block(String header, Runnable content) {
        line(header + " {");
        String outer = indent;
        indent = outer + "  ";
        content.run();
        indent = outer;
        line("}");
    }

    private void text(String name, String value) {
        line(name + " = " + quoted(value));
    }

    private void line(String line) {
        hcl.append(indent).append(line).append('\n');
    }

    private static String list(List<String> values) {
        return values.stream().map(Terraform::quoted).collect(Collectors.joining(", ", "[", "]"));
    }

    /** Without the templates of HCL. */
    private static String quoted(String value) {
        return Escapes.jsonString(value).replace("${", "$${").replace("%{", "%%{");
    }
}
