package io.dynajournal.internal.model;

/** The toolkits' slices: a fixed hash that maps every persistence id to one of 1,024 slices. */
public final class Slices {

    public static final int COUNT = 1024;

    private Slices() {}

    /** The same slice as the toolkits' {@code sliceForPersistenceId}. */
    public static int of(String persistenceId) {
        return Math.abs(persistenceId.hashCode() % COUNT);
    }

    /** The part before the first {@code |}; empty for persistence ids without one. */
    public static String entityType(String persistenceId) {
        int separator = persistenceId.indexOf('|');
        return separator < 0 ? "" : persistenceId.substring(0, separator);
    }
}
