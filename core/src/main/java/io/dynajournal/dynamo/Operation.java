package io.dynajournal.dynamo;

/** The requests we make. */
public enum Operation {
    PUT,
    UPDATE,
    QUERY,
    BATCH_WRITE
}
