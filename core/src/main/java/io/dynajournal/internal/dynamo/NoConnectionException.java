package io.dynajournal.internal.dynamo;

import io.dynajournal.listener.Lane;
import java.util.Locale;

/** All connections that its lane may use were in use until the request's deadline, so that it was not sent. */
final class NoConnectionException extends Exception {

    private static final long serialVersionUID = 1L;

    /** @param laneLimit how many requests of the lane, and of those after it, may be in flight at the same time */
    NoConnectionException(Lane lane, int laneLimit, int maxConcurrency) {
        super("all connections that " + lane.name().toLowerCase(Locale.ROOT) + " requests may use (" + laneLimit
                + " of " + maxConcurrency + ") were in use");
    }
}
