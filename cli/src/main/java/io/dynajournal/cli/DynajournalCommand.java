package io.dynajournal.cli;

import io.dynajournal.cli.terminal.UsageException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** The command itself, which does nothing without one of its subcommands. */
@Command(
        name = "dynajournal",
        description =
                "Looks into journals, snapshots, durable states and projections on DynamoDB, of every layout, and moves,"
                        + " checks and cleans them up.",
        synopsisSubcommandLabel = "<command>",
        commandListHeading = "%ncommands:%n",
        footer = {
            "",
            "Run dynajournal <command> --help for a command's options and examples. Results are printed to standard"
                    + " output, everything else to standard error.",
            "",
            "exit codes:",
            "  0  done",
            "  1  failed; the message says what is known",
            "  2  the command line or a setting is wrong",
            "  3  what was checked is not as it should be",
            "  4  a change was not confirmed; nothing was changed",
            "130  stopped by Ctrl-C; the same command with the same --checkpoint continues"
        },
        subcommands = {
            EventsCommand.class,
            HighestCommand.class,
            SnapshotsCommand.class,
            StateCommand.class,
            IdsCommand.class,
            TailCommand.class,
            CopyCommand.class,
            VerifyCommand.class,
            ExportCommand.class,
            ImportCommand.class,
            CleanupCommand.class,
            DoctorCommand.class,
            TablesCommand.class,
            ProjectionsCommand.class,
            CostCommand.class,
            CompletionCommand.class
        })
final class DynajournalCommand implements Callable<Integer> {

    @Override
    public Integer call() {
        throw new UsageException("no command given");
    }
}
