package io.dynajournal.bench.wire;

/**
 * A write of one item, as the simulated cloud sees it.
 *
 * @param partitionKey table and key value
 * @param units write units of the item, without those of index rows
 * @param json the member of a {@code BatchWriteItem} request to return as unprocessed; else empty
 */
record ItemWrite(String table, String partitionKey, int units, String json) {}
