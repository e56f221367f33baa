package io.dynajournal.cli.copy;

/** The target holds something else under a name that the source uses too. Nothing of the target was changed. */
public final class CopyConflict extends RuntimeException {

    private static final long serialVersionUID = 1L;

    CopyConflict(String table, Difference difference) {
        super("Table " + table + " already has another content for " + difference
                + ". The first value is that of the source. Nothing was overwritten. Copy into empty tables, or remove this"
                + " persistence id from the target first.");
    }
}
