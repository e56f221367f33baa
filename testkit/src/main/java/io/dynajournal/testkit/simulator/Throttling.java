package io.dynajournal.testkit.simulator;

/** Why DynamoDB throttles a request, as it says in the machine-readable reason. */
public enum Throttling {
    /** One key takes more than its partition gives. */
    HOT_KEY("KeyRangeThroughputExceeded"),
    /** One key of an index takes more than its partition gives; a write to the table is throttled with it. */
    HOT_INDEX_KEY("KeyRangeThroughputExceeded"),
    /** The table's provisioned capacity is used up. */
    TABLE_CAPACITY("ProvisionedThroughputExceeded"),
    /** The table's maximum for on-demand requests is reached. */
    TABLE_MAXIMUM("MaxOnDemandThroughputExceeded"),
    /** The account's limit is reached. */
    ACCOUNT_LIMIT("AccountLimitExceeded"),
    /** A new table on demand grows to its load. */
    TABLE_WARMING_UP("KeyRangeThroughputExceeded");

    private final String limit;

    Throttling(String limit) {
        this.limit = limit;
    }

    /**
     * Such as {@code TableWriteProvisionedThroughputExceeded}.
     *
     * @param index whether the request reads an index; a read of the table is never throttled by one
     */
    String reason(boolean write, boolean index) {
        boolean ofIndex = index || (write && this == HOT_INDEX_KEY);
        return (ofIndex ? "Index" : "Table") + (write ? "Write" : "Read") + limit;
    }
}
