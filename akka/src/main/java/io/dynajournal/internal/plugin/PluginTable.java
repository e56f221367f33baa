package io.dynajournal.internal.plugin;

import akka.actor.ExtendedActorSystem;
import akka.persistence.snapshot.SnapshotStore;
import akka.persistence.state.DurableStateStoreProvider;
import com.typesafe.config.Config;
import io.dynajournal.exception.SettingsException;
import io.dynajournal.exception.StoreException;
import io.dynajournal.internal.dynamo.TableAdmin;
import io.dynajournal.internal.dynamo.TableSpec;
import io.dynajournal.internal.settings.ClientConfig;
import io.dynajournal.internal.settings.JournalConfig;
import io.dynajournal.internal.settings.ProjectionConfig;
import io.dynajournal.internal.settings.SnapshotConfig;
import io.dynajournal.internal.settings.StateConfig;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** The table of one plugin, by the plugin's settings, for its administration. */
public final class PluginTable {

    private static final String EXPECTED = "the class of a journal, a snapshot store or a durable state store";

    private final SharedClients clients;
    private final ClientConfig client;
    private final TableSpec table;
    private final TableSpec required;
    private final boolean usesTimeToLive;

    private PluginTable(
            SharedClients clients, ClientConfig client, TableSpec table, TableSpec required, boolean usesTimeToLive) {
        this.clients = clients;
        this.client = client;
        this.table = table;
        this.required = required;
        this.usesTimeToLive = usesTimeToLive;
    }

    /** @throws SettingsException if there is no such plugin, or a setting of it is wrong */
    static PluginTable of(ExtendedActorSystem system, PluginBlocks blocks, SharedClients clients, String pluginId) {
        if (ProjectionConfig.isBlock(blocks.root(), pluginId)) {
            ProjectionConfig offsets = ProjectionConfig.of(blocks.root(), pluginId);
            return new PluginTable(clients, offsets.client(), offsets.table(), offsets.table(), false);
        }
        Class<?> plugin = pluginClass(system, blocks.root(), pluginId);
        if (DurableStateStoreProvider.class.isAssignableFrom(plugin)) {
            StateConfig states = StateConfig.of(blocks.states(blocks.root().getConfig(pluginId), pluginId));
            TableSpec table = states.layout().table();
            return new PluginTable(clients, states.client(), table, table, false);
        }
        if (SnapshotStore.class.isAssignableFrom(plugin)) {
            SnapshotConfig snapshots = SnapshotConfig.of(blocks.snapshots(blocks.snapshotSettings(pluginId), pluginId));
            return new PluginTable(
                    clients,
                    snapshots.client(),
                    snapshots.layout().table(),
                    snapshots.layout().required(),
                    snapshots.layout().usesTimeToLive());
        }
        JournalConfig journal = JournalConfig.of(blocks.journal(blocks.journalSettings(pluginId), pluginId));
        return new PluginTable(
                clients,
                journal.client(),
                journal.table(),
                journal.layouts().get(0).required(),
                journal.layouts().get(0).usesTimeToLive());
    }

    private static Class<?> pluginClass(ExtendedActorSystem system, Config root, String pluginId) {
        String key = pluginId + ".class";
        if (!root.hasPath(key)) {
            throw SettingsException.of(key, "nothing", EXPECTED);
        }
        String name = root.getString(key);
        try {
            return Class.forName(name, false, system.dynamicAccess().classLoader());
        } catch (ClassNotFoundException e) {
            throw SettingsException.of(key, "\"" + name + "\"", EXPECTED);
        }
    }

    public String name() {
        return table.name();
    }

    /** The names of its global secondary indexes. */
    public List<String> indexes() {
        return table.indexes().stream().map(TableSpec.Index::name).toList();
    }

    /** The commands of the AWS command line that create it, with the endpoint and the region of the settings. */
    public String awsCommands() {
        return table.awsCommands(client.settings().awsOptions());
    }

    /** May block for seconds, while the client is created. */
    public CompletionStage<Void> create() {
        return clients.get(client).create(table);
    }

    /** May block for seconds, while the client is created. */
    public CompletionStage<Void> recreate() {
        return clients.get(client).recreate(table);
    }

    /** May block for seconds, while the client is created. */
    public CompletionStage<Void> verify() {
        OpenClient open = clients.get(client);
        return open.verify(required, table)
                .thenCompose(verified ->
                        usesTimeToLive ? open.removesExpiredItems(table) : CompletableFuture.completedFuture(true))
                .thenAccept(enabled -> {
                    if (!enabled) {
                        throw new StoreException.Refused(TableAdmin.timeToLiveIsOff(table), null);
                    }
                });
    }
}
