package io.dynajournal.internal.dynamo;

/** All connections were in use until the request's deadline, so that it was not sent. */
final class NoConnectionException extends Exception {

    private static final long serialVersionUID = 1L;

    NoConnectionException(int connections) {
        super("all " + connections + " connections were in use");
    }
}
