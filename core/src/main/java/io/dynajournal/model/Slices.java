package io.dynajournal.model;

/** The toolkits' slices: a fixed hash of the id that spreads all ids over 1,024 groups. */
public final class Slices {

    public static final int COUNT = 1024;

    private Slices() {}

    /** The same number as the toolkits' {@code sliceForPersistenceId}. */
    public static int of(String persistenceId) {
        return Math.abs(persistenceId.hashCode() % COUNT);
    }

    /** What stands before the first {@code |}; empty for ids without one. */
    public static String entityType(String persistenceId) {
        int separator = persistenceId.indexOf('|');
        return separator < 0 ? "" : persistenceId.substring(0, separator);
    }
}
