package io.dynajournal;

import akka.actor.ClassicActorSystemProvider;
import akka.persistence.Persistence;
import akka.persistence.snapshot.SnapshotStore;
import akka.persistence.state.DurableStateStoreProvider;
import com.typesafe.config.Config;
import io.dynajournal.dynamo.TableSpec;
import io.dynajournal.settings.ClientConfig;
import io.dynajournal.settings.JournalConfig;
import io.dynajournal.settings.SettingsException;
import io.dynajournal.settings.SnapshotConfig;
import io.dynajournal.settings.StateConfig;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Tables by plugin id, such as {@code dynajournal.journal}, for classic and typed actor systems. */
public final class Tables {

    private record Planned(TableSpec table, ClientConfig client) {}

    private Tables() {}

    /**
     * Creates the table of a plugin with its indexes, on demand, and waits until it is active. A table that is there stays
     * as it is, unless {@code deleteIfExists}: then all its items are gone.
     */
    public static CompletionStage<Void> create(
            ClassicActorSystemProvider system, String pluginId, boolean deleteIfExists) {
        try {
            Dynajournal dynajournal = Dynajournal.get(system);
            Planned planned = planned(dynajournal, pluginId);
            OpenClient client = dynajournal.openClient(planned.client());
            return (deleteIfExists ? client.recreate(planned.table()) : client.create(planned.table()))
                    .thenRun(() -> dynajournal.reopen(pluginId));
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /**
     * What the table of a plugin looks like; no request is made.
     *
     * @throws SettingsException if the plugin's settings are wrong
     */
    public static TableSpec describe(ClassicActorSystemProvider system, String pluginId) {
        return planned(Dynajournal.get(system), pluginId).table();
    }

    private static Planned planned(Dynajournal dynajournal, String pluginId) {
        Config settings = dynajournal.settings();
        if (!settings.hasPath(pluginId + ".class")) {
            throw SettingsException.of(
                    pluginId + ".class",
                    "nothing",
                    "the class of a journal, a snapshot store or a durable state store");
        }
        if (DurableStateStoreProvider.class.isAssignableFrom(pluginClass(dynajournal, pluginId))) {
            StateConfig plugin = StateConfig.of(dynajournal.stateBlock(settings.getConfig(pluginId), pluginId));
            return new Planned(plugin.layout().table(), plugin.client());
        }
        boolean snapshots = SnapshotStore.class.isAssignableFrom(pluginClass(dynajournal, pluginId));
        Config fallback = settings.getConfig(
                snapshots ? Persistence.SnapshotStoreFallbackConfigPath() : Persistence.JournalFallbackConfigPath());
        Config config = settings.getConfig(pluginId).withFallback(fallback);
        if (snapshots) {
            SnapshotConfig plugin = SnapshotConfig.of(dynajournal.snapshotBlock(config, pluginId));
            return new Planned(plugin.layout().table(), plugin.client());
        }
        JournalConfig plugin = JournalConfig.of(dynajournal.journalBlock(config, pluginId));
        return new Planned(plugin.table(), plugin.client());
    }

    private static Class<?> pluginClass(Dynajournal dynajournal, String pluginId) {
        String name = dynajournal.settings().getString(pluginId + ".class");
        try {
            return Class.forName(
                    name, false, dynajournal.system().dynamicAccess().classLoader());
        } catch (ClassNotFoundException e) {
            throw SettingsException.of(
                    pluginId + ".class",
                    "\"" + name + "\"",
                    "the class of a journal, a snapshot store or a durable state store");
        }
    }
}
