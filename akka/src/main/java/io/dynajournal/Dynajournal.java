package io.dynajournal;

import akka.actor.AbstractExtensionId;
import akka.actor.ClassicActorSystemProvider;
import akka.actor.ExtendedActorSystem;
import akka.actor.Extension;
import akka.actor.ExtensionIdProvider;
import akka.dispatch.Dispatchers;
import akka.event.Logging;
import akka.event.LoggingAdapter;
import akka.persistence.Persistence;
import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigUtil;
import io.dynajournal.layout.JournalLayout;
import io.dynajournal.layout.SnapshotLayout;
import io.dynajournal.layout.StateLayout;
import io.dynajournal.settings.ClientConfig;
import io.dynajournal.settings.JournalConfig;
import io.dynajournal.settings.PluginBlock;
import io.dynajournal.settings.QueryConfig;
import io.dynajournal.settings.Remark;
import io.dynajournal.settings.RootBlock;
import io.dynajournal.settings.SettingsException;
import io.dynajournal.settings.SnapshotConfig;
import io.dynajournal.settings.StateConfig;
import io.dynajournal.store.EventJournal;
import io.dynajournal.toolkit.Stages;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;

/**
 * What the plugins of one actor system share: a client per client configuration, and the journals and snapshot tables that
 * are open. Clients are closed when the actor system has terminated, except those the application gave. Thread-safe.
 */
public final class Dynajournal implements Extension {

    private static final class Id extends AbstractExtensionId<Dynajournal> implements ExtensionIdProvider {
        static final Id INSTANCE = new Id();

        @Override
        public Dynajournal createExtension(ExtendedActorSystem system) {
            return new Dynajournal(system);
        }

        @Override
        public Id lookup() {
            return INSTANCE;
        }
    }

    private final ExtendedActorSystem system;
    private final LoggingAdapter log;
    private final DynajournalSetup setup;
    private final Executor blocking;
    private volatile boolean terminated;
    private final Set<Remark> told = ConcurrentHashMap.newKeySet();
    private final ConcurrentHashMap<String, OpenClient> clients = new ConcurrentHashMap<>();
    private final ConcurrentHashMap<String, Gate<OpenedJournal>> journals = new ConcurrentHashMap<>();
    private final ConcurrentHashMap<String, WriteNews> news = new ConcurrentHashMap<>();
    private final ConcurrentHashMap<String, Gate<OpenedSnapshots>> snapshots = new ConcurrentHashMap<>();
    private final ConcurrentHashMap<String, Gate<OpenedStates>> states = new ConcurrentHashMap<>();

    /** Names this actor system in the errors of those who lose against it. */
    private final String writer = UUID.randomUUID().toString();

    private Dynajournal(ExtendedActorSystem system) {
        this.system = system;
        this.log = Logging.getLogger(system, Dynajournal.class);
        this.setup = system.settings().setup().get(DynajournalSetup.class).orElseGet(DynajournalSetup::create);
        this.blocking = system.dispatchers().lookup(Dispatchers.DefaultBlockingDispatcherId());
        system.registerOnTermination((Runnable) this::closeClients);
    }

    public static Dynajournal get(ClassicActorSystemProvider system) {
        return Id.INSTANCE.get(system);
    }

    /**
     * The client of a configuration such as {@code dynajournal.client}, made if no plugin has used it yet, which may take
     * seconds. A predecessor's client has its plugin's path ({@code dynamodb-journal}), with 2.x that of its block {@code
     * client}, and is there once the plugin is.
     *
     * @throws SettingsException if the configuration is wrong
     */
    public DynamoDbAsyncClient client(String clientPath) {
        OpenClient open = clients.get(clientPath);
        return (open == null ? openClient(ClientConfig.of(settings(), clientPath)) : open).client();
    }

    OpenClient openClient(ClientConfig config) {
        OpenClient client = clients.computeIfAbsent(
                config.path(), path -> OpenClient.open(config, setup.clients().get(path), setup.listener()));
        if (terminated) {
            closeClients(); // it came too late for the one who closed them all
        }
        return client;
    }

    private void closeClients() {
        terminated = true;
        clients.values().forEach(OpenClient::close);
    }

    /**
     * The journal of a plugin configuration; opened at the first call, and the same for all later ones.
     *
     * @param config the plugin's settings as the toolkit hands them over, with its fallback behind them
     */
    public Gate<OpenedJournal> journal(Config config, String path) {
        return journals.computeIfAbsent(path, at -> new Gate<>(() -> opening(at, () -> openJournal(config, at))));
    }

    /**
     * The journal of a plugin configuration, for queries, which may come before the journal itself.
     *
     * @throws SettingsException if there is no such plugin
     */
    public Gate<OpenedJournal> journal(String path) {
        return journal(journalSettings(path), path);
    }

    /**
     * The settings of a journal, as the toolkit hands them over.
     *
     * @throws SettingsException if there is no such plugin
     */
    public Config journalSettings(String path) {
        return pluginSettings(path, "a journal", Persistence.JournalFallbackConfigPath());
    }

    private Config pluginSettings(String path, String what, String fallbackPath) {
        if (!settings().hasPath(path + ".class")) {
            throw SettingsException.of(path + ".class", "nothing", "the class of " + what);
        }
        return settings().getConfig(path).withFallback(settings().getConfig(fallbackPath));
    }

    /**
     * The settings of a read journal.
     *
     * @param config as the toolkit hands them over
     * @throws SettingsException if something is wrong with them
     */
    public QueryConfig queries(Config config, String path) {
        QueryConfig queries =
                QueryConfig.of(new PluginBlock(settings(), config, path, ConfigFactory.empty(), toolkit()));
        tell(path, queries.remarks());
        return queries;
    }

    /** Who wants to know of writes through a journal or a durable state store. */
    public WriteNews news(String pluginPath) {
        return news.computeIfAbsent(pluginPath, at -> new WriteNews(heard -> otherNodes(at, heard)));
    }

    /** How the other nodes of a cluster are told of writes; to nobody without one. */
    private Consumer<String> otherNodes(String pluginPath, Consumer<String> heard) {
        Consumer<String> nobody = persistenceId -> {};
        // The toolkit's own name for it, whatever the toolkit.
        boolean clustered = system.provider().getClass().getSimpleName().equals("ClusterActorRefProvider");
        if (!clustered || !RootBlock.pushesToCluster(settings())) {
            return nobody;
        }
        try {
            return ClusterNews.start(system, pluginPath, heard);
        } catch (NoClassDefFoundError e) {
            log.info(
                    "Writes through {} wake queries on the same node only. Add the toolkit's cluster-tools to wake those"
                            + " of the other nodes too, or set dynajournal.push-to-cluster = off",
                    pluginPath);
            return nobody;
        }
    }

    /**
     * The snapshot table of a plugin configuration, for queries; see {@link #journal(String)}.
     *
     * @throws SettingsException if there is no such plugin
     */
    public Gate<OpenedSnapshots> snapshots(String path) {
        return snapshots(pluginSettings(path, "a snapshot store", Persistence.SnapshotStoreFallbackConfigPath()), path);
    }

    /** Who wants to know how far queries are. */
    public QueryListener queryListener() {
        return setup.queryListener();
    }

    /** The snapshot table of a plugin configuration; see {@link #journal}. */
    public Gate<OpenedSnapshots> snapshots(Config config, String path) {
        return snapshots.computeIfAbsent(path, at -> new Gate<>(() -> opening(at, () -> openSnapshots(config, at))));
    }

    /** The table of durable states of a plugin configuration; see {@link #journal}. */
    public Gate<OpenedStates> states(Config config, String path) {
        return states.computeIfAbsent(path, at -> new Gate<>(() -> opening(at, () -> openStates(config, at))));
    }

    /** Lets plugins that failed for want of their table look again. */
    void reopen(String path) {
        journals.computeIfPresent(path, (at, gate) -> {
            gate.reopen();
            return gate;
        });
        snapshots.computeIfPresent(path, (at, gate) -> {
            gate.reopen();
            return gate;
        });
        states.computeIfPresent(path, (at, gate) -> {
            gate.reopen();
            return gate;
        });
    }

    private CompletionStage<OpenedJournal> openJournal(Config config, String path) {
        JournalConfig journal = JournalConfig.of(journalBlock(config, path));
        OpenClient client = clientFor(journal.client());
        tell(path, journal.remarks());
        Executor replays = dispatcher(path + ".replay-dispatcher", journal.replayDispatcher());
        return client.layout(journal.layouts(), JournalLayout::table)
                .thenCompose(layout -> client.prepare(layout.table(), layout.required(), journal.tables())
                        .thenApply(ready -> new OpenedJournal(
                                new EventJournal(layout.open(client.dynamo()), journal.caches()),
                                replays,
                                new OpenedReads(
                                        layout.open(client.dynamo()),
                                        layout.slices(client.dynamo()),
                                        layout.tagged(client.dynamo()),
                                        layout.ids(client.dynamo()),
                                        layout.table().name()))));
    }

    private CompletionStage<OpenedSnapshots> openSnapshots(Config config, String path) {
        SnapshotConfig snapshot = SnapshotConfig.of(snapshotBlock(config, path));
        OpenClient client = clientFor(snapshot.client());
        tell(path, snapshot.remarks());
        SnapshotLayout layout = snapshot.layout();
        return client.prepare(layout.table(), layout.required(), snapshot.tables())
                .thenApply(ready -> new OpenedSnapshots(
                        layout.open(client.dynamo()),
                        layout.slices(client.dynamo()),
                        layout.table().name()));
    }

    private CompletionStage<OpenedStates> openStates(Config config, String path) {
        StateConfig state = StateConfig.of(stateBlock(config, path));
        OpenClient client = clientFor(state.client());
        tell(path, state.remarks());
        String id = state.dispatcher();
        Executor executor =
                dispatcher(path + ".plugin-dispatcher", id == null ? Dispatchers.DefaultDispatcherId() : id);
        StateColumns columns = state.columnsClass() == null ? StateColumns.NONE : columns(path, state.columnsClass());
        return client.layout(state.layout().variants(), StateLayout::table).thenCompose(layout -> {
            OpenedStates opened = new OpenedStates(
                    layout.table().name(),
                    layout.open(client.dynamo(), writer),
                    layout.changes(client.dynamo()),
                    state.reads(),
                    columns,
                    executor);
            return layout.isOneTable()
                    ? client.prepare(layout.table(), layout.table(), state.tables())
                            .thenApply(ready -> opened)
                    : CompletableFuture.completedFuture(opened);
        });
    }

    private StateColumns columns(String path, String name) {
        String key = path + ".columns-class";
        try {
            Class<?> found = Class.forName(name, true, system.dynamicAccess().classLoader());
            if (!StateColumns.class.isAssignableFrom(found)) {
                throw SettingsException.of(
                        key, "\"" + name + "\"", "a class that implements " + StateColumns.class.getName());
            }
            return (StateColumns) found.getConstructor().newInstance();
        } catch (ClassNotFoundException e) {
            throw SettingsException.of(key, "\"" + name + "\"", "a class on the class path");
        } catch (ReflectiveOperationException e) {
            throw SettingsException.of(
                    key, "\"" + name + "\"", "a public class whose public constructor without arguments works");
        }
    }

    private OpenClient clientFor(ClientConfig client) {
        RootBlock.check(settings());
        setup.clients().keySet().forEach(path -> ClientConfig.checkPath(settings(), path));
        return openClient(client);
    }

    /** Once each, and in one warning per plugin: what two plugins share is told by the first. */
    private void tell(String path, List<Remark> remarks) {
        List<Remark> fresh = remarks.stream().filter(told::add).toList();
        if (!fresh.isEmpty()) {
            log.warning(
                    "{}: these settings have no effect here, or another one. See docs/adopting.md. {}",
                    path,
                    fresh.stream().map(Remark::toString).collect(Collectors.joining("; ")));
        }
    }

    private Executor dispatcher(String key, String id) {
        if (!system.dispatchers().hasDispatcher(id)) {
            throw SettingsException.of(key, "\"" + id + "\"", "the path of a dispatcher");
        }
        return system.dispatchers().lookup(id);
    }

    /** Off the caller's thread, because making a client may block. */
    private <T> CompletionStage<T> opening(String path, Supplier<CompletionStage<T>> open) {
        return CompletableFuture.supplyAsync(open, blocking)
                .thenCompose(stage -> stage)
                .whenComplete((opened, failure) -> {
                    if (failure != null) {
                        log.error(
                                "{} does not start: {}",
                                path,
                                Stages.unwrap(failure).getMessage());
                    }
                });
    }

    PluginBlock journalBlock(Config config, String path) {
        return block(config, path, Persistence.JournalFallbackConfigPath());
    }

    PluginBlock snapshotBlock(Config config, String path) {
        return block(config, path, Persistence.SnapshotStoreFallbackConfigPath());
    }

    /** The toolkits have no settings of their own in the block of a durable state store. */
    PluginBlock stateBlock(Config config, String path) {
        String toolkit =
                ConfigUtil.splitPath(Persistence.JournalFallbackConfigPath()).get(0);
        return new PluginBlock(settings(), config, path, ConfigFactory.empty(), toolkit);
    }

    private PluginBlock block(Config config, String path, String fallbackPath) {
        return new PluginBlock(settings(), config, path, settings().getConfig(fallbackPath), toolkit());
    }

    /** The name that the toolkit's own settings begin with. */
    private static String toolkit() {
        return ConfigUtil.splitPath(Persistence.JournalFallbackConfigPath()).get(0);
    }

    Config settings() {
        return system.settings().config();
    }

    ExtendedActorSystem system() {
        return system;
    }
}
