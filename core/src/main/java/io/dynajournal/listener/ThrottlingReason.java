package io.dynajournal.listener;

/** What DynamoDB throttled. */
public enum ThrottlingReason {
    /** The partition of one key: other keys of the table are not affected, so only this request is delayed. */
    HOT_KEY,

    /** The table's capacity, provisioned or on demand: raise it, or its maximum. */
    TABLE,

    /** The capacity of one of the table's indexes. A throttled index delays the writes of its table. */
    INDEX,

    /** A quota of the account in this region: ask AWS to raise it. */
    ACCOUNT,

    /** DynamoDB gave no reason. It is treated like {@link #TABLE}. */
    UNKNOWN
}
