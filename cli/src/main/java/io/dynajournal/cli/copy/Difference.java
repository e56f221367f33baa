package io.dynajournal.cli.copy;

/**
 * The first difference of a persistence id between two stores.
 *
 * @param what events, snapshots or state
 * @param seqNr the sequence number or the revision
 * @param detail what differs, in words; never bytes of a payload
 */
public record Difference(String persistenceId, What what, long seqNr, String detail) {

    /** What a persistence id has in a store. */
    public enum What {
        EVENT,
        SNAPSHOT,
        STATE
    }

    @Override
    public String toString() {
        String name = switch (what) {
            case EVENT -> "event";
            case SNAPSHOT -> "snapshot";
            case STATE -> "state, revision";
        };
        return persistenceId + ", " + name + " " + seqNr + ": " + detail;
    }
}
