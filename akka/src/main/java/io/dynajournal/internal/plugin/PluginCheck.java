package io.dynajournal.internal.plugin;

import io.dynajournal.health.PluginHealth;
import io.dynajournal.internal.dynamo.TableHealth;
import io.dynajournal.internal.store.Stages;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The check of one plugin's health. */
final class PluginCheck {

    /** The toolkits' Management waits a second for a health check by default. */
    private static final long PATIENCE_MILLIS = 900;

    private final String plugin;
    private final PluginStartup<?> startup;
    private final Function<String, @Nullable TableInUse> tables;

    /** @param tables the table of a plugin that has started; null if it has several */
    PluginCheck(String plugin, PluginStartup<?> startup, Function<String, @Nullable TableInUse> tables) {
        this.plugin = plugin;
        this.startup = startup;
        this.tables = tables;
    }

    CompletionStage<PluginHealth> run() {
        return startup.use(opened -> CompletableFuture.<Void>completedFuture(null))
                .toCompletableFuture()
                .orTimeout(PATIENCE_MILLIS, TimeUnit.MILLISECONDS)
                .thenCompose(started -> ofTable())
                .exceptionally(failure -> notStarted(Stages.unwrap(failure)));
    }

    private CompletionStage<PluginHealth> ofTable() {
        TableInUse table = tables.apply(plugin);
        return table == null
                ? CompletableFuture.completedFuture(new PluginHealth(plugin, null, true, null, null, null, null, null))
                : table.health().thenApply(health -> health(table.name(), health));
    }

    private PluginHealth health(String table, TableHealth health) {
        return new PluginHealth(
                plugin,
                table,
                health.answers(),
                health.lastSuccess(),
                health.lastFailure(),
                health.failure(),
                health.lastThrottled(),
                health.throttlingReason());
    }

    private PluginHealth notStarted(Throwable failure) {
        Throwable reason = failure instanceof TimeoutException
                ? new TimeoutException(plugin + " has not started within " + PATIENCE_MILLIS + " ms")
                : failure;
        return new PluginHealth(plugin, null, false, null, Instant.now(), reason, null, null);
    }
}
