package io.dynajournal.cli.store;

import io.dynajournal.cli.store.StoreSettings.Located;
import io.dynajournal.cli.terminal.UsageException;
import io.dynajournal.internal.dynamo.AwsClient;
import io.dynajournal.internal.dynamo.ClientSettings;
import io.dynajournal.internal.dynamo.Clients;
import io.dynajournal.internal.dynamo.Dynamo;
import io.dynajournal.internal.dynamo.TableSpec;
import io.dynajournal.internal.layout.JournalLayout;
import io.dynajournal.internal.layout.SnapshotLayout;
import io.dynajournal.internal.layout.StateLayout;
import io.dynajournal.listener.RequestListener;
import java.time.Clock;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/** The stores that a command works on, opened when they are first asked for. Close it. Not thread-safe; what it opens is. */
public final class Stores implements AutoCloseable {

    private final StoreSettings settings;
    private final RequestListener listener;
    private final Map<ClientSettings, AwsClient> clients = new HashMap<>();

    public Stores(StoreSettings settings, RequestListener listener) {
        this.settings = settings;
        this.listener = listener;
    }

    /** Sends a request only if the table decides between several layouts. */
    public OpenStore<JournalLayout> journal() {
        return open(settings.journal(), JournalLayout::table);
    }

    /**
     * The snapshot store.
     *
     * @throws UsageException if the layout has no snapshots
     */
    public OpenStore<SnapshotLayout> snapshots() {
        return open(
                settings.snapshots().orElseThrow(() -> new UsageException(settings.described() + " has no snapshots")),
                SnapshotLayout::table);
    }

    /**
     * The durable state store.
     *
     * @throws UsageException if the layout has none
     */
    public OpenStore<StateLayout> states() {
        return open(
                settings.states()
                        .orElseThrow(() -> new UsageException(settings.described() + " has no durable states")),
                StateLayout::table);
    }

    private <L> OpenStore<L> open(Located<L> located, Function<L, TableSpec> table) {
        AwsClient client = client(located.client());
        Dynamo dynamo = new Dynamo(client, located.retry(), listener, Clock.systemUTC());
        List<L> layouts = located.layouts();
        if (layouts.size() == 1) {
            return new OpenStore<>(layouts.get(0), dynamo, client.endpoint());
        }
        List<TableSpec> specs = layouts.stream().map(table).toList();
        TableSpec found = await(dynamo.tables().withExistingKey(specs));
        return new OpenStore<>(layouts.get(specs.indexOf(found)), dynamo, client.endpoint());
    }

    private AwsClient client(ClientSettings wanted) {
        try {
            return clients.computeIfAbsent(wanted, Clients::connect);
        } catch (IllegalArgumentException e) {
            throw new UsageException(String.valueOf(e.getMessage()));
        }
    }

    /** Waits for the result; a failure is thrown as {@link java.util.concurrent.CompletionException}. */
    public static <T> T await(CompletionStage<T> stage) {
        return stage.toCompletableFuture().join();
    }

    @Override
    public void close() {
        clients.values().forEach(AwsClient::close);
    }
}
