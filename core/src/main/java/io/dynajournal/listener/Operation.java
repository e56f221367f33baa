package io.dynajournal.listener;

/** The kinds of requests to DynamoDB. */
public enum Operation {
    PUT,
    UPDATE,
    DELETE,
    QUERY,
    SCAN,
    /** Several puts in one BatchExecuteStatement. */
    BATCH_INSERT,
    BATCH_WRITE,
    BATCH_GET,
    TRANSACT,
    DESCRIBE_TABLE,
    CREATE_TABLE,
    DELETE_TABLE,
    DESCRIBE_TIME_TO_LIVE,
    UPDATE_TIME_TO_LIVE
}
