package io.dynajournal.testkit.simulator;

/** Why DynamoDB throttles a request, as it says in the machine-readable reason. */
public enum Throttling {
    /** One key takes more than its partition gives. */
    HOT_KEY("TableWriteKeyRangeThroughputExceeded"),
    /** One key of an index takes more than its partition gives; the table is throttled with it. */
    HOT_INDEX_KEY("IndexWriteKeyRangeThroughputExceeded"),
    /** The table's provisioned capacity is used up. */
    TABLE_CAPACITY("TableWriteProvisionedThroughputExceeded"),
    /** The table's maximum for on-demand requests is reached. */
    TABLE_MAXIMUM("TableWriteMaxOnDemandThroughputExceeded"),
    /** The account's limit is reached. */
    ACCOUNT_LIMIT("TableWriteAccountLimitExceeded"),
    /** A new table on demand grows to its load. */
    TABLE_WARMING_UP("TableWriteKeyRangeThroughputExceeded");

    private final String reason;

    Throttling(String reason) {
        this.reason = reason;
    }

    String reason() {
        return reason;
    }
}
