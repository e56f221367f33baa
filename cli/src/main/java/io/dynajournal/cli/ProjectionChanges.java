package io.dynajournal.cli;

import io.dynajournal.cli.options.ChangeOptions;
import io.dynajournal.cli.options.OffsetsOptions;
import io.dynajournal.cli.options.ProjectionArgument;
import io.dynajournal.cli.store.OffsetsStore;
import io.dynajournal.cli.store.Stores;
import io.dynajournal.cli.terminal.Console;
import io.dynajournal.cli.terminal.ExitCode;
import io.dynajournal.internal.model.SliceRange;
import io.dynajournal.internal.projections.ProjectionOffsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What all commands that change a projection's offsets have in common. */
abstract class ProjectionChanges implements Callable<Integer> {

    private static final String NOTICED = " Instances that run notice it within their flush-interval and a second.";

    @Mixin
    private final ProjectionArgument projection = new ProjectionArgument();

    @Mixin
    private final ChangeOptions change = new ChangeOptions();

    @Mixin
    private final OffsetsOptions offsets = new OffsetsOptions();

    private final Console console;

    private ProjectionChanges(Console console) {
        this.console = console;
    }

    /** What will be done, as a sentence without its end. */
    abstract String plan(String projection);

    abstract CompletionStage<Void> change(ProjectionOffsets of);

    /** What to consider before; empty if nothing. */
    String caution(List<SliceRange> paused) {
        return "";
    }

    @Override
    public final Integer call() {
        try (OffsetsStore store = new OffsetsStore(offsets.settings())) {
            ProjectionOffsets.Overview found = store.overview(projection.name());
            String plan = plan(projection.name()) + ", in table " + store.table() + " at " + store.endpoint() + "."
                    + NOTICED + caution(found.paused());
            ChangeOptions.Decision decision = change.decide(console, plan);
            if (decision == ChangeOptions.Decision.CHANGE) {
                Stores.await(change(store.projection(projection.name())));
                console.say("Done.");
            }
            return decision == ChangeOptions.Decision.NOT_CONFIRMED ? ExitCode.NOT_CONFIRMED : ExitCode.OK;
        }
    }

    /** Stops a projection's handlers. */
    @Command(
            name = "pause",
            description = "Pauses a projection in all its slices. A pause survives restarts.",
            footer = {"", "examples:", "  dynajournal projections pause popularity --config application.conf --yes"})
    static final class Pause extends ProjectionChanges {
        Pause(Console console) {
            super(console);
        }

        @Override
        String plan(String projection) {
            return "Pauses the projection " + projection;
        }

        @Override
        CompletionStage<Void> change(ProjectionOffsets of) {
            return of.pause(true);
        }
    }

    /** Lets a paused projection go on. */
    @Command(
            name = "resume",
            description = "Resumes a paused projection in all its slices.",
            footer = {"", "examples:", "  dynajournal projections resume popularity --config application.conf --yes"})
    static final class Resume extends ProjectionChanges {
        Resume(Console console) {
            super(console);
        }

        @Override
        String plan(String projection) {
            return "Resumes the projection " + projection;
        }

        @Override
        CompletionStage<Void> change(ProjectionOffsets of) {
            return of.pause(false);
        }
    }

    /** Setting the offset, to a time or the beginning. */
    abstract static class Move extends ProjectionChanges {
        private Move(Console console) {
            super(console);
        }

        /** An instance that stores offsets meanwhile may replace some that were set. */
        @Override
        String caution(List<SliceRange> paused) {
            return paused.contains(SliceRange.ALL)
                    ? ""
                    : " The projection is not paused: if it runs, pause it before, or slices that it is just storing"
                            + " may keep their offset.";
        }
    }

    /** Sets the offset. */
    @Command(
            name = "set",
            description = "Sets a projection's offset to a time: events from then on are projected, also those that"
                    + " were projected before; earlier ones are not. Pause a running projection before.",
            footer = {"", "examples:", "  dynajournal projections set popularity --time 2026-11-18T10:00:00Z --dry-run"
            })
    static final class SetTime extends Move {
        @Option(
                names = "--time",
                required = true,
                paramLabel = "<time>",
                converter = IdFilter.Time.class,
                description = "Such as 2026-11-18T10:00:00Z.")
        private Instant time = Instant.EPOCH;

        SetTime(Console console) {
            super(console);
        }

        @Override
        String plan(String projection) {
            return "Sets the offset of the projection " + projection + " to " + time;
        }

        @Override
        CompletionStage<Void> change(ProjectionOffsets of) {
            return of.set(ChronoUnit.MICROS.between(Instant.EPOCH, time));
        }
    }

    /** Clears the offset. */
    @Command(
            name = "clear",
            description =
                    "Clears a projection's offset: all events are projected again. Pause a running projection before.",
            footer = {"", "examples:", "  dynajournal projections clear popularity --dry-run"})
    static final class Clear extends Move {
        Clear(Console console) {
            super(console);
        }

        @Override
        String plan(String projection) {
            return "Clears the offset of the projection " + projection + ", so that it projects all events again";
        }

        @Override
        CompletionStage<Void> change(ProjectionOffsets of) {
            return of.set(0);
        }
    }
}
