package io.dynajournal.listener;

/**
 * Receives everything that can be observed: requests, queries and projections. Pass one to {@code DynajournalSetup.withListener}. The
 * rules of the three interfaces apply.
 */
public interface DynajournalListener extends RequestListener, QueryListener, ProjectionListener {

    /**
     * Does nothing. Each interface has a listener of this kind; this one stands for the three, so that a class that implements them has
     * one.
     */
    DynajournalListener NONE = new DynajournalListener() {};
}
