package io.dynajournal.cli;

import io.dynajournal.cli.options.IdArgument;
import io.dynajournal.cli.options.OutputOptions;
import io.dynajournal.cli.options.PayloadOption;
import io.dynajournal.cli.options.StoreOptions;
import io.dynajournal.cli.store.OpenStore;
import io.dynajournal.cli.store.StoreKind;
import io.dynajournal.cli.store.Stores;
import io.dynajournal.cli.terminal.Console;
import io.dynajournal.cli.terminal.ExitCode;
import io.dynajournal.cli.terminal.Output;
import io.dynajournal.internal.layout.StateLayout;
import io.dynajournal.internal.model.Payload;
import io.dynajournal.internal.model.StoredState;
import io.dynajournal.listener.RequestListener;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** The durable state of a persistence id. */
@Command(
        name = "state",
        description =
                "Prints the durable state of a persistence id, also a deleted one as long as its tombstone is there;"
                        + " nothing if there was never one. --table is the table of durable states.",
        footer = {
            "",
            "examples:",
            "  dynajournal state 'Account|17'",
            "  dynajournal state --layout j5ik2o --table State --json 'Account|17'"
        })
final class StateCommand implements Callable<Integer> {

    @Mixin
    private final IdArgument id = new IdArgument();

    @Mixin
    private final PayloadOption payload = new PayloadOption();

    @Mixin
    private final OutputOptions output = new OutputOptions();

    @Mixin
    private final StoreOptions store = new StoreOptions();

    private final Console console;

    StateCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() {
        String persistenceId = id.id();
        try (Stores stores = new Stores(store.settings(StoreKind.STATES), RequestListener.NONE);
                Output out = output.open(console)) {
            OpenStore<StateLayout> states = stores.states();
            Stores.await(states.layout().open(states.dynamo(), "dynajournal").get(persistenceId))
                    .ifPresent(state -> out.line(values(state)));
        }
        return ExitCode.OK;
    }

    private Map<String, Object> values(StoredState state) {
        Map<String, Object> values =
                Output.values("persistenceId", state.persistenceId(), "revision", state.revision());
        if (state.timestampMicros() > 0) {
            values.put("timestamp", state.timestampMicros() / 1000);
        }
        values.put("writer", state.writer());
        values.put("tag", state.tag());
        Payload stored = state.payload();
        if (stored == null) {
            values.put("deleted", true);
        } else {
            values.put("serializerId", stored.serializerId());
            values.put("manifest", stored.manifest());
            payload.add(values, stored, output);
        }
        return values;
    }
}
