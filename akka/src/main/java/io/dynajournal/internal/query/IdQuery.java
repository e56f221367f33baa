package io.dynajournal.internal.query;

/** A query by persistence id; both sequence numbers inclusive. */
record IdQuery(String persistenceId, long fromSeqNr, long toSeqNr, boolean live) {

    @Override
    public String toString() {
        return (live ? "live" : "current") + " query of " + persistenceId;
    }
}
