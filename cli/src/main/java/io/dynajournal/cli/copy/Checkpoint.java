package io.dynajournal.cli.copy;

/** Up to which sequence number each log is copied. Thread-safe. */
public interface Checkpoint {

    /** 0 if nothing is known of the log. */
    long reached(String persistenceId);

    void reached(String persistenceId, long seqNr);

    /** Further events were stored, or found in the target. */
    default void handled(long events) {}
}
