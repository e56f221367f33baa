package io.dynajournal.cli;

import io.dynajournal.cli.cost.CostPage;
import io.dynajournal.cli.cost.CostReport;
import io.dynajournal.cli.cost.Estimate;
import io.dynajournal.cli.cost.Estimator;
import io.dynajournal.cli.cost.LayoutChoice;
import io.dynajournal.cli.cost.Prices;
import io.dynajournal.cli.cost.RunningSystem;
import io.dynajournal.cli.cost.Workload;
import io.dynajournal.cli.options.OutputOptions;
import io.dynajournal.cli.options.RunningSystemOptions;
import io.dynajournal.cli.options.StoreOptions;
import io.dynajournal.cli.options.WorkloadOptions;
import io.dynajournal.cli.store.StoreKind;
import io.dynajournal.cli.store.Stores;
import io.dynajournal.cli.terminal.Console;
import io.dynajournal.cli.terminal.ExitCode;
import io.dynajournal.cli.terminal.Output;
import io.dynajournal.cli.terminal.UsageException;
import io.dynajournal.listener.RequestListener;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What a workload costs per month, on each layout. */
@Command(
        name = "cost",
        description =
                "Estimates what a workload takes in write units, read units and storage, and what a month costs, for"
                        + " several layouts side by side. The units are counted: events of the given size go through the layouts' own"
                        + " code. Prices are those of one region, from a file that you can change; check them.",
        footer = {
            "",
            "examples:",
            "  dynajournal cost --events-per-second 200 --event-size 400 --batch 3 --entities 100000",
            "  dynajournal cost --workload shop.conf --projections 2 --retention 30d --html cost.html",
            "  dynajournal cost --workload shop.conf --layouts commits,akka1 --billing provisioned --json",
            "  dynajournal cost --print-prices > prices.json",
            "  dynajournal cost --workload shop.conf --prices prices.json --table-class infrequent-access",
            "  dynajournal cost --measure --config application.conf --plugin my-journal --projections 2"
        })
final class CostCommand implements Callable<Integer> {

    @Mixin
    private final WorkloadOptions workload = new WorkloadOptions();

    @Option(
            names = "--layouts",
            paramLabel = "<names>",
            description =
                    "The layouts, with commas between them: commits, commits-no-index, akka2, akka1, j5ik2o, sclasen."
                            + " By default all.")
    private @Nullable String layouts;

    @Option(
            names = "--billing",
            paramLabel = "<mode>",
            converter = ModeConverters.BillingMode.class,
            description = "on-demand (default) or provisioned.")
    private Prices.Billing billing = Prices.Billing.ON_DEMAND;

    @Option(
            names = "--table-class",
            paramLabel = "<name>",
            converter = ModeConverters.ClassName.class,
            description = "standard (default) or infrequent-access.")
    private Prices.TableClass tableClass = Prices.TableClass.STANDARD;

    @Option(names = "--prices", paramLabel = "<file>", description = "Prices as --print-prices prints them.")
    private @Nullable Path prices;

    @Option(names = "--html", paramLabel = "<file>", description = "Write the estimate as a page with charts, too.")
    private @Nullable Path html;

    @Option(names = "--print-prices", description = "Print the prices that come with the command, and nothing else.")
    private boolean printPrices;

    @Option(names = "--print-workload", description = "Print a workload with all keys, and nothing else.")
    private boolean printWorkload;

    @Mixin
    private final RunningSystemOptions running = new RunningSystemOptions();

    @Mixin
    private final OutputOptions output = new OutputOptions();

    @Mixin
    private final StoreOptions store = new StoreOptions();

    private final Console console;

    CostCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() {
        if (printPrices || printWorkload) {
            console.out().print(printPrices ? Prices.defaultsText() : Workload.defaultsText());
            return ExitCode.OK;
        }
        List<LayoutChoice> chosen =
                new ArrayList<>(layouts == null ? LayoutChoice.all() : LayoutChoice.named(LayoutChoice.split(layouts)));
        RunningSystem system = measured();
        if (system != null) {
            chosen.removeIf(choice -> choice.name().equals(system.layout().name()));
            chosen.add(0, system.layout());
        }
        Workload described = workload.workload(system == null ? Map.of() : system.values());
        Prices priced = Prices.of(prices, billing, tableClass, described.utilization());
        List<Estimate> estimates = chosen.stream()
                .map(choice -> Estimator.estimate(described, choice))
                .toList();
        CostReport report =
                new CostReport(described, priced, estimates, system == null ? List.of() : system.findings());
        print(report);
        if (html != null) {
            write(html, CostPage.of(report));
        }
        return ExitCode.OK;
    }

    private @Nullable RunningSystem measured() {
        if (!running.isWanted()) {
            if (store.isGiven() || running.isGiven()) {
                throw new UsageException("a table or its figures are given without --measure");
            }
            return null;
        }
        int sample = running.sample();
        RunningSystem.Consumed consumed = running.consumed();
        try (Stores stores = new Stores(store.settings(StoreKind.JOURNAL), RequestListener.NONE)) {
            return RunningSystem.measure(stores.journal(), sample, consumed);
        }
    }

    private void print(CostReport report) {
        try (Output out = output.open(console)) {
            report.estimates().forEach(estimate -> out.line(report.values(estimate, output.isJson())));
        }
        report.remarks().forEach(console::say);
    }

    private static void write(Path file, String page) {
        try {
            Files.writeString(file, page);
        } catch (IOException e) {
            throw new UncheckedIOException("the page could not be written to " + file + ": " + e.getMessage(), e);
        }
    }
}
