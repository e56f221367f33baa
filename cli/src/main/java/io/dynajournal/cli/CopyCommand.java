package io.dynajournal.cli;

import io.dynajournal.cli.copy.Copy;
import io.dynajournal.cli.copy.CopyReport;
import io.dynajournal.cli.copy.Store;
import io.dynajournal.cli.options.ChangeOptions;
import io.dynajournal.cli.options.LongRunOptions;
import io.dynajournal.cli.options.StorePairOptions;
import io.dynajournal.cli.run.LongRun;
import io.dynajournal.cli.terminal.Console;
import io.dynajournal.cli.terminal.ExitCode;
import io.dynajournal.cli.terminal.UsageException;
import io.dynajournal.listener.RequestListener;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Copies one store into another. */
@Command(
        name = "copy",
        description =
                "Copies events, snapshots and durable states from any layout to any layout, while the source is in"
                        + " use. What the target has already is compared and never overwritten, so that the command may be"
                        + " repeated. Nothing else may write to the target.",
        footer = {
            "",
            "examples:",
            "  dynajournal copy --layout akka1 --table akka-persistence --to-table events --checkpoint copy.json",
            "  dynajournal copy --layout akka2 --table event_journal --to-table events --follow --yes",
            "  dynajournal copy --layout akka2 --table event_journal --to-table events --finish",
        })
final class CopyCommand implements Callable<Integer> {

    private static final Duration FOLLOW_PAUSE = Duration.ofSeconds(2);

    @Mixin
    private final ChangeOptions change = new ChangeOptions();

    @Mixin
    private final LongRunOptions longRun = new LongRunOptions();

    @Mixin
    private final StorePairOptions pair = new StorePairOptions();

    @Option(
            names = "--parallel",
            paramLabel = "<n>",
            defaultValue = "32",
            description = "How many persistence ids are copied at a time. By default 32.")
    private int parallel;

    @Option(names = "--follow", description = "Go on copying what is new, until Ctrl-C.")
    private boolean follow;

    @Option(
            names = "--finish",
            description = "Copy what is left, and then check that nothing writes to the source any more. The exit code"
                    + " is 3 if something does.")
    private boolean finish;

    @Option(
            names = "--quiet",
            paramLabel = "<seconds>",
            defaultValue = "10",
            description = "With --finish: for how long the source must not change. By default 10.")
    private int quiet;

    private final Console console;

    CopyCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() {
        checkOptions();
        StoreName from = StoreName.of(pair.source(), pair.kinds());
        StoreName to = StoreName.of(pair.target(), pair.kinds());
        if (from.isSameTable(to)) {
            throw new UsageException("the source and the target are the same: " + from.location());
        }
        return switch (change.decide(console, plan())) {
            case SHOW_ONLY -> ExitCode.OK;
            case NOT_CONFIRMED -> ExitCode.NOT_CONFIRMED;
            case CHANGE -> run(Map.of("command", "copy", "from", from.toString(), "to", to.toString()));
        };
    }

    private int run(Map<String, String> identity) {
        try (LongRun run = longRun.start(console, "events", identity);
                StorePair stores = new StorePair(pair, run.listener())) {
            Copy copy = new Copy(stores.source(), stores.target(), new CopyCheckpoint(run), parallel, run::isStopped);
            // An atomic write may have several events in an item, so that there are this many or more.
            stores.items().ifPresent(items -> run.total(items - run.checkpoint().sumReached()));
            int code = run(copy);
            return run.isStopped() ? ExitCode.STOPPED : code;
        }
    }

    private void checkOptions() {
        if (parallel < 1) {
            throw new UsageException("--parallel requires 1 or more, not " + parallel);
        }
        if (quiet < 0) {
            throw new UsageException("--quiet requires 0 or more seconds, not " + quiet);
        }
        if (follow && finish) {
            throw new UsageException("--follow ends with Ctrl-C, --finish by itself; give one of them");
        }
    }

    private String plan() {
        try (StorePair stores = new StorePair(pair, RequestListener.NONE)) {
            return plan(stores.source(), stores.target());
        }
    }

    private static String plan(Store source, Store target) {
        List<String> losses = Copy.losses(source, target);
        StringBuilder plan = new StringBuilder("This copies");
        if (source.journal() != null && target.journal() != null) {
            plan.append(" the events of ")
                    .append(source.journal().table())
                    .append(" to ")
                    .append(target.journal().table());
        }
        if (source.snapshots() != null && target.snapshots() != null) {
            plan.append(", the snapshots of ")
                    .append(source.snapshots().table())
                    .append(" to ")
                    .append(target.snapshots().table());
        }
        if (source.states() != null && target.states() != null) {
            plan.append(", the states of ")
                    .append(source.states().table())
                    .append(" to ")
                    .append(target.states().table());
        }
        plan.append(". Expiry times are not copied; the target's own settings apply to what is written.");
        return losses.isEmpty()
                ? plan.toString()
                : plan + "\nThe target cannot hold, so these are not copied: " + String.join(", ", losses) + ".";
    }

    private int run(Copy copy) {
        List<String> active = List.of();
        if (finish) {
            active = copy.finish(Duration.ofSeconds(quiet));
        } else if (follow) {
            copy.follow(FOLLOW_PAUSE);
        } else {
            copy.pass();
        }
        CopyReport report = copy.report();
        console.say(String.format(
                Locale.ROOT,
                "Stored %,d events and %,d snapshots; %,d states are there; %,d logs were read back and are equal.",
                report.events(),
                report.snapshots(),
                report.states(),
                report.verifiedLogs()));
        report.failures().forEach(console::say);
        if (report.failed() > 0) {
            console.say(report.failed() + " persistence ids failed. The same command tries them again.");
            return ExitCode.FAILED;
        }
        if (!active.isEmpty()) {
            active.stream().limit(20).forEach(writer -> console.say("changed: " + writer));
            console.say(
                    "Do not switch: " + active.size()
                            + " persistence ids have changed since they were copied. Stop what writes or deletes, and finish"
                            + " again. Delete what is gone from the source in the target too, with cleanup --delete all --reset.");
            return ExitCode.DIFFERENT;
        }
        return ExitCode.OK;
    }
}
