package io.dynajournal.cli;

import io.dynajournal.cli.options.OutputOptions;
import io.dynajournal.cli.options.StoreOptions;
import io.dynajournal.cli.store.IdPages;
import io.dynajournal.cli.store.OpenStore;
import io.dynajournal.cli.store.StoreKind;
import io.dynajournal.cli.store.Stores;
import io.dynajournal.cli.terminal.Console;
import io.dynajournal.cli.terminal.ExitCode;
import io.dynajournal.cli.terminal.Output;
import io.dynajournal.internal.layout.JournalLayout;
import io.dynajournal.internal.store.EventLog;
import io.dynajournal.listener.RequestListener;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** The persistence ids of a journal. */
@Command(
        name = "ids",
        description = "Prints all persistence ids that have a journal, in no particular order. The native layout has an"
                + " index for them; tables of the predecessors are scanned.",
        footer = {
            "",
            "examples:",
            "  dynajournal ids",
            "  dynajournal ids --entity-type ShoppingCart --active-since 2026-11-18T10:00:00Z",
            "  dynajournal ids --layout akka2 --table event_journal --json",
        })
final class IdsCommand implements Callable<Integer> {

    @Mixin
    private final IdFilter filter = new IdFilter();

    @Mixin
    private final OutputOptions output = new OutputOptions();

    @Mixin
    private final StoreOptions store = new StoreOptions();

    private final Console console;

    IdsCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() {
        try (Stores stores = new Stores(store.settings(StoreKind.JOURNAL), RequestListener.NONE);
                Output out = output.open(console)) {
            OpenStore<JournalLayout> journal = stores.journal();
            EventLog log = journal.layout().open(journal.dynamo());
            IdPages.of(journal.layout().ids(journal.dynamo())).forEachRemaining(id -> {
                if (filter.matches(id, log)) {
                    out.line(Output.values("persistenceId", id));
                }
            });
        }
        return ExitCode.OK;
    }
}
