package io.dynajournal.health;

import akka.actor.ActorSystem;
import akka.actor.ClassicActorSystemProvider;
import io.dynajournal.internal.plugin.OpenPlugins;
import io.dynajournal.listener.ProjectionListener;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The health of the journals, snapshot stores, durable state stores and offset tables that an actor system has used. A check sends no
 * request for a table on which one has succeeded within the last ten seconds, with none failing since. Otherwise it reads once, for
 * half a read unit. A plugin that could not start is started again. The answer comes within about a second.
 *
 * <p>Name this class in the settings of Akka or Pekko Management to have it as a readiness check. Thread-safe.
 */
public final class DynajournalHealth implements Supplier<CompletionStage<Boolean>> {

    private static final Logger log = LoggerFactory.getLogger(DynajournalHealth.class);

    private final OpenPlugins plugins;
    // Guarded by this.
    private Set<String> notReady = Set.of();

    /** Called by Management. */
    public DynajournalHealth(ActorSystem system) {
        this.plugins = OpenPlugins.get(system);
    }

    /** The health of the plugins of a classic or typed actor system. */
    public static DynajournalHealth of(ClassicActorSystemProvider system) {
        return new DynajournalHealth(system.classicSystem());
    }

    /** The health of each plugin that was used, by its path. The stage does not fail. */
    public CompletionStage<List<PluginHealth>> plugins() {
        return plugins.health();
    }

    /** How far each query by slice or by tag is that has reported in the last five minutes. Sends nothing. */
    public List<QueryHealth> queries() {
        return plugins.queryHealth();
    }

    /** The latest status of each projection that was started in this actor system. Sends nothing. */
    public List<ProjectionListener.Status> projections() {
        return plugins.projectionStatus();
    }

    /** Whether all plugins that were used are ready. Logs which are not, and when they are again. The stage does not fail. */
    @Override
    public CompletionStage<Boolean> get() {
        return plugins().thenApply(states -> {
            logChanges(states);
            return states.stream().allMatch(PluginHealth::ready);
        });
    }

    private synchronized void logChanges(List<PluginHealth> states) {
        Set<String> now = new HashSet<>();
        for (PluginHealth state : states) {
            boolean wasReady = !notReady.contains(state.plugin());
            if (!state.ready()) {
                now.add(state.plugin());
                if (wasReady) {
                    log.warn("{} is not ready: {}", state.plugin(), String.valueOf(state.failure()));
                }
            } else if (!wasReady) {
                log.info("{} is ready again", state.plugin());
            }
        }
        notReady = now;
    }
}
