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
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/** The stores that a command works on, opened when they are first asked for. Close it. Not thread-safe; what it opens is. */
public final class Stores implements AutoCloseable {

    private final StoreSettings settings;
    private final RequestListener listener;
    private final boolean checkKeys;
    private final Map<ClientSettings, AwsClient> clients = new HashMap<>();
    private final Set<String> checked = new HashSet<>();

    /**
     * Stores whose tables have the key of their layout: in a table of another layout a command would find nothing and call it sound.
     */
    public Stores(StoreSettings settings, RequestListener listener) {
        this(settings, listener, true);
    }

    private Stores(StoreSettings settings, RequestListener listener, boolean checkKeys) {
        this.settings = settings;
        this.listener = listener;
        this.checkKeys = checkKeys;
    }

    /** Stores whose tables may be anything, for commands that compare or create them. */
    public static Stores ofAnyTables(StoreSettings settings) {
        return new Stores(settings, RequestListener.NONE, false);
    }

    /**
     * The journal.
     *
     * @throws UsageException if its table has the key of another layout
     */
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
        List<TableSpec> specs = layouts.stream().map(table).toList();
        TableSpec found =
                specs.size() == 1 ? specs.get(0) : await(dynamo.tables().withExistingKey(specs));
        if (checkKeys && checked.add(found.name() + " at " + client.endpoint())) {
            await(dynamo.tables().keyDifference(found)).ifPresent(difference -> {
                throw new UsageException("table " + found.name() + " at " + client.endpoint() + " is not of "
                        + settings.described() + ": " + difference + "; name its own layout with --layout");
            });
        }
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
