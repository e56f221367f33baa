package io.dynajournal.cli;

import io.dynajournal.cli.copy.Copy;
import io.dynajournal.cli.copy.CopyReport;
import io.dynajournal.cli.copy.Store;
import io.dynajournal.cli.export.ExportFile;
import io.dynajournal.cli.options.ChangeOptions;
import io.dynajournal.cli.options.LongRunOptions;
import io.dynajournal.cli.options.StoreOptions;
import io.dynajournal.cli.run.LongRun;
import io.dynajournal.cli.store.OpenStore;
import io.dynajournal.cli.store.StoreKind;
import io.dynajournal.cli.store.StoreSettings;
import io.dynajournal.cli.store.Stores;
import io.dynajournal.cli.terminal.Console;
import io.dynajournal.cli.terminal.ExitCode;
import io.dynajournal.cli.terminal.UsageException;
import io.dynajournal.internal.layout.JournalLayout;
import io.dynajournal.listener.RequestListener;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Stores what was exported. */
@Command(
        name = "import",
        description = "Stores the events of an export in a journal of any layout. The file is checked as a whole before"
                + " anything is stored. Events that are there already are compared and never overwritten, so that the command"
                + " may be repeated. The entities must not run.",
        footer = {
            "",
            "examples:",
            "  dynajournal import events.ndjson --table restored_events --dry-run",
            "  dynajournal import events.ndjson --table restored_events --checkpoint import.json --yes"
        })
final class ImportCommand implements Callable<Integer> {

    @Parameters(paramLabel = "<file>", description = "What export has written.")
    private Path file = Path.of("");

    @Option(
            names = "--part",
            description =
                    "The file is a part of an export or comes from elsewhere: its first and its last line may be missing.")
    private boolean part;

    @Option(
            names = "--parallel",
            paramLabel = "<n>",
            defaultValue = "32",
            description = "How many persistence ids are imported at a time. By default 32.")
    private int parallel;

    @Mixin
    private final ChangeOptions change = new ChangeOptions();

    @Mixin
    private final LongRunOptions longRun = new LongRunOptions();

    @Mixin
    private final StoreOptions store = new StoreOptions();

    private final Console console;

    ImportCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() {
        if (parallel < 1) {
            throw new UsageException("--parallel requires 1 or more, not " + parallel);
        }
        StoreSettings settings = store.settings(StoreKind.JOURNAL);
        StoreName to = StoreName.of(settings, Set.of(StoreKind.JOURNAL));
        try (ExportFile export = ExportFile.open(file, part)) {
            return switch (change.decide(console, plan(export, to, settings))) {
                case SHOW_ONLY -> ExitCode.OK;
                case NOT_CONFIRMED -> ExitCode.NOT_CONFIRMED;
                case CHANGE -> run(export, settings, to);
            };
        }
    }

    private String plan(ExportFile export, StoreName to, StoreSettings settings) {
        List<String> losses;
        try (Stores stores = new Stores(settings, RequestListener.NONE)) {
            losses = Copy.losses(Store.ofEvents(export.journal()), Store.ofEvents(open(stores)));
        }
        String plan = String.format(
                Locale.ROOT,
                "This stores %,d events of %,d persistence ids, from %s, in %s. Expiry times are not exported; the"
                        + " journal's own settings apply to what is written.",
                export.events(),
                export.ids(),
                file,
                to.location());
        return losses.isEmpty()
                ? plan
                : plan + "\nIt cannot hold, so these are not stored: " + String.join(", ", losses) + ".";
    }

    private static Store.Journal open(Stores stores) {
        OpenStore<JournalLayout> journal = stores.journal();
        return Store.Journal.open(journal.layout(), journal.dynamo());
    }

    private int run(ExportFile export, StoreSettings settings, StoreName to) {
        Map<String, String> identity = Map.of("command", "import", "sha256", export.digest(), "to", to.toString());
        try (LongRun run = longRun.start(console, "events", identity);
                Stores stores = new Stores(settings, run.listener())) {
            Copy copy = new Copy(
                            Store.ofEvents(export.journal()),
                            Store.ofEvents(open(stores)),
                            new CopyCheckpoint(run),
                            parallel,
                            run::isStopped)
                    .withoutDeletes();
            run.total(export.events() - run.checkpoint().sumReached());
            copy.pass();
            int code = report(copy.report());
            return run.isStopped() ? ExitCode.STOPPED : code;
        }
    }

    private int report(CopyReport report) {
        console.say(String.format(
                Locale.ROOT,
                "Stored %,d events; %,d logs were read back and are equal.",
                report.events(),
                report.verifiedLogs()));
        report.failures().forEach(console::say);
        if (report.failed() == 0) {
            return ExitCode.OK;
        }
        console.say(report.failed() + " persistence ids failed. The same command tries them again.");
        return ExitCode.FAILED;
    }
}
