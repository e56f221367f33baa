package io.dynajournal.dynamo;

/** The requests we make. */
public enum Operation {
    PUT,
    UPDATE,
    DELETE,
    QUERY,
    SCAN,
    BATCH_INSERT,
    BATCH_WRITE,
    BATCH_GET,
    TRANSACT,
    DESCRIBE
}
