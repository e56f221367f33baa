package io.dynajournal.cli;

import io.dynajournal.cli.options.OffsetsOptions;
import io.dynajournal.cli.options.OutputOptions;
import io.dynajournal.cli.options.ProjectionArgument;
import io.dynajournal.cli.options.StoreOptions;
import io.dynajournal.cli.store.OffsetsStore;
import io.dynajournal.cli.store.OpenStore;
import io.dynajournal.cli.store.StoreKind;
import io.dynajournal.cli.store.StoreSettings;
import io.dynajournal.cli.store.Stores;
import io.dynajournal.cli.terminal.Console;
import io.dynajournal.cli.terminal.ExitCode;
import io.dynajournal.cli.terminal.Output;
import io.dynajournal.cli.terminal.UsageException;
import io.dynajournal.internal.layout.JournalLayout;
import io.dynajournal.internal.model.SliceRange;
import io.dynajournal.internal.store.SliceIndex;
import io.dynajournal.listener.RequestListener;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The events that wait for a projection. */
@Command(
        name = "lag",
        description =
                "Prints for each range of slices how many events wait for the projection, and for how many seconds"
                        + " the oldest of them has waited. Running instances store their progress once per flush-interval; what"
                        + " they have projected since counts as waiting. Reads the index of the journal from the stored progress"
                        + " on; --layout and --table are the journal's.",
        footer = {
            "",
            "examples:",
            "  dynajournal projections lag popularity --entity-type ShoppingCart",
            "  dynajournal projections lag popularity --entity-type ShoppingCart --config application.conf --json"
        })
final class ProjectionLagCommand implements Callable<Integer> {

    @Mixin
    private final ProjectionArgument projection = new ProjectionArgument();

    @Option(
            names = "--entity-type",
            required = true,
            paramLabel = "<name>",
            description = "The entity type whose events are projected.")
    private String entityType = "";

    @Option(
            names = "--count-to",
            paramLabel = "<n>",
            defaultValue = "100000",
            description =
                    "Stop counting the events of a range at about this number; complete is then false. By default 100000.")
    private long countTo;

    @Mixin
    private final OffsetsOptions.Names offsets = new OffsetsOptions.Names();

    @Mixin
    private final StoreOptions store = new StoreOptions();

    @Mixin
    private final OutputOptions output = new OutputOptions();

    private final Console console;

    ProjectionLagCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() {
        StoreSettings settings = store.settings(StoreKind.JOURNAL);
        try (OffsetsStore stored = new OffsetsStore(offsets.settings(store));
                Stores stores = new Stores(settings, RequestListener.NONE);
                Output out = output.open(console)) {
            OpenStore<JournalLayout> journal = stores.journal();
            SliceIndex index = journal.layout()
                    .slices(journal.dynamo())
                    .orElseThrow(() -> new UsageException(settings.described() + " has no index by slice"));
            ProjectionLag lag = new ProjectionLag(index, entityType, countTo);
            stored.overview(projection.name()).ranges().forEach((slices, micros) -> {
                ProjectionLag.Waiting waiting = Stores.await(lag.after(slices, micros));
                out.line(values(slices, micros, waiting, index.nowMicros()));
            });
        }
        return ExitCode.OK;
    }

    private Map<String, Object> values(SliceRange slices, long micros, ProjectionLag.Waiting waiting, long nowMicros) {
        Map<String, Object> values =
                Output.values("projection", projection.name(), "slices", ProjectionsCommand.spelled(slices));
        if (micros > 0) {
            values.put("projectedTo", micros / 1000);
        }
        values.put("waiting", waiting.events());
        values.put("seconds", waiting.events() == 0 ? 0 : Math.max(0, nowMicros - waiting.oldestMicros()) / 1_000_000);
        values.put("complete", waiting.complete());
        return values;
    }
}
