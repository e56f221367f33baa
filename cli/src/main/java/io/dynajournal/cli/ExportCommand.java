package io.dynajournal.cli;

import io.dynajournal.cli.copy.Store.Journal;
import io.dynajournal.cli.export.ExportWriter;
import io.dynajournal.cli.options.CapacityOption;
import io.dynajournal.cli.options.IdSelection;
import io.dynajournal.cli.options.StoreOptions;
import io.dynajournal.cli.run.IdWorkers;
import io.dynajournal.cli.run.LongRun;
import io.dynajournal.cli.store.IdPages;
import io.dynajournal.cli.store.OpenStore;
import io.dynajournal.cli.store.StoreKind;
import io.dynajournal.cli.store.StoreSettings;
import io.dynajournal.cli.store.Stores;
import io.dynajournal.cli.terminal.Console;
import io.dynajournal.cli.terminal.ExitCode;
import io.dynajournal.cli.terminal.UsageException;
import io.dynajournal.internal.layout.JournalLayout;
import io.dynajournal.internal.store.Stages;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Iterator;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Writes events as lines of JSON. */
@Command(
        name = "export",
        description =
                "Writes the events of persistence ids, of a file of them, of an entity type, or all events, as lines of"
                        + " JSON, for backups, support cases and other consumers. The journal may be in use.",
        footer = {
            "",
            "examples:",
            "  dynajournal export --config application.conf --file events.ndjson",
            "  dynajournal export --entity-type ShoppingCart --max-capacity read=500 --file carts.ndjson",
            "  dynajournal export 'ShoppingCart|cart-7' | gzip > cart-7.ndjson.gz"
        })
final class ExportCommand implements Callable<Integer> {

    private static final int FAILURES_SHOWN = 20;

    @Mixin
    private final IdSelection selection = new IdSelection();

    @Option(
            names = "--file",
            paramLabel = "<file>",
            description = "Where to write, a new file. By default standard output.")
    private @Nullable Path file;

    @Option(
            names = "--parallel",
            paramLabel = "<n>",
            defaultValue = "8",
            description = "How many persistence ids are read at a time, each with a page in memory. By default 8.")
    private int parallel;

    @Mixin
    private final CapacityOption capacity = new CapacityOption();

    @Mixin
    private final StoreOptions store = new StoreOptions();

    private final Console console;

    ExportCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() {
        if (parallel < 1) {
            throw new UsageException("--parallel requires 1 or more, not " + parallel);
        }
        if (!selection.isNone()) {
            selection.described();
        }
        StoreSettings settings = store.settings(StoreKind.JOURNAL);
        try (LongRun run = capacity.start(console, "events");
                Stores stores = new Stores(settings, run.listener())) {
            OpenStore<JournalLayout> open = stores.journal();
            Journal journal = Journal.open(open.layout(), open.dynamo());
            OutputStream out = out();
            ExportWriter writer = new ExportWriter(journal, settings.described(), out, count -> {
                run.progress(count);
                run.pace();
            });
            if (selection.isNone()) {
                ItemCount.of(open.dynamo(), open.layout().table().name(), null).ifPresent(run::total);
            }
            int code = export(run, journal, writer);
            if (file != null) {
                close(out);
            }
            return code;
        }
    }

    /** After a failure there may be bytes left that cannot be written; the export is known to be incomplete. */
    private void close(OutputStream out) {
        try {
            out.close();
        } catch (IOException e) {
            console.say("The file " + file + " cannot be closed: " + e.getMessage());
        }
    }

    private OutputStream out() {
        if (file == null) {
            return console.out();
        }
        try {
            return new BufferedOutputStream(Files.newOutputStream(file, StandardOpenOption.CREATE_NEW));
        } catch (FileAlreadyExistsException e) {
            throw new UsageException("the file " + file + " exists; name a new one");
        } catch (IOException e) {
            throw new UsageException("the file " + file + " cannot be written: " + e);
        }
    }

    private int export(LongRun run, Journal journal, ExportWriter writer) {
        AtomicLong failed = new AtomicLong();
        AtomicReference<ExportWriter.@Nullable OutputFailed> broken = new AtomicReference<>();
        // A list may name an id twice, and so may an index whose rows are just being replaced.
        Set<String> seen = ConcurrentHashMap.newKeySet();
        // Everything is everything: an index may not show yet, or never, what the table has.
        Iterator<String> ids =
                selection.isNone() ? IdPages.of(journal.idsOfTable()) : selection.ids(() -> IdPages.of(journal.ids()));
        new IdWorkers(parallel, () -> run.isStopped() || broken.get() != null).forEach(ids, id -> {
            if (!selection.isNone() && !seen.add(id)) {
                return;
            }
            try {
                writer.log(id);
            } catch (LongRun.Stopped stopped) {
                failed.incrementAndGet();
            } catch (ExportWriter.OutputFailed e) {
                broken.compareAndSet(null, e);
            } catch (RuntimeException e) {
                if (failed.incrementAndGet() <= FAILURES_SHOWN) {
                    console.say(id + ": " + Stages.unwrap(e).getMessage());
                }
            }
        });
        if (failed.get() == 0 && broken.get() == null && !run.isStopped()) {
            try {
                writer.complete();
            } catch (ExportWriter.OutputFailed e) {
                broken.set(e);
            }
        }
        ExportWriter.@Nullable OutputFailed failure = broken.get();
        if (failure != null) {
            console.say("dynajournal: " + failure.getMessage());
        }
        if (failed.get() > 0 || failure != null || run.isStopped()) {
            console.say("The export is incomplete: it has no last line, so that import rejects it. Export again.");
            return run.isStopped() ? ExitCode.STOPPED : ExitCode.FAILED;
        }
        console.say(String.format(
                Locale.ROOT, "Exported %,d events of %,d persistence ids.", writer.events(), writer.ids()));
        return ExitCode.OK;
    }
}
