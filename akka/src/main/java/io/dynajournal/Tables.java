package io.dynajournal;

import akka.Done;
import akka.actor.ClassicActorSystemProvider;
import io.dynajournal.exception.SettingsException;
import io.dynajournal.internal.plugin.OpenPlugins;
import io.dynajournal.internal.plugin.PluginTable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * Creates, checks and describes the table of a plugin, which is named by its id, such as {@code dynajournal.journal}. For
 * classic and typed actor systems. The stages fail with {@link SettingsException} if a setting of the plugin is wrong, and
 * with {@link io.dynajournal.exception.StoreException} if DynamoDB rejects a request or cannot be reached. The first call may
 * block for seconds while the AWS client is created.
 */
public final class Tables {

    private Tables() {}

    /**
     * Creates the table with its indexes, billed on demand, enables its time to live, and waits until it is active. A table that
     * exists is not changed, except that its time to live is enabled. A plugin that waits for its table starts immediately.
     */
    public static CompletionStage<Done> create(ClassicActorSystemProvider system, String pluginId) {
        return run(system, pluginId, PluginTable::create).thenApply(created -> {
            OpenPlugins.get(system).tableCreated(pluginId);
            return Done.getInstance();
        });
    }

    /**
     * Deletes the table with <b>all its items</b> if it exists, and creates it anew. For tests. Entities and queries that
     * are running must be restarted afterwards.
     */
    public static CompletionStage<Done> recreate(ClassicActorSystemProvider system, String pluginId) {
        return run(system, pluginId, PluginTable::recreate).thenApply(recreated -> {
            OpenPlugins.get(system).tableRecreated(pluginId);
            return Done.getInstance();
        });
    }

    /**
     * Compares the table with what the plugin needs. Fails with {@link io.dynajournal.exception.StoreException} that names
     * every difference, or says that the table does not exist, or that its time to live is off although the settings use it.
     */
    public static CompletionStage<Done> verify(ClassicActorSystemProvider system, String pluginId) {
        return run(system, pluginId, PluginTable::verify).thenApply(verified -> Done.getInstance());
    }

    /**
     * Describes the table that the plugin needs. Sends no request.
     *
     * @throws SettingsException if a setting of the plugin is wrong
     */
    public static TableDescription describe(ClassicActorSystemProvider system, String pluginId) {
        PluginTable table = OpenPlugins.get(system).table(pluginId);
        return new TableDescription(table.name(), table.indexes(), table.awsCommands());
    }

    private static CompletionStage<Void> run(
            ClassicActorSystemProvider system,
            String pluginId,
            Function<PluginTable, CompletionStage<Void>> operation) {
        try {
            return operation.apply(OpenPlugins.get(system).table(pluginId));
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }
}
