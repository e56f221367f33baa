package io.dynajournal.cli.store;

/** What is stored: by the toolkit's plugins, and by projections. */
public enum StoreKind {
    JOURNAL("journal", "journal.plugin"),
    SNAPSHOTS("snapshot store", "snapshot-store.plugin"),
    STATES("durable state store", "state.plugin"),
    /** Not a plugin of the toolkit. */
    OFFSETS("table of offsets", "");

    private final String title;
    private final String toolkitKey;

    StoreKind(String title, String toolkitKey) {
        this.title = title;
        this.toolkitKey = toolkitKey;
    }

    /** For messages. */
    public String title() {
        return title;
    }

    /** Where the toolkit's configuration names the plugin, below {@code akka.persistence} or {@code pekko.persistence}. */
    String toolkitKey() {
        return toolkitKey;
    }
}
