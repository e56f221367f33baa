package io.dynajournal.internal.layout.j5ik2o;

import io.dynajournal.internal.layout.LayoutSettings;

/** The attribute names of a snapshot row. */
record J5SnapshotColumns(
        String partitionKey, String sortKey, String persistenceId, String sequenceNr, String snapshot, String created) {

    /** Reads {@code columns-def}. */
    public static J5SnapshotColumns of(LayoutSettings settings) {
        return new J5SnapshotColumns(
                settings.text("columns-def.partition-key-column-name", "pkey"),
                settings.text("columns-def.sort-key-column-name", "skey"),
                settings.text("columns-def.persistence-id-column-name", "persistence-id"),
                settings.text("columns-def.sequence-nr-column-name", "sequence-nr"),
                settings.text("columns-def.snapshot-column-name", "snapshot"),
                settings.text("columns-def.created-column-name", "created"));
    }
}
