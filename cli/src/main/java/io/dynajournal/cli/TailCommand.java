package io.dynajournal.cli;

import io.dynajournal.cli.options.OutputOptions;
import io.dynajournal.cli.options.PayloadOption;
import io.dynajournal.cli.options.StoreOptions;
import io.dynajournal.cli.store.OpenStore;
import io.dynajournal.cli.store.StoreKind;
import io.dynajournal.cli.store.Stores;
import io.dynajournal.cli.tail.SliceTail;
import io.dynajournal.cli.terminal.Console;
import io.dynajournal.cli.terminal.ExitCode;
import io.dynajournal.cli.terminal.Output;
import io.dynajournal.cli.terminal.UsageException;
import io.dynajournal.internal.layout.JournalLayout;
import io.dynajournal.internal.store.SliceIndex;
import io.dynajournal.listener.RequestListener;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Events as they are written. */
@Command(
        name = "tail",
        description =
                "Prints the events of an entity type or with a tag as they are written, until Ctrl-C. Nothing is skipped,"
                        + " and each entity's events are in order. Needs the index by slice of the layouts commits and akka2.",
        footer = {
            "",
            "examples:",
            "  dynajournal tail --entity-type ShoppingCart",
            "  dynajournal tail --tag payment --from 2026-11-18T10:00:00Z --json",
            "  dynajournal tail --entity-type ShoppingCart --from 2026-11-18T10:00:00Z --current"
        })
final class TailCommand implements Callable<Integer> {

    private static final long STOP_SECONDS = 10;

    @Option(
            names = "--entity-type",
            paramLabel = "<name>",
            description = "Only entities of this type: what is before the | of their persistence ids.")
    private @Nullable String entityType;

    @Option(names = "--tag", paramLabel = "<tag>", description = "Only events with this tag.")
    private @Nullable String tag;

    @Option(
            names = "--from",
            paramLabel = "<time>",
            converter = IdFilter.Time.class,
            description =
                    "Only events that were written at this time or later, such as 2026-11-18T10:00:00Z. By default now.")
    private @Nullable Instant from;

    @Option(names = "--current", description = "End when the events that are there now are printed.")
    private boolean current;

    @Mixin
    private final PayloadOption payloads = new PayloadOption();

    @Mixin
    private final OutputOptions output = new OutputOptions();

    @Mixin
    private final StoreOptions store = new StoreOptions();

    private final Console console;

    TailCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() {
        if (entityType == null && tag == null) {
            throw new UsageException("tail requires --entity-type or --tag");
        }
        CountDownLatch stop = new CountDownLatch(1);
        CountDownLatch ended = new CountDownLatch(1);
        Thread onExit = new Thread(() -> stopAndWait(stop, ended), "dynajournal-stop");
        Runtime.getRuntime().addShutdownHook(onExit);
        try {
            return print(stop);
        } finally {
            ended.countDown();
            removeHook(onExit);
        }
    }

    private int print(CountDownLatch stop) {
        try (Stores stores = new Stores(store.settings(StoreKind.JOURNAL), RequestListener.NONE);
                Output out = output.open(console)) {
            OpenStore<JournalLayout> journal = stores.journal();
            SliceIndex index = journal.layout()
                    .slices(journal.dynamo())
                    .orElseThrow(() -> new UsageException(
                            "table " + journal.layout().table().name() + " has no index by slice, which tail reads"));
            long fromMicros = from == null ? index.nowMicros() : ChronoUnit.MICROS.between(Instant.EPOCH, from);
            new SliceTail(index, entityType, tag, fromMicros, !current)
                    .run(
                            event -> {
                                Map<String, Object> values = Output.values("persistenceId", event.persistenceId());
                                values.putAll(EventsCommand.values(event, Set.of(), payloads, output));
                                out.line(values);
                            },
                            out::flush,
                            stop);
            return stop.getCount() == 0 ? ExitCode.STOPPED : ExitCode.OK;
        }
    }

    /** Ctrl-C: what is being printed is printed in whole lines. */
    private void stopAndWait(CountDownLatch stop, CountDownLatch ended) {
        stop.countDown();
        try {
            if (!ended.await(STOP_SECONDS, TimeUnit.SECONDS)) {
                console.say("The request that was in flight has not ended within " + STOP_SECONDS + " s.");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void removeHook(Thread onExit) {
        try {
            Runtime.getRuntime().removeShutdownHook(onExit);
        } catch (IllegalStateException exiting) {
            // The JVM is ending, and the hook has just been released.
        }
    }
}
