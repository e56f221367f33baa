package io.dynajournal.examples.demo;

import io.dynajournal.dynamo.Capacity;
import io.dynajournal.dynamo.Operation;
import io.dynajournal.dynamo.RequestListener;
import java.util.HashMap;
import java.util.Map;

/**
 * Adds up the capacity units that DynamoDB reports, which are what it bills. An application can feed its metrics so.
 * Thread-safe.
 */
final class UnitCounter implements RequestListener {

    /** Answered requests and what they took in the table and in its indexes. */
    record Writes(long requests, double tableUnits, double indexUnits) {

        static final Writes NONE = new Writes(0, 0, 0);

        Writes and(Capacity more) {
            return new Writes(requests + 1, tableUnits + more.table(), indexUnits + more.indexes());
        }
    }

    // Both guarded by this.
    private final Map<String, Writes> writes = new HashMap<>();
    private double reads;

    @Override
    public boolean wantsCapacity() {
        return true;
    }

    @Override
    public synchronized void succeeded(Operation operation, String table, int attempts, long nanos, Capacity capacity) {
        if (operation == Operation.QUERY || operation == Operation.BATCH_GET) {
            reads += capacity.total();
        } else {
            writes.put(table, writesTo(table).and(capacity));
        }
    }

    synchronized double reads() {
        return reads;
    }

    synchronized Writes writesTo(String table) {
        return writes.getOrDefault(table, Writes.NONE);
    }
}
