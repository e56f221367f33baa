package io.dynajournal.internal.settings;

import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * How the blocks of one plugin family are written: our own, or a predecessor's. A new layout with settings of its own needs
 * one implementation and its line in {@link #ALL}. Every method fails with {@link
 * io.dynajournal.exception.SettingsException} if the block is wrong.
 */
interface SettingsDialect {

    /** The first one is used where no other claims the layout. */
    List<SettingsDialect> ALL =
            List.of(new NativeSettings(), new Akka1Settings(), new Akka2Settings(), new J5Settings());

    /** The values of {@code layout} that choose this dialect. */
    Set<String> layouts();

    /** What a user begins a block of this dialect with. */
    String template();

    JournalConfig journal(PluginBlock plugin);

    SnapshotConfig snapshots(PluginBlock plugin);

    QueryConfig queries(PluginBlock plugin);

    /** Only 2.x has a block for clean-ups; the others are cleaned up by a block of ours that names their plugins. */
    CleanupConfig cleanup(PluginBlock block);

    /** Empty if the plugin family has no durable state. */
    Optional<StateConfig> states(PluginBlock plugin);
}
