package io.dynajournal.cli.source;

import io.dynajournal.cli.store.StoreKind;
import io.dynajournal.cli.store.StoreSettings.PlannedTable;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** A form in which tables are printed. */
public enum SourceForm {
    AWS {
        @Override
        public String print(Map<StoreKind, PlannedTable> tables) {
            return tables.values().stream()
                    .map(planned -> planned.table().awsCommands(planned.client().awsOptions()) + "\n")
                    .collect(Collectors.joining());
        }
    },
    CLOUDFORMATION {
        @Override
        public String print(Map<StoreKind, PlannedTable> tables) {
            return CloudFormation.template(tables);
        }
    },
    TERRAFORM {
        @Override
        public String print(Map<StoreKind, PlannedTable> tables) {
            return tables.entrySet().stream()
                    .map(table -> new Terraform()
                            .table(table.getKey(), table.getValue().table()))
                    .collect(Collectors.joining("\n"));
        }
    },
    CDK {
        @Override
        public String print(Map<StoreKind, PlannedTable> tables) {
            return Cdk.construct(tables);
        }
    };

    /** The source of all tables. It creates nothing by itself. */
    public abstract String print(Map<StoreKind, PlannedTable> tables);

    /** As it is written on the command line. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
