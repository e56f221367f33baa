package io.dynajournal.testkit.simulator;

/** What goes wrong with a request. */
public enum Fault {
    /** Nothing. */
    NONE,
    /** DynamoDB throttles the request; it is not carried out. */
    THROTTLED,
    /** HTTP 500; the request is not carried out. */
    INTERNAL_ERROR,
    /** HTTP 500, but the request was carried out. */
    INTERNAL_ERROR_AFTER_EFFECT,
    /** The request is never carried out and never answered. */
    LOST_REQUEST,
    /** The request is carried out, and never answered. */
    LOST_REPLY,
    /** No connection is made. */
    NOT_CONNECTED,
    /** A batch is carried out in part; the rest is returned as unprocessed. Has no effect on other operations. */
    UNPROCESSED,
    /** A transaction is cancelled, because another one has the item. Has no effect on other operations. */
    TRANSACTION_CONFLICT,
    /** A batch of statements is carried out, and answered with one result too few. Has no effect on other operations. */
    SHORT_ANSWER
}
