package io.dynajournal.query;

/** What a query by id asks for; both numbers inclusive. */
record IdQuery(String persistenceId, long from, long to, boolean live) {

    @Override
    public String toString() {
        return (live ? "live" : "current") + " query of " + persistenceId;
    }
}
