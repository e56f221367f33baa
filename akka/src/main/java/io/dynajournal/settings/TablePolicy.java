package io.dynajournal.settings;

import java.util.List;

/** What a plugin does about its table before its first request. */
public record TablePolicy(boolean check, Create create) {

    /** Whether a missing table is made. */
    public enum Create {
        ON,
        OFF,
        /** Where tables cost nothing: on the embedded server. */
        AUTO
    }

    public boolean creates(boolean embedded) {
        return create == Create.ON || (create == Create.AUTO && embedded);
    }

    static TablePolicy of(Block block) {
        return new TablePolicy(block.flag("check-tables"), block.choice("create-tables", List.of(Create.values())));
    }
}
