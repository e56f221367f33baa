package io.dynajournal.internal.layout.j5ik2o;

import io.dynajournal.internal.layout.LayoutSettings;

/**
 * The attribute names of a journal row. In the oldest tables the sequence number itself is the sort key; as with the
 * predecessor, this is configured by the same name for both columns.
 */
record J5Columns(
        String partitionKey,
        String sortKey,
        String persistenceId,
        String sequenceNr,
        String deleted,
        String message,
        String ordering,
        String tags) {

    /** Reads {@code columns-def}. */
    static J5Columns of(LayoutSettings settings) {
        return new J5Columns(
                settings.text("columns-def.partition-key-column-name", "pkey"),
                settings.text("columns-def.sort-key-column-name", "skey"),
                settings.text("columns-def.persistence-id-column-name", "persistence-id"),
                settings.text("columns-def.sequence-nr-column-name", "sequence-nr"),
                settings.text("columns-def.deleted-column-name", "deleted"),
                settings.text("columns-def.message-column-name", "message"),
                settings.text("columns-def.ordering-column-name", "ordering"),
                settings.text("columns-def.tags-column-name", "tags"));
    }

    /** Whether the sequence number is the sort key. */
    boolean sortsBySeqNr() {
        return sortKey.equals(sequenceNr);
    }
}
