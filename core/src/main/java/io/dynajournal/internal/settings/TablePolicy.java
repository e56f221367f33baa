package io.dynajournal.internal.settings;

import java.util.List;

/** What a plugin does with its table at start. */
public record TablePolicy(boolean check, Create create) {

    /** Whether a missing table is created. */
    public enum Create {
        ON,
        OFF,
        /** Only on the embedded server, where tables cost nothing. */
        AUTO
    }

    public boolean creates(boolean embedded) {
        return create == Create.ON || (create == Create.AUTO && embedded);
    }

    static TablePolicy of(Block block) {
        return new TablePolicy(block.flag("check-tables"), block.choice("create-tables", List.of(Create.values())));
    }

    /** In a predecessor's block, where a table is created only if that block or {@code dynajournal} asks for it. */
    static TablePolicy ofPredecessor(PluginBlock plugin, Block block, String prefix) {
        boolean create = block.flag(prefix + "create-tables", RootBlock.createTables(plugin.root()) == Create.ON);
        return new TablePolicy(block.flag(prefix + "check-tables", true), create ? Create.ON : Create.OFF);
    }
}
