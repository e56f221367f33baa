package io.dynajournal.cli;

import io.dynajournal.cli.options.OffsetsOptions;
import io.dynajournal.cli.options.OutputOptions;
import io.dynajournal.cli.store.OffsetsStore;
import io.dynajournal.cli.terminal.Console;
import io.dynajournal.cli.terminal.ExitCode;
import io.dynajournal.cli.terminal.Output;
import io.dynajournal.cli.terminal.UsageException;
import io.dynajournal.internal.model.SliceRange;
import io.dynajournal.internal.projections.ProjectionOffsets;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** The offsets of projections. */
@Command(
        name = "projections",
        description = "Shows how far projections are, pauses them, sets their offsets, and compares what they have"
                + " projected with the journal.",
        synopsisSubcommandLabel = "<list | lag | pause | resume | set | clear | audit>",
        footer = {
            "",
            "examples:",
            "  dynajournal projections list",
            "  dynajournal projections lag popularity --entity-type ShoppingCart",
            "  dynajournal projections pause popularity --config application.conf --yes"
        },
        subcommands = {
            ProjectionsCommand.ListAll.class,
            ProjectionLagCommand.class,
            ProjectionChanges.Pause.class,
            ProjectionChanges.Resume.class,
            ProjectionChanges.SetTime.class,
            ProjectionChanges.Clear.class,
            ProjectionAuditCommand.class
        })
final class ProjectionsCommand implements Callable<Integer> {

    @Override
    public Integer call() {
        throw new UsageException("projections requires list, lag, pause, resume, set, clear or audit");
    }

    static String spelled(SliceRange slices) {
        return slices.min() + "-" + slices.max();
    }

    /** The projections of a table. */
    @Command(
            name = "list",
            description = "Prints each projection that has offsets in the table. Reads the whole table to find their"
                    + " names, then 21 requests for each.",
            footer = {
                "",
                "examples:",
                "  dynajournal projections list --offsets timestamp_offset",
                "  dynajournal projections list --config application.conf --json"
            })
    static final class ListAll implements Callable<Integer> {
        @Mixin
        private final OffsetsOptions offsets = new OffsetsOptions();

        @Mixin
        private final OutputOptions output = new OutputOptions();

        private final Console console;

        ListAll(Console console) {
            this.console = console;
        }

        @Override
        public Integer call() {
            try (OffsetsStore store = new OffsetsStore(offsets.settings());
                    Output out = output.open(console)) {
                store.names().forEach(name -> out.line(values(store.overview(name))));
            }
            return ExitCode.OK;
        }

        private static Map<String, Object> values(ProjectionOffsets.Overview overview) {
            Map<String, Object> values = Output.values(
                    "projection",
                    overview.projection(),
                    "layout",
                    overview.packed() ? "packed" : "timestamp-offset",
                    "slices",
                    overview.slices());
            if (overview.newestMicros() > 0) {
                values.put("newest", overview.newestMicros() / 1000);
            }
            values.put(
                    "ranges",
                    overview.ranges().keySet().stream()
                            .map(ProjectionsCommand::spelled)
                            .toList());
            values.put(
                    "paused",
                    overview.paused().stream().map(ProjectionsCommand::spelled).toList());
            return values;
        }
    }
}
