package io.dynajournal.layout.j5ik2o;

import io.dynajournal.layout.LayoutSettings;

/**
 * The names of a journal row's attributes. In the oldest tables the number itself was the sort key; that is set by giving
 * both columns the same name, as the predecessor has it.
 */
public record J5Columns(
        String partitionKey,
        String sortKey,
        String persistenceId,
        String sequenceNr,
        String deleted,
        String message,
        String ordering,
        String tags) {

    /** Reads {@code columns-def}. */
    public static J5Columns of(LayoutSettings settings) {
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

    /** Whether the number is the sort key, and there is no other. */
    boolean sortsByNumber() {
        return sortKey.equals(sequenceNr);
    }
}
