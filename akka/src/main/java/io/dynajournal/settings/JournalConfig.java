package io.dynajournal.settings;

import com.typesafe.config.Config;
import io.dynajournal.layout.JournalLayout;
import io.dynajournal.store.JournalCaches;
import java.time.Duration;

/**
 * A block like {@code dynajournal.journal}.
 *
 * @param circuitBreaker when the toolkit gives up a request
 * @param replayDispatcher where replayed events are deserialized
 */
public record JournalConfig(
        String clientPath,
        JournalLayout layout,
        JournalCaches caches,
        TablePolicy tables,
        Duration circuitBreaker,
        String replayDispatcher) {

    /**
     * Reads the block.
     *
     * @param config the block, with the toolkit's fallback behind it
     * @param toolkit the toolkit's fallback alone
     * @throws SettingsException if something is wrong with it
     */
    public static JournalConfig of(Config config, String path, Config toolkit) {
        Block block = new Block(config, path, "dynajournal.journal");
        String replayDispatcher = block.optionalText("replay-dispatcher");
        JournalConfig journal = new JournalConfig(
                block.text("use-client"),
                Layouts.journal(block),
                new JournalCaches(
                        block.count("caches.writers"),
                        block.bytes("caches.first-pages"),
                        block.duration("caches.first-page-life")),
                TablePolicy.of(block),
                block.duration("circuit-breaker.call-timeout"),
                replayDispatcher == null ? block.text("plugin-dispatcher") : replayDispatcher);
        block.refuseUnknown(toolkit);
        return journal;
    }
}
