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
import io.dynajournal.internal.layout.SnapshotLayout;
import io.dynajournal.internal.model.SnapshotCriteria;
import io.dynajournal.internal.model.StoredSnapshot;
import io.dynajournal.internal.store.SnapshotTable;
import io.dynajournal.listener.RequestListener;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** The snapshots of a persistence id. */
@Command(
        name = "snapshots",
        description = "Prints the snapshots of a persistence id, oldest first. --table is the snapshot table.",
        footer = {
            "",
            "examples:",
            "  dynajournal snapshots 'ShoppingCart|cart-7'",
            "  dynajournal snapshots --config application.conf --plugin my-snapshots --json 'ShoppingCart|cart-7'"
        })
final class SnapshotsCommand implements Callable<Integer> {

    @Mixin
    private final IdArgument id = new IdArgument();

    @Mixin
    private final PayloadOption payloads = new PayloadOption();

    @Mixin
    private final OutputOptions output = new OutputOptions();

    @Mixin
    private final StoreOptions store = new StoreOptions();

    private final Console console;

    SnapshotsCommand(Console console) {
        this.console = console;
    }

    /** Finds the sequence numbers from the latest downwards, then loads one snapshot at a time: all may not fit into memory. */
    @Override
    public Integer call() {
        String persistenceId = id.id();
        try (Stores stores = new Stores(store.settings(StoreKind.SNAPSHOTS), RequestListener.NONE);
                Output out = output.open(console)) {
            OpenStore<SnapshotLayout> snapshots = stores.snapshots();
            SnapshotTable table = snapshots.layout().open(snapshots.dynamo());
            for (long seqNr : seqNrs(table, persistenceId)) {
                Stores.await(table.load(persistenceId, SnapshotCriteria.exactly(seqNr)))
                        .ifPresent(snapshot -> out.line(values(snapshot)));
            }
        }
        return ExitCode.OK;
    }

    private static Deque<Long> seqNrs(SnapshotTable table, String persistenceId) {
        Deque<Long> seqNrs = new ArrayDeque<>();
        Optional<StoredSnapshot> found = Stores.await(table.load(persistenceId, SnapshotCriteria.ALL));
        while (found.isPresent()) {
            long seqNr = found.get().seqNr();
            seqNrs.push(seqNr);
            found = seqNr == 0
                    ? Optional.empty()
                    : Stores.await(table.load(persistenceId, new SnapshotCriteria(0, seqNr - 1, 0, Long.MAX_VALUE)));
        }
        return seqNrs;
    }

    private Map<String, Object> values(StoredSnapshot snapshot) {
        Map<String, Object> values = Output.values(
                "seqNr", snapshot.seqNr(),
                "timestamp", snapshot.timestamp(),
                "serializerId", snapshot.payload().serializerId(),
                "manifest", snapshot.payload().manifest());
        payloads.add(values, snapshot.payload(), output);
        return values;
    }
}
