package io.dynajournal.internal.cleanup;

import akka.Done;
import akka.NotUsed;
import akka.actor.ClassicActorSystemProvider;
import akka.stream.javadsl.Source;
import io.dynajournal.internal.plugin.OpenPlugins;
import io.dynajournal.internal.plugin.OpenedStates;
import io.dynajournal.internal.plugin.PluginStartup;
import io.dynajournal.internal.query.IdSource;
import io.dynajournal.internal.settings.CleanupConfig;
import io.dynajournal.internal.store.StateCleanup;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Clean-ups of durable states, for the Java and the Scala API. Sends no request before a clean-up is called. Thread-safe. */
public final class DurableStateCleanups {

    /** Maximum number of items scanned per request for persistence ids. */
    private static final int MAX_ITEMS_PER_SCAN = 1000;

    private final ClassicActorSystemProvider system;
    private final OpenPlugins plugins;
    private final CleanupConfig config;
    private final CleanupRun run;

    private DurableStateCleanups(ClassicActorSystemProvider system, CleanupConfig config, Consumer<String> onCleaned) {
        this.system = system;
        this.plugins = OpenPlugins.get(system);
        this.config = config;
        this.run = new CleanupRun(system, config, onCleaned);
    }

    /**
     * With the settings of a block.
     *
     * @throws io.dynajournal.exception.SettingsException if a setting of the block is wrong
     */
    public static DurableStateCleanups of(ClassicActorSystemProvider system, String configPath) {
        return new DurableStateCleanups(system, OpenPlugins.get(system).cleanup(configPath), cleaned -> {});
    }

    /** The same with a callback for each persistence id that was cleaned up. */
    public DurableStateCleanups reporting(Consumer<String> onCleaned) {
        return new DurableStateCleanups(system, config, onCleaned);
    }

    /**
     * The persistence ids of the table, also of deleted states that have a tombstone.
     *
     * @param entityType null for all
     */
    public Source<String, NotUsed> ids(@Nullable String entityType) {
        return Source.lazyCompletionStage(
                        () -> states().use(opened -> CompletableFuture.completedFuture(opened.table())))
                .mapMaterializedValue(opened -> NotUsed.getInstance())
                .flatMapConcat(
                        table -> IdSource.pages(null, entityType, token -> table.ids(token, MAX_ITEMS_PER_SCAN, true)));
    }

    public CompletionStage<Done> deleteStates(Source<String, ?> ids, boolean resetRevision) {
        return each("deleteStates", ids, (cleanup, id) -> cleanup.delete(id, resetRevision));
    }

    public CompletionStage<Done> deleteStatesBefore(Source<String, ?> ids, Instant time) {
        long micros = ChronoUnit.MICROS.between(Instant.EPOCH, time);
        return each("deleteStatesBefore", ids, (cleanup, id) -> cleanup.deleteIfBefore(id, micros));
    }

    public CompletionStage<Done> deleteTombstones(Source<String, ?> ids) {
        return each("deleteTombstones", ids, StateCleanup::deleteTombstone);
    }

    public CompletionStage<Done> setExpiryForStates(Source<String, ?> ids, Instant expiry) {
        return each("setExpiryForStates", ids, (cleanup, id) -> cleanup.expire(id, expiry.getEpochSecond()));
    }

    private CompletionStage<Done> each(
            String name, Source<String, ?> ids, BiFunction<StateCleanup, String, CompletionStage<Void>> operation) {
        return run.run(
                name,
                ids,
                id -> states().use(
                                id,
                                opened -> operation
                                        .apply(new StateCleanup(opened.table(), opened.writes()), id)
                                        .thenRun(() -> plugins.notifications(config.states())
                                                .written(id))));
    }

    private PluginStartup<OpenedStates> states() {
        return plugins.states(config.states());
    }
}
