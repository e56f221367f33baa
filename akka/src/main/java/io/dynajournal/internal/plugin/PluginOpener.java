package io.dynajournal.internal.plugin;

import akka.actor.ExtendedActorSystem;
import akka.dispatch.Dispatchers;
import akka.event.LoggingAdapter;
import com.typesafe.config.Config;
import io.dynajournal.exception.SettingsException;
import io.dynajournal.exception.StoreException;
import io.dynajournal.internal.dynamo.Dynamo;
import io.dynajournal.internal.dynamo.TableAdmin;
import io.dynajournal.internal.dynamo.TableSpec;
import io.dynajournal.internal.layout.JournalLayout;
import io.dynajournal.internal.layout.Permissions;
import io.dynajournal.internal.layout.SnapshotLayout;
import io.dynajournal.internal.layout.StateLayout;
import io.dynajournal.internal.settings.ClientConfig;
import io.dynajournal.internal.settings.JournalConfig;
import io.dynajournal.internal.settings.ProjectionConfig;
import io.dynajournal.internal.settings.SnapshotConfig;
import io.dynajournal.internal.settings.StateConfig;
import io.dynajournal.internal.store.EventJournal;
import io.dynajournal.internal.store.PerIdQueue;
import io.dynajournal.internal.store.Stages;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Opens journals, snapshot stores and state stores: reads the settings, creates the client, prepares the table. Logs one
 * line per plugin: how it was started, or why it cannot start. Thread-safe.
 */
final class PluginOpener {

    private final ExtendedActorSystem system;
    private final LoggingAdapter log;
    private final SharedClients clients;
    private final PluginBlocks blocks;
    private final Executor blocking;
    private final Set<String> reported = ConcurrentHashMap.newKeySet();
    private final ConcurrentHashMap<String, String> lastFailures = new ConcurrentHashMap<>();
    private final ConcurrentHashMap<String, TableInUse> tables = new ConcurrentHashMap<>();

    /** Identifies this actor system in the errors of other writers of the same entity. */
    private final String writer = UUID.randomUUID().toString();

    PluginOpener(ExtendedActorSystem system, LoggingAdapter log, SharedClients clients, PluginBlocks blocks) {
        this.system = system;
        this.log = log;
        this.clients = clients;
        this.blocks = blocks;
        this.blocking = system.dispatchers().lookup(Dispatchers.DefaultBlockingDispatcherId());
    }

    CompletionStage<OpenedJournal> journal(Config config, String path) {
        return logged(path, () -> {
            JournalConfig journal = JournalConfig.of(blocks.journal(config, path));
            warn(path, journal.warnings());
            Executor replays = dispatcher(path + ".replay-dispatcher", journal.replayDispatcher());
            Executor plugin = dispatcher(path + ".plugin-dispatcher", config.getString("plugin-dispatcher"));
            return withClient(
                    journal.client(),
                    client -> client.layout(journal.layouts(), JournalLayout::table)
                            .thenCompose(layout -> client.prepare(layout.table(), layout.required(), journal.tables())
                                    .thenCompose(ready -> checkTimeToLive(
                                            client,
                                            layout.table(),
                                            layout.usesTimeToLive()
                                                    && journal.tables().check()))
                                    .thenApply(ready -> {
                                        inUse(path, client, layout.table(), layout.permissions());
                                        started(path, layout, layout.table().name(), client);
                                        return new OpenedJournal(
                                                new EventJournal(
                                                        layout.open(client.dynamo()), journal.caches(), plugin),
                                                replays,
                                                new OpenedReads(
                                                        layout.open(client.queries()),
                                                        layout.slices(client.queries()),
                                                        layout.tagged(client.queries()),
                                                        layout.tagsInPayloads(),
                                                        layout.ids(client.queries()),
                                                        layout.table().name()));
                                    })));
        });
    }

    CompletionStage<OpenedSnapshots> snapshots(Config config, String path) {
        return logged(path, () -> {
            SnapshotConfig snapshots = SnapshotConfig.of(blocks.snapshots(config, path));
            warn(path, snapshots.warnings());
            SnapshotLayout layout = snapshots.layout();
            return withClient(
                    snapshots.client(),
                    client -> client.prepare(layout.table(), layout.required(), snapshots.tables())
                            .thenCompose(ready -> checkTimeToLive(
                                    client,
                                    layout.table(),
                                    layout.usesTimeToLive()
                                            && snapshots.tables().check()))
                            .thenApply(ready -> {
                                inUse(path, client, layout.table(), layout.permissions());
                                started(path, layout, layout.table().name(), client);
                                return new OpenedSnapshots(
                                        layout.open(client.dynamo()),
                                        layout.slices(client.queries()),
                                        layout.table().name());
                            }));
        });
    }

    CompletionStage<OpenedStates> states(Config config, String path) {
        return logged(path, () -> {
            StateConfig states = StateConfig.of(blocks.states(config, path));
            warn(path, states.warnings());
            String id = states.dispatcher();
            Executor executor =
                    dispatcher(path + ".plugin-dispatcher", id == null ? Dispatchers.DefaultDispatcherId() : id);
            ColumnsByEntityType columns = ColumnsByEntityType.of(
                    path + ".columns", states.columns(), system.dynamicAccess().classLoader());
            return withClient(
                    states.client(),
                    client -> client.layout(states.layout().variants(), StateLayout::table)
                            .thenCompose(layout -> prepare(client, layout, states)
                                    .thenApply(ready -> {
                                        if (layout.isOneTable()) {
                                            inUse(path, client, layout.table(), layout.permissions());
                                        }
                                        started(path, layout, layout.table().name(), client);
                                        return new OpenedStates(
                                                layout.table().name(),
                                                layout.open(client.dynamo(), writer),
                                                layout.changes(client.queries()),
                                                states.reads(),
                                                columns,
                                                new PerIdQueue<>(executor),
                                                executor);
                                    })));
        });
    }

    CompletionStage<Dynamo> offsets(String path) {
        return logged(path, () -> {
            ProjectionConfig offsets = ProjectionConfig.of(blocks.root(), path);
            return withClient(
                    offsets.client(),
                    client -> client.prepare(offsets.table(), offsets.table(), offsets.tables())
                            .thenApply(ready -> {
                                tables.put(path, new TableInUse(client, offsets.table(), true));
                                lastFailures.remove(path);
                                log.info(
                                        "{} started: table {}, {}",
                                        path,
                                        offsets.table().name(),
                                        client.target());
                                return client.dynamo();
                            }));
        });
    }

    /** The table of a plugin; null unless the plugin has started and has no other. */
    @Nullable
    TableInUse table(String path) {
        return tables.get(path);
    }

    private void inUse(String path, OpenClient client, TableSpec table, Permissions permissions) {
        Set<String> actions = permissions.writer().byIndex().getOrDefault("", Set.of());
        tables.put(path, new TableInUse(client, table, actions.contains("Query")));
    }

    /** A table without time to live works, so that this is a warning. */
    private CompletionStage<Void> checkTimeToLive(OpenClient client, TableSpec table, boolean used) {
        return !used
                ? CompletableFuture.completedFuture(null)
                : client.removesExpiredItems(table).thenAccept(enabled -> {
                    if (!enabled) {
                        log.warning(TableAdmin.timeToLiveIsOff(table));
                    }
                });
    }

    private static CompletionStage<Void> prepare(OpenClient client, StateLayout layout, StateConfig states) {
        return layout.isOneTable()
                ? client.prepare(layout.table(), layout.table(), states.tables())
                : CompletableFuture.completedFuture(null);
    }

    /** Creates the client and opens the store, retrying within the call timeout while DynamoDB cannot be reached. */
    private <T> CompletionStage<T> withClient(ClientConfig config, Function<OpenClient, CompletionStage<T>> open) {
        OpenClient client;
        try {
            client = clients.get(config);
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(StartFailures.explained(
                    config, "", "The AWS client " + config.path() + " could not be created", e));
        }
        long deadline = System.nanoTime() + config.retry().callTimeout().toNanos();
        CompletableFuture<T> result = new CompletableFuture<>();
        attempt(config.retry().baseDelay(), config.retry().maxDelay(), deadline, () -> open.apply(client), result);
        return result;
    }

    private <T> void attempt(
            Duration delay,
            Duration maxDelay,
            long deadline,
            Supplier<CompletionStage<T>> open,
            CompletableFuture<T> result) {
        open.get().whenComplete((store, failure) -> {
            if (failure == null) {
                result.complete(store);
            } else if (Stages.unwrap(failure) instanceof StoreException.Unavailable
                    && System.nanoTime() + delay.toNanos() < deadline) {
                Duration next = delay.multipliedBy(2).compareTo(maxDelay) > 0 ? maxDelay : delay.multipliedBy(2);
                try {
                    system.scheduler()
                            .scheduleOnce(
                                    delay, () -> attempt(next, maxDelay, deadline, open, result), system.dispatcher());
                } catch (RuntimeException terminated) {
                    result.completeExceptionally(failure);
                }
            } else {
                result.completeExceptionally(failure);
            }
        });
    }

    private Executor dispatcher(String key, String id) {
        if (!system.dispatchers().hasDispatcher(id)) {
            throw SettingsException.of(key, "\"" + id + "\"", "the path of a dispatcher");
        }
        return system.dispatchers().lookup(id);
    }

    /** Reports each warning once, in one line per plugin. */
    void warn(String path, List<String> warnings) {
        List<String> unreported = warnings.stream().filter(reported::add).toList();
        if (!unreported.isEmpty()) {
            log.warning(
                    "{}: these settings have no effect here, or another one. See docs/adopting.md. {}",
                    path,
                    String.join("; ", unreported));
        }
    }

    /** The package of a layout has the layout's name. */
    private void started(String path, Object layout, String table, OpenClient client) {
        String name = layout.getClass().getPackageName();
        lastFailures.remove(path);
        log.info(
                "{} started: layout {}, table {}, {}",
                path,
                name.substring(name.lastIndexOf('.') + 1),
                table,
                client.target() + ", HTTP client " + client.httpClient());
    }

    /**
     * Runs off the caller's thread, because creating a client may block. The same failure is logged once, and none that the end
     * of the actor system caused.
     */
    private <T> CompletionStage<T> logged(String path, Supplier<CompletionStage<T>> open) {
        return CompletableFuture.supplyAsync(open, blocking)
                .thenCompose(stage -> stage)
                .whenComplete((opened, failure) -> {
                    if (failure != null && !clients.areClosed()) {
                        String message = String.valueOf(Stages.unwrap(failure).getMessage());
                        if (!message.equals(lastFailures.put(path, message))) {
                            log.error("{} does not start: {}", path, message);
                        }
                    }
                });
    }
}
