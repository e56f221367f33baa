package io.dynajournal.internal.layout.j5ik2o;

import io.dynajournal.internal.layout.LayoutSettings;

/** The attribute names of a state row. */
record J5StateColumns(
        String partitionKey,
        String sortKey,
        String persistenceId,
        String revision,
        String deleted,
        String payload,
        String serializerId,
        String serializerManifest,
        String ordering,
        String tags) {

    /** Reads {@code columns-def}. */
    public static J5StateColumns of(LayoutSettings settings) {
        return new J5StateColumns(
                settings.text("columns-def.partition-key-column-name", "pkey"),
                settings.text("columns-def.sort-key-column-name", "skey"),
                settings.text("columns-def.persistence-id-column-name", "persistence-id"),
                settings.text("columns-def.revision-nr-column-name", "revision-nr"),
                settings.text("columns-def.deleted-column-name", "deleted"),
                settings.text("columns-def.payload-column-name", "payload"),
                settings.text("columns-def.serializer-id-column-name", "serializer-id"),
                settings.text("columns-def.serializer-manifest-column-name", "serializer-manifest"),
                settings.text("columns-def.ordering-column-name", "ordering"),
                settings.text("columns-def.tags-column-name", "tags"));
    }
}
