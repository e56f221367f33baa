package io.dynajournal.cli;

import io.dynajournal.cli.options.ChangeOptions;
import io.dynajournal.cli.options.OutputOptions;
import io.dynajournal.cli.options.TablesOptions;
import io.dynajournal.cli.policy.Policy;
import io.dynajournal.cli.policy.Role;
import io.dynajournal.cli.source.SourceForm;
import io.dynajournal.cli.store.StoreKind;
import io.dynajournal.cli.store.StoreSettings;
import io.dynajournal.cli.store.StoreTable;
import io.dynajournal.cli.store.Stores;
import io.dynajournal.cli.terminal.Console;
import io.dynajournal.cli.terminal.ExitCode;
import io.dynajournal.cli.terminal.Output;
import io.dynajournal.cli.terminal.UsageException;
import io.dynajournal.exception.StoreException;
import io.dynajournal.internal.dynamo.TableAdmin;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionException;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The tables that a configuration needs. */
@Command(
        name = "tables",
        description = "Creates and compares the tables that a configuration needs, or prints how to create them.",
        synopsisSubcommandLabel = "<create | verify | print>",
        footer = {
            "",
            "examples:",
            "  dynajournal tables create --config application.conf --dry-run",
            "  dynajournal tables verify --config application.conf",
            "  dynajournal tables print --layout commits --stores journal,snapshots,states,offsets"
        },
        subcommands = {TablesCommand.Create.class, TablesCommand.Verify.class, TablesCommand.Print.class})
final class TablesCommand implements Callable<Integer> {

    @Override
    public Integer call() {
        throw new UsageException("tables requires create, verify or print");
    }

    /** Creates what is missing. */
    @Command(
            name = "create",
            description =
                    "Creates the tables that do not exist, on demand, with their indexes and time to live. Tables that"
                            + " exist are not changed, except that their time to live is enabled.",
            footer = {
                "",
                "examples:",
                "  dynajournal tables create --endpoint http://localhost:8000 --yes",
                "  dynajournal tables create --config application.conf --dry-run"
            })
    static final class Create implements Callable<Integer> {
        @Mixin
        private final TablesOptions options = new TablesOptions();

        @Mixin
        private final ChangeOptions change = new ChangeOptions();

        private final Console console;

        Create(Console console) {
            this.console = console;
        }

        @Override
        public Integer call() {
            try (NeededTables needed = new NeededTables(options)) {
                List<StoreTable> tables = needed.all();
                String plan = tables.stream()
                        .map(table ->
                                table.complete().name() + " (" + table.kind().title() + ") at " + table.endpoint())
                        .collect(Collectors.joining(", ", "Creates these tables where they are missing: ", "."));
                ChangeOptions.Decision decision = change.decide(console, plan);
                if (decision == ChangeOptions.Decision.CHANGE) {
                    for (StoreTable table : tables) {
                        Stores.await(table.dynamo().tables().create(table.complete()));
                        console.say("Table " + table.complete().name() + " is active.");
                    }
                }
                return decision == ChangeOptions.Decision.NOT_CONFIRMED ? ExitCode.NOT_CONFIRMED : ExitCode.OK;
            }
        }
    }

    /** Compares what is there. */
    @Command(
            name = "verify",
            description =
                    "Compares the tables with what the configuration needs, and explains each difference. Exit code 3"
                            + " if there is one.",
            footer = {"", "examples:", "  dynajournal tables verify --layout akka2 --table event_journal --json"})
    static final class Verify implements Callable<Integer> {
        @Mixin
        private final TablesOptions options = new TablesOptions();

        @Mixin
        private final OutputOptions output = new OutputOptions();

        private final Console console;

        Verify(Console console) {
            this.console = console;
        }

        @Override
        public Integer call() {
            int code = ExitCode.OK;
            try (NeededTables needed = new NeededTables(options);
                    Output out = output.open(console)) {
                for (StoreTable table : needed.all()) {
                    String difference = difference(table);
                    out.line(Output.values(
                            "table", table.complete().name(), "ok", difference.isEmpty(), "difference", difference));
                    code = difference.isEmpty() ? code : ExitCode.DIFFERENT;
                }
            }
            return code;
        }

        /** Empty if there is none. */
        private static String difference(StoreTable table) {
            TableAdmin admin = table.dynamo().tables();
            try {
                Stores.await(admin.verify(table.required()));
            } catch (CompletionException e) {
                if (e.getCause() instanceof StoreException.Refused refused && refused.getCause() == null) {
                    return String.valueOf(refused.getMessage());
                }
                throw e;
            }
            return table.usesTimeToLive() && !Stores.await(admin.removesExpiredItems(table.complete()))
                    ? TableAdmin.timeToLiveIsOff(table.complete())
                    : "";
        }
    }

    /** Prints how to create them. */
    @Command(
            name = "print",
            description =
                    "Prints source that creates the tables, or with --policy what a role may do with them. Sends no"
                            + " request.",
            footer = {
                "",
                "examples:",
                "  dynajournal tables print --config application.conf > create-tables.sh",
                "  dynajournal tables print --as cloudformation --stores journal,snapshots,states > tables.yaml",
                "  dynajournal tables print --as terraform --layout akka2 --table event_journal > tables.tf",
                "  dynajournal tables print --policy writer --config application.conf > writer.json"
            })
    static final class Print implements Callable<Integer> {
        @Mixin
        private final TablesOptions options = new TablesOptions();

        @Option(
                names = "--as",
                paramLabel = "<form>",
                defaultValue = "aws",
                description = "aws: commands of the AWS command line, by default; cloudformation: a template in YAML;"
                        + " terraform: HCL; cdk: a construct in TypeScript.")
        private SourceForm form = SourceForm.AWS;

        @Option(
                names = "--policy",
                paramLabel = "<role>",
                description =
                        "An IAM policy in JSON instead, with no more than the role needs: writer, reader, projection,"
                                + " cleanup or admin.")
        private @Nullable Role role;

        @Option(
                names = "--account",
                paramLabel = "<id>",
                defaultValue = "*",
                description = "The AWS account in the policy. By default any.")
        private String account = "*";

        private final Console console;

        Print(Console console) {
            this.console = console;
        }

        @Override
        public Integer call() {
            StoreSettings settings = options.settings();
            Map<StoreKind, StoreSettings.PlannedTable> tables = new EnumMap<>(StoreKind.class);
            options.kinds(settings).forEach(kind -> tables.put(kind, planned(settings, kind)));
            if (role == null) {
                console.out().print(form.print(tables));
            } else {
                console.out().println(policy(role, tables).json());
            }
            return ExitCode.OK;
        }

        private StoreSettings.PlannedTable planned(StoreSettings settings, StoreKind kind) {
            return kind == StoreKind.OFFSETS ? options.offsets().planned() : settings.planned(kind);
        }

        /** Projections always have a table of offsets, so it need not be named. */
        private Policy policy(Role role, Map<StoreKind, StoreSettings.PlannedTable> tables) {
            Policy policy = new Policy(role, account);
            tables.forEach((kind, table) -> {
                if (kind != StoreKind.OFFSETS) {
                    policy.add(table);
                }
            });
            if (role == Role.PROJECTION ? !policy.isEmpty() : tables.containsKey(StoreKind.OFFSETS)) {
                policy.add(options.offsets().planned());
            }
            return policy;
        }
    }
}
