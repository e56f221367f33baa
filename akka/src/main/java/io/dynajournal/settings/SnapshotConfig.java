package io.dynajournal.settings;

import io.dynajournal.layout.SnapshotLayout;
import java.time.Duration;
import java.util.List;

/**
 * The settings of a snapshot store: a block like {@code dynajournal.snapshot}, or one of a predecessor.
 *
 * @param circuitBreaker when the toolkit gives up a request
 * @param remarks what the user should know about a predecessor's settings
 */
public record SnapshotConfig(
        ClientConfig client, SnapshotLayout layout, TablePolicy tables, Duration circuitBreaker, List<Remark> remarks) {

    public SnapshotConfig {
        remarks = List.copyOf(remarks);
    }

    /**
     * Reads the block.
     *
     * @throws SettingsException if something is wrong with it
     */
    public static SnapshotConfig of(PluginBlock plugin) {
        return switch (plugin.dialect()) {
            case NATIVE -> ofNative(plugin);
            case AKKA1 -> Akka1Settings.snapshots(plugin);
            case AKKA2 -> Akka2Settings.snapshots(plugin);
            case J5IK2O -> J5Settings.snapshots(plugin);
        };
    }

    private static SnapshotConfig ofNative(PluginBlock plugin) {
        Block block = new Block(plugin.config(), plugin.path(), "dynajournal.snapshot");
        String client = block.text("use-client");
        SnapshotConfig snapshots = new SnapshotConfig(
                ClientConfig.of(plugin.root(), client),
                Layouts.snapshots(block),
                TablePolicy.of(block),
                block.duration("circuit-breaker.call-timeout"),
                List.of());
        block.refuseUnknown(plugin.fallback());
        snapshots.client.checkBelow(snapshots.circuitBreaker, plugin.path());
        return snapshots;
    }
}
