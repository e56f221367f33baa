package io.dynajournal.settings;

import com.typesafe.config.Config;
import io.dynajournal.dynamo.TableSpec;
import io.dynajournal.layout.JournalLayout;
import io.dynajournal.store.JournalCaches;
import java.time.Duration;
import java.util.List;

/**
 * The settings of a journal: a block like {@code dynajournal.journal}, or one of a predecessor.
 *
 * @param layouts what the table may be, all of one name; if they are several, its key decides
 * @param circuitBreaker when the toolkit gives up a request
 * @param replayDispatcher where replayed events are deserialized
 * @param remarks what the user should know about a predecessor's settings
 */
public record JournalConfig(
        ClientConfig client,
        List<JournalLayout> layouts,
        JournalCaches caches,
        TablePolicy tables,
        Duration circuitBreaker,
        String replayDispatcher,
        List<Remark> remarks) {

    private static final String TEMPLATE = "dynajournal.journal";

    public JournalConfig {
        layouts = List.copyOf(layouts);
        remarks = List.copyOf(remarks);
    }

    /**
     * Reads the block.
     *
     * @throws SettingsException if something is wrong with it
     */
    public static JournalConfig of(PluginBlock plugin) {
        return switch (plugin.dialect()) {
            case NATIVE -> ofNative(plugin);
            case AKKA1 -> Akka1Settings.journal(plugin);
            case AKKA2 -> Akka2Settings.journal(plugin);
            case J5IK2O -> J5Settings.journal(plugin);
        };
    }

    private static JournalConfig ofNative(PluginBlock plugin) {
        Block block = new Block(plugin.config(), plugin.path(), TEMPLATE);
        String replayDispatcher = block.optionalText("replay-dispatcher");
        String client = block.text("use-client");
        JournalConfig journal = new JournalConfig(
                ClientConfig.of(plugin.root(), client),
                List.of(Layouts.journal(block)),
                caches(block),
                TablePolicy.of(block),
                block.duration("circuit-breaker.call-timeout"),
                replayDispatcher == null ? block.text("plugin-dispatcher") : replayDispatcher,
                List.of());
        block.refuseUnknown(plugin.fallback());
        journal.client.checkBelow(journal.circuitBreaker, plugin.path());
        return journal;
    }

    /** The sizes of the native block, for the journals of predecessors, which have none. */
    static JournalCaches caches(Config root) {
        return caches(new Block(root.getConfig(TEMPLATE), TEMPLATE, TEMPLATE));
    }

    private static JournalCaches caches(Block block) {
        return new JournalCaches(
                block.count("caches.writers"),
                block.bytes("caches.first-pages"),
                block.duration("caches.first-page-life"));
    }

    /** What the table is made as if there is none. */
    public TableSpec table() {
        return layouts.get(0).table();
    }
}
