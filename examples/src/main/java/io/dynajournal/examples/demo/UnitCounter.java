package io.dynajournal.examples.demo;

import io.dynajournal.listener.Capacity;
import io.dynajournal.listener.Operation;
import io.dynajournal.listener.RequestEvent;
import io.dynajournal.listener.RequestListener;
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
    public synchronized void onRequest(RequestEvent event) {
        if (event.outcome() != RequestEvent.Outcome.SUCCEEDED) {
            return;
        }
        if (event.operation() == Operation.QUERY || event.operation() == Operation.BATCH_GET) {
            reads += event.capacity().total();
        } else {
            writes.put(event.table(), writesTo(event.table()).and(event.capacity()));
        }
    }

    synchronized double reads() {
        return reads;
    }

    synchronized Writes writesTo(String table) {
        return writes.getOrDefault(table, Writes.NONE);
    }
}
