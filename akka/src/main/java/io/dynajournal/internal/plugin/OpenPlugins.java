package io.dynajournal.internal.plugin;

import akka.actor.AbstractExtensionId;
import akka.actor.ClassicActorSystemProvider;
import akka.actor.ExtendedActorSystem;
import akka.actor.Extension;
import akka.actor.ExtensionIdProvider;
import akka.event.Logging;
import akka.event.LoggingAdapter;
import com.typesafe.config.Config;
import io.dynajournal.DynajournalSetup;
import io.dynajournal.exception.SettingsException;
import io.dynajournal.health.PluginHealth;
import io.dynajournal.health.QueryHealth;
import io.dynajournal.internal.dynamo.Dynamo;
import io.dynajournal.internal.settings.CleanupConfig;
import io.dynajournal.internal.settings.ProjectionConfig;
import io.dynajournal.internal.settings.QueryConfig;
import io.dynajournal.internal.settings.RootBlock;
import io.dynajournal.internal.toolkit.EventTraces;
import io.dynajournal.listener.ProjectionListener;
import io.dynajournal.listener.QueryListener;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;

/**
 * What the plugins of one actor system share: the clients, and the journals, snapshot stores and state stores that were
 * opened. Each is opened at first use and shared by all users of the same path. Thread-safe.
 */
public final class OpenPlugins implements Extension {

    private static final class Id extends AbstractExtensionId<OpenPlugins> implements ExtensionIdProvider {
        static final Id INSTANCE = new Id();

        @Override
        public OpenPlugins createExtension(ExtendedActorSystem system) {
            return new OpenPlugins(system);
        }

        @Override
        public Id lookup() {
            return INSTANCE;
        }
    }

    private final ExtendedActorSystem system;
    private final LoggingAdapter log;
    private final DynajournalSetup setup;
    private final PluginBlocks blocks;
    private final SharedClients clients;
    private final PluginOpener opener;
    private final ConcurrentHashMap<String, PluginStartup<OpenedJournal>> journals = new ConcurrentHashMap<>();
    private final ConcurrentHashMap<String, PluginStartup<OpenedSnapshots>> snapshots = new ConcurrentHashMap<>();
    private final ConcurrentHashMap<String, PluginStartup<OpenedStates>> states = new ConcurrentHashMap<>();
    private final ConcurrentHashMap<String, PluginStartup<Dynamo>> offsets = new ConcurrentHashMap<>();
    private final ConcurrentHashMap<String, WriteNotifications> notifications = new ConcurrentHashMap<>();
    private final RejectedWrites rejectedWrites = new RejectedWrites();
    private final EventTraces traces;
    private final LatestProgress progress = new LatestProgress(InstantSource.system());

    private OpenPlugins(ExtendedActorSystem system) {
        this.system = system;
        this.log = Logging.getLogger(system, OpenPlugins.class);
        this.setup = system.settings().setup().get(DynajournalSetup.class).orElseGet(DynajournalSetup::create);
        this.traces = new EventTraces(setup.traceContexts());
        this.blocks = new PluginBlocks(system.settings().config());
        this.clients = new SharedClients(blocks.root(), setup.clients(), setup.listener());
        this.opener = new PluginOpener(system, log, clients, blocks);
        system.registerOnTermination((Runnable) clients::close);
    }

    public static OpenPlugins get(ClassicActorSystemProvider system) {
        return Id.INSTANCE.get(system);
    }

    /**
     * The client of a path such as {@code dynajournal.client}, created if no plugin has used it yet, which may block for
     * seconds. A predecessor's client has its plugin's path ({@code dynamodb-journal}; with 2.x that of its block {@code
     * client}) and exists once the plugin has started.
     *
     * @throws SettingsException if a setting is wrong
     */
    public DynamoDbAsyncClient client(String clientPath) {
        return clients.get(clientPath).client();
    }

    /**
     * The journal of a path, started at the first call.
     *
     * @param config the plugin's settings as the toolkit passes them, merged with its fallback
     */
    public PluginStartup<OpenedJournal> journal(Config config, String path) {
        return journals.computeIfAbsent(path, at -> starting(() -> opener.journal(config, at)));
    }

    /**
     * The journal of a path, for queries, which may start before the journal itself.
     *
     * @throws SettingsException if there is no such plugin
     */
    public PluginStartup<OpenedJournal> journal(String path) {
        return journal(journalSettings(path), path);
    }

    /**
     * The settings of a journal as the toolkit passes them.
     *
     * @throws SettingsException if there is no such plugin
     */
    public Config journalSettings(String path) {
        return blocks.journalSettings(path);
    }

    /**
     * The snapshot store of a path, started at the first call.
     *
     * @param config the plugin's settings as the toolkit passes them, merged with its fallback
     */
    public PluginStartup<OpenedSnapshots> snapshots(Config config, String path) {
        return snapshots.computeIfAbsent(path, at -> starting(() -> opener.snapshots(config, at)));
    }

    /**
     * The snapshot store of a path, for queries.
     *
     * @throws SettingsException if there is no such plugin
     */
    public PluginStartup<OpenedSnapshots> snapshots(String path) {
        return snapshots(blocks.snapshotSettings(path), path);
    }

    /**
     * The durable state store of a path, started at the first call.
     *
     * @param config the plugin's settings as the toolkit passes them
     */
    public PluginStartup<OpenedStates> states(Config config, String path) {
        return states.computeIfAbsent(path, at -> starting(() -> opener.states(config, at)));
    }

    /**
     * The durable state store of a path, for clean-ups.
     *
     * @throws SettingsException if there is no such plugin
     */
    public PluginStartup<OpenedStates> states(String path) {
        return states(blocks.stateSettings(path), path);
    }

    /**
     * The settings of a clean-up.
     *
     * @throws SettingsException if a setting is wrong, or there is no such block
     */
    public CleanupConfig cleanup(String path) {
        CleanupConfig cleanup = CleanupConfig.of(blocks.cleanup(path));
        opener.warn(path, cleanup.warnings());
        return cleanup;
    }

    /**
     * The client of the offset table of projections of a path, once the table is ready; started at the first call.
     */
    public PluginStartup<Dynamo> offsets(String path) {
        return offsets.computeIfAbsent(path, at -> starting(() -> opener.offsets(at)));
    }

    /**
     * The settings of a projection.
     *
     * @throws SettingsException if a setting is wrong, or there is no such block
     */
    public ProjectionConfig projection(String path, String projectionName) {
        return ProjectionConfig.of(blocks.root(), path, projectionName);
    }

    private <T> PluginStartup<T> starting(Supplier<CompletionStage<T>> start) {
        return new PluginStartup<>(start, System::nanoTime);
    }

    /**
     * The settings of a read journal.
     *
     * @param config as the toolkit passes them
     * @throws SettingsException if a setting is wrong
     */
    public QueryConfig queries(Config config, String path) {
        QueryConfig queries = QueryConfig.of(blocks.queries(config, path));
        opener.warn(path, queries.warnings());
        return queries;
    }

    /** The application's listener of queries. */
    public QueryListener queryListener() {
        return setup.queryListener();
    }

    /** The application's listener of projections. */
    public ProjectionListener projectionListener() {
        return setup.projectionListener();
    }

    /** Receives what queries and projections report, beside the application's listeners. */
    public LatestProgress latestProgress() {
        return progress;
    }

    /** The latest report of each query of the last minutes. */
    public List<QueryHealth> queryHealth() {
        return progress.queries();
    }

    /** The latest status of each projection that was started here. */
    public List<ProjectionListener.Status> projectionStatus() {
        return progress.projections();
    }

    /** The application's trace contexts. */
    public EventTraces traces() {
        return traces;
    }

    /** The notifications of writes through a journal or a durable state store. */
    public WriteNotifications notifications(String pluginPath) {
        return notifications.computeIfAbsent(pluginPath, at -> new WriteNotifications(heard -> otherNodes(at, heard)));
    }

    /** The rejected writes of all journals. */
    public RejectedWrites rejectedWrites() {
        return rejectedWrites;
    }

    /** Connects to the other nodes of a cluster, if there is one. */
    private Consumer<String> otherNodes(String pluginPath, Consumer<String> heard) {
        Consumer<String> none = persistenceId -> {};
        // The class has this name in both toolkits.
        boolean clustered = system.provider().getClass().getSimpleName().equals("ClusterActorRefProvider");
        if (!clustered || !RootBlock.pushesToCluster(blocks.root())) {
            return none;
        }
        try {
            return ClusterNotifications.start(system, pluginPath, heard);
        } catch (NoClassDefFoundError e) {
            log.info(
                    "Writes through {} wake queries on the same node only. Add the toolkit's cluster-tools to wake those of"
                            + " the other nodes too, or set dynajournal.push.cluster = off",
                    pluginPath);
            return none;
        }
    }

    /** The table of a plugin, for its administration. */
    public PluginTable table(String pluginId) {
        return PluginTable.of(system, blocks, clients, pluginId);
    }

    /** Lets a plugin that failed for lack of its table start again immediately. */
    public void tableCreated(String pluginId) {
        startups(pluginId).forEach(PluginStartup::retryNow);
    }

    /** Lets a plugin forget what it knows of its table, which was deleted and created again. */
    public void tableRecreated(String pluginId) {
        startups(pluginId).forEach(PluginStartup::restart);
    }

    private Stream<PluginStartup<?>> startups(String path) {
        return startups().flatMap(all -> Stream.ofNullable(all.get(path)));
    }

    private Stream<ConcurrentHashMap<String, ? extends PluginStartup<?>>> startups() {
        return Stream.of(journals, snapshots, states, offsets);
    }

    /** The health of each plugin that was used, by its path. The stage does not fail. */
    public CompletionStage<List<PluginHealth>> health() {
        List<CompletableFuture<PluginHealth>> checks = new ArrayList<>();
        startups()
                .forEach(all -> all.forEach((path, startup) -> checks.add(
                        new PluginCheck(path, startup, opener::table).run().toCompletableFuture())));
        return CompletableFuture.allOf(checks.toArray(CompletableFuture<?>[]::new))
                .thenApply(done -> checks.stream()
                        .map(CompletableFuture::join)
                        .sorted(Comparator.comparing(PluginHealth::plugin))
                        .toList());
    }
}
