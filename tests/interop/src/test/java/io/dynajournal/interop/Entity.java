package io.dynajournal.interop;

/**
 * An entity and its store.
 *
 * @param store one of the stores of the configuration, such as one with another journal name; empty for the default one
 */
record Entity(String id, String store) {

    String journalPlugin() {
        return store.isEmpty() ? "" : store + "-journal";
    }

    String snapshotPlugin() {
        return store.isEmpty() ? "" : store + "-snapshots";
    }
}
