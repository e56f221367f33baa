package io.dynajournal.cli;

import io.dynajournal.cli.doctor.Diagnosis;
import io.dynajournal.cli.options.ChangeOptions;
import io.dynajournal.cli.options.IdSelection;
import io.dynajournal.cli.options.LongRunOptions;
import io.dynajournal.cli.options.OffsetsOptions;
import io.dynajournal.cli.options.OutputOptions;
import io.dynajournal.cli.options.StoresOptions;
import io.dynajournal.cli.run.LongRun;
import io.dynajournal.cli.store.StoreKind;
import io.dynajournal.cli.store.StoreSettings;
import io.dynajournal.cli.store.Stores;
import io.dynajournal.cli.terminal.Console;
import io.dynajournal.cli.terminal.ExitCode;
import io.dynajournal.cli.terminal.Output;
import io.dynajournal.cli.terminal.UsageException;
import io.dynajournal.internal.store.Finding;
import io.dynajournal.internal.store.Finding.Repair;
import java.time.Duration;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Looks for damage, and repairs what is safe. */
@Command(
        name = "doctor",
        description =
                "Looks for what is wrong with a store, while it is in use: gaps, damaged items, two writers of one log,"
                        + " writes and deletes that were interrupted, marks, keys, indexes, snapshots and offsets that do"
                        + " not fit. Prints what it found twice, some time apart. Changes nothing without --repair. Reads"
                        + " everything twice; without a persistence id all logs. The exit code is 3 if something was found"
                        + " that is not repaired.",
        footer = {
            "",
            "examples:",
            "  dynajournal doctor --config application.conf",
            "  dynajournal doctor --table events --snapshot-table snapshots --stores journal,snapshots --json",
            "  dynajournal doctor --table events --offsets timestamp_offset --entity-type ShoppingCart",
            "  dynajournal doctor --layout akka1 --table akka-persistence --repair --yes --max-capacity read=500",
        })
final class DoctorCommand implements Callable<Integer> {

    @Mixin
    private final IdSelection selection = new IdSelection();

    @Option(
            names = "--stores",
            split = ",",
            paramLabel = "<kind>",
            description = "Which: journal, snapshots, states. By default journal.")
    private Set<StoreKind> kinds = EnumSet.of(StoreKind.JOURNAL);

    @Option(
            names = "--repair",
            description = "Repair what is safe also while entities write, after showing what that is.")
    private boolean repair;

    @Option(
            names = "--settle",
            paramLabel = "<seconds>",
            defaultValue = "10",
            description =
                    "After how long a finding is checked again, because it may be a write in flight. By default 10.")
    private int settle;

    @Option(
            names = "--grace",
            paramLabel = "<seconds>",
            defaultValue = "900",
            description =
                    "The same for parts of a large write. By default 900; less is safe only while nothing" + " writes.")
    private int grace;

    @Option(
            names = "--parallel",
            paramLabel = "<n>",
            defaultValue = "8",
            description = "How many persistence ids are examined at a time. By default 8.")
    private int parallel;

    @Mixin
    private final OffsetsOptions.Names offsets = new OffsetsOptions.Names();

    @Mixin
    private final ChangeOptions change = new ChangeOptions();

    @Mixin
    private final LongRunOptions longRun = new LongRunOptions();

    @Mixin
    private final StoresOptions stores = new StoresOptions();

    @Mixin
    private final OutputOptions output = new OutputOptions();

    private final Console console;

    DoctorCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() {
        if (settle < 0 || grace < 0 || parallel < 1) {
            throw new UsageException("--settle and --grace require 0 or more seconds, --parallel 1 or more");
        }
        if (repair) {
            change.requireAnswer(console);
        }
        StoreSettings settings = stores.settings();
        StoreName name = StoreName.of(settings, kinds);
        Map<String, String> identity = new HashMap<>(Map.of("command", "doctor", "store", name.toString()));
        if (!selection.isEmpty()) {
            identity.putAll(selection.identity());
        }
        try (LongRun run = longRun.start(console, "examinations", identity);
                DoctorStores open = new DoctorStores(
                        settings,
                        offsets.isGiven() ? stores.offsets(offsets) : null,
                        kinds,
                        selection,
                        run.listener())) {
            DoctorFindings findings = new DoctorFindings();
            open.logs().ifPresent(logs -> run.total(logs - run.checkpoint().countDone()));
            long failed = examine(run, open, findings);
            if (!findings.isEmpty()) {
                console.say(findings.summary());
            }
            int repaired = repair && !run.isStopped() ? repair(run, findings) : 0;
            if (run.isStopped()) {
                return ExitCode.STOPPED;
            }
            if (failed > 0) {
                console.say(failed + " could not be examined.");
                return ExitCode.FAILED;
            }
            return repaired < 0
                    ? ExitCode.NOT_CONFIRMED
                    : findings.count() > repaired ? ExitCode.DIFFERENT : ExitCode.OK;
        }
    }

    /** Returns how many failed. */
    private long examine(LongRun run, DoctorStores open, DoctorFindings findings) {
        try (Output out = output.open(console)) {
            Consumer<Finding> found = finding -> {
                findings.add(finding);
                print(out, finding);
            };
            Diagnosis diagnosis = new Diagnosis(
                    run, parallel, Duration.ofSeconds(settle), Duration.ofSeconds(grace), found, console::say);
            open.examine(diagnosis, found);
            return diagnosis.failed();
        }
    }

    private static void print(Output out, Finding finding) {
        @Nullable Repair repair = finding.repair();
        out.line(Output.values(
                "finding", finding.kind().title(),
                "persistenceId", finding.persistenceId(),
                "seqNr", finding.seqNr(),
                "detail", finding.detail(),
                "meaning", finding.kind().meaning(),
                "advice", finding.kind().advice(),
                "repair", repair == null ? "" : repair.plan()));
    }

    /** Returns how many were repaired; -1 if it was not confirmed. */
    private int repair(LongRun run, DoctorFindings findings) {
        if (findings.repairs().isEmpty()) {
            console.say("Nothing can be repaired safely.");
            return 0;
        }
        return switch (change.decide(console, findings.plan())) {
            case SHOW_ONLY -> 0;
            case NOT_CONFIRMED -> -1;
            case CHANGE -> {
                int repaired = 0;
                for (Repair each : findings.repairs()) {
                    run.pace();
                    Stores.await(each.action().get());
                    repaired++;
                }
                console.say(repaired + " repaired. Run the doctor again to see that nothing is left.");
                yield repaired;
            }
        };
    }
}
