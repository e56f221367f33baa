package io.dynajournal.state;

import akka.actor.ExtendedActorSystem;
import akka.persistence.Persistence;
import akka.persistence.state.DurableStateStoreProvider;
import com.typesafe.config.Config;
import io.dynajournal.internal.plugin.OpenPlugins;
import io.dynajournal.internal.plugin.OpenedStates;
import io.dynajournal.internal.plugin.PluginStartup;
import io.dynajournal.internal.query.StateQueries;
import io.dynajournal.internal.state.SerializingStates;
import io.dynajournal.internal.toolkit.PayloadSerde;
import io.dynajournal.state.javadsl.DynajournalDurableStateStore;

/**
 * The durable state plugin; a state store's settings name it as {@code class}. If it cannot start, because a setting or its table
 * is wrong, it logs the reason once and fails every request with it.
 */
public class DynajournalDurableStateStoreProvider implements DurableStateStoreProvider {

    private final Persistence persistence;
    private final SerializingStates states;
    private final StateQueries queries;

    /**
     * Called by the toolkit.
     *
     * @param config the plugin's settings
     * @param path where they are, such as {@code dynajournal.state}
     */
    public DynajournalDurableStateStoreProvider(ExtendedActorSystem system, Config config, String path) {
        OpenPlugins plugins = OpenPlugins.get(system);
        PluginStartup<OpenedStates> startup = plugins.states(config, path);
        PayloadSerde serde = new PayloadSerde(system);
        this.persistence = Persistence.get(system);
        this.states = new SerializingStates(startup, serde, plugins.notifications(path));
        this.queries = new StateQueries(
                startup, serde, plugins.notifications(path), plugins.queryListener(), plugins.latestProgress());
    }

    @Override
    public akka.persistence.state.scaladsl.DurableStateStore<Object> scaladslDurableStateStore() {
        return new io.dynajournal.state.scaladsl.DynajournalDurableStateStore<>(persistence, states, queries);
    }

    @Override
    public akka.persistence.state.javadsl.DurableStateStore<Object> javadslDurableStateStore() {
        return new DynajournalDurableStateStore<>(persistence, states, queries);
    }
}
