package io.dynajournal.cli;

import io.dynajournal.cli.copy.Difference;
import io.dynajournal.cli.copy.StoreComparison;
import io.dynajournal.cli.options.OutputOptions;
import io.dynajournal.cli.options.StorePairOptions;
import io.dynajournal.cli.terminal.Console;
import io.dynajournal.cli.terminal.ExitCode;
import io.dynajournal.cli.terminal.Output;
import io.dynajournal.cli.terminal.UsageException;
import io.dynajournal.listener.RequestListener;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Compares two stores. */
@Command(
        name = "verify",
        description = "Compares two stores event by event, as far as both layouts keep them, and prints the first"
                + " difference of each persistence id. Changes nothing. The exit code is 3 if there is a difference.",
        footer = {
            "",
            "examples:",
            "  dynajournal verify --layout akka2 --table event_journal --to-table events",
            "  dynajournal verify --layout j5ik2o --table Journal --snapshots Snapshot --to-table events"
                    + " --to-snapshots snapshots --json",
        })
final class VerifyCommand implements Callable<Integer> {

    @Mixin
    private final OutputOptions output = new OutputOptions();

    @Mixin
    private final StorePairOptions pair = new StorePairOptions();

    @Option(
            names = "--parallel",
            paramLabel = "<n>",
            defaultValue = "32",
            description = "How many persistence ids are compared at a time. By default 32.")
    private int parallel;

    private final Console console;

    VerifyCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() {
        if (parallel < 1) {
            throw new UsageException("--parallel requires 1 or more, not " + parallel);
        }
        try (StorePair stores = new StorePair(pair, RequestListener.NONE);
                Output out = output.open(console)) {
            StoreComparison comparison = new StoreComparison(
                    stores.source(), stores.target(), parallel, () -> false, difference -> print(out, difference));
            long differences = comparison.run();
            console.say(String.format(
                    Locale.ROOT, "%,d comparisons, %,d differences.", comparison.compared(), differences));
            return differences == 0 ? ExitCode.OK : ExitCode.DIFFERENT;
        }
    }

    private static synchronized void print(Output out, Difference difference) {
        out.line(Output.values(
                "persistenceId", difference.persistenceId(),
                "what", difference.what().name().toLowerCase(Locale.ROOT),
                "seqNr", difference.seqNr(),
                "difference", difference.detail()));
    }
}
