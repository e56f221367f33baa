package io.dynajournal.cli;

import io.dynajournal.cli.options.ChangeOptions;
import io.dynajournal.cli.options.IdSelection;
import io.dynajournal.cli.options.LongRunOptions;
import io.dynajournal.cli.options.OutputOptions;
import io.dynajournal.cli.options.StoresOptions;
import io.dynajournal.cli.run.IdWorkers;
import io.dynajournal.cli.run.LongRun;
import io.dynajournal.cli.store.StoreSettings;
import io.dynajournal.cli.store.Stores;
import io.dynajournal.cli.terminal.Console;
import io.dynajournal.cli.terminal.ExitCode;
import io.dynajournal.cli.terminal.Output;
import io.dynajournal.internal.dynamo.ClientSettings;
import io.dynajournal.internal.store.Stages;
import io.dynajournal.listener.RequestListener;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Deletes events, snapshots and durable states from outside their entities. */
@Command(
        name = "cleanup",
        description =
                "Deletes events, snapshots or durable states of persistence ids, of a file of them or of an entity"
                        + " type. A persistence id that fails does not end the command; it may be repeated, as a whole too."
                        + " With --dry-run it prints the persistence ids.",
        footer = {
            "",
            "examples:",
            "  dynajournal cleanup --delete before-snapshot --entity-type ShoppingCart --max-capacity write=200",
            "  dynajournal cleanup --delete events --before 2026-01-01T00:00:00Z --ids ids.txt --checkpoint done.json",
            "  dynajournal cleanup --delete all --reset --config application.conf 'Customer|4711'",
        })
final class CleanupCommand implements Callable<Integer> {

    private static final int FAILURES_SHOWN = 20;

    @Mixin
    private final IdSelection selection = new IdSelection();

    @Mixin
    private final CleanupTask task = new CleanupTask();

    @Mixin
    private final ChangeOptions change = new ChangeOptions();

    @Mixin
    private final LongRunOptions longRun = new LongRunOptions();

    @Mixin
    private final StoresOptions stores = new StoresOptions();

    @Mixin
    private final OutputOptions output = new OutputOptions();

    @Option(
            names = "--parallel",
            paramLabel = "<n>",
            defaultValue = "2",
            description = "How many persistence ids are cleaned up at a time. By default 2.")
    private int parallel;

    private final Console console;

    CleanupCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() {
        task.check(selection);
        StoreSettings settings = stores.settings();
        String tables = tables(settings);
        String plan = "This deletes " + task.described() + " of " + selection.described() + ", from " + tables + ". "
                + task.consequence();
        return switch (change.decide(console, plan)) {
            case SHOW_ONLY -> show(settings);
            case NOT_CONFIRMED -> ExitCode.NOT_CONFIRMED;
            case CHANGE -> run(settings, tables);
        };
    }

    private String tables(StoreSettings settings) {
        return task.what().stores().stream()
                .map(kind -> described(settings.planned(kind)))
                .collect(Collectors.joining(" and "));
    }

    private static String described(StoreSettings.PlannedTable planned) {
        String table = "table " + planned.table().name();
        ClientSettings client = planned.client();
        if (client.endpoint() != null) {
            return table + " at " + client.endpoint();
        }
        return client.region() == null ? table : table + " in " + client.region();
    }

    private int show(StoreSettings settings) {
        try (Stores open = new Stores(settings, RequestListener.NONE);
                Output out = output.open(console)) {
            CleanupStores cleanup = new CleanupStores(task, open);
            selection.ids(cleanup::ids).forEachRemaining(id -> out.line(Output.values("persistenceId", id)));
        }
        return ExitCode.OK;
    }

    private int run(StoreSettings settings, String tables) {
        Map<String, String> identity = task.identity();
        identity.putAll(selection.identity());
        identity.put("tables", tables);
        AtomicLong failed = new AtomicLong();
        try (LongRun run = longRun.start(console, "persistence ids", identity);
                Stores open = new Stores(settings, run.listener())) {
            CleanupStores cleanup = new CleanupStores(task, open);
            selection.count().ifPresent(ids -> run.total(ids - run.checkpoint().countDone()));
            Function<String, CompletionStage<Void>> operation = cleanup.operation();
            new IdWorkers(parallel, run::isStopped)
                    .forEach(selection.ids(cleanup::ids), id -> cleanUp(run, operation, id, failed));
            if (failed.get() > 0) {
                console.say(failed + " persistence ids failed. The same command tries them again.");
            }
            return run.isStopped() ? ExitCode.STOPPED : failed.get() > 0 ? ExitCode.FAILED : ExitCode.OK;
        }
    }

    private void cleanUp(LongRun run, Function<String, CompletionStage<Void>> operation, String id, AtomicLong failed) {
        if (run.checkpoint().isDone(id)) {
            return;
        }
        try {
            run.pace();
            Stores.await(operation.apply(id));
            run.checkpoint().done(id);
            run.progress(1);
        } catch (LongRun.Stopped stopped) {
            return; // The workers take no further id.
        } catch (RuntimeException e) {
            if (failed.incrementAndGet() <= FAILURES_SHOWN) {
                console.say(id + ": " + Stages.unwrap(e).getMessage());
            }
        }
    }
}
