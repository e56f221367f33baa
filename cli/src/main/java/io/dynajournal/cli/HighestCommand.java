package io.dynajournal.cli;

import io.dynajournal.cli.options.IdArgument;
import io.dynajournal.cli.options.OutputOptions;
import io.dynajournal.cli.options.StoreOptions;
import io.dynajournal.cli.store.OpenStore;
import io.dynajournal.cli.store.StoreKind;
import io.dynajournal.cli.store.Stores;
import io.dynajournal.cli.terminal.Console;
import io.dynajournal.cli.terminal.ExitCode;
import io.dynajournal.cli.terminal.Output;
import io.dynajournal.internal.layout.JournalLayout;
import io.dynajournal.listener.RequestListener;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Where the log of a persistence id ends. */
@Command(
        name = "highest",
        description = "Prints the highest sequence number of a persistence id; 0 if it is unknown.",
        footer = {
            "",
            "examples:",
            "  dynajournal highest 'ShoppingCart|cart-7'",
            "  dynajournal highest --config application.conf --json 'ShoppingCart|cart-7'"
        })
final class HighestCommand implements Callable<Integer> {

    @Mixin
    private final IdArgument id = new IdArgument();

    @Mixin
    private final StoreOptions store = new StoreOptions();

    @Mixin
    private final OutputOptions output = new OutputOptions();

    private final Console console;

    HighestCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() {
        String persistenceId = id.id();
        try (Stores stores = new Stores(store.settings(StoreKind.JOURNAL), RequestListener.NONE);
                Output out = output.open(console)) {
            OpenStore<JournalLayout> journal = stores.journal();
            long highest = Stores.await(journal.layout().open(journal.dynamo()).end(persistenceId))
                    .seqNr();
            out.line(Output.values("persistenceId", persistenceId, "highestSeqNr", highest));
        }
        return ExitCode.OK;
    }
}
