package io.dynajournal.settings;

import com.typesafe.config.Config;
import io.dynajournal.layout.SnapshotLayout;
import java.time.Duration;

/**
 * A block like {@code dynajournal.snapshot}.
 *
 * @param circuitBreaker when the toolkit gives up a request
 */
public record SnapshotConfig(String clientPath, SnapshotLayout layout, TablePolicy tables, Duration circuitBreaker) {

    /**
     * Reads the block.
     *
     * @param config the block, with the toolkit's fallback behind it
     * @param toolkit the toolkit's fallback alone
     * @throws SettingsException if something is wrong with it
     */
    public static SnapshotConfig of(Config config, String path, Config toolkit) {
        Block block = new Block(config, path, "dynajournal.snapshot");
        SnapshotConfig snapshots = new SnapshotConfig(
                block.text("use-client"),
                Layouts.snapshots(block),
                TablePolicy.of(block),
                block.duration("circuit-breaker.call-timeout"));
        block.refuseUnknown(toolkit);
        return snapshots;
    }
}
