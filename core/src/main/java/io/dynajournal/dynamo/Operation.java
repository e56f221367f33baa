package io.dynajournal.dynamo;

/** The requests we make. */
public enum Operation {
    PUT,
    UPDATE,
    QUERY,
    SCAN,
    BATCH_WRITE,
    BATCH_GET,
    TRANSACT
}
