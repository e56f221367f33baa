package io.dynajournal.examples.demo;

import io.dynajournal.dynamo.Capacity;
import io.dynajournal.dynamo.Operation;
import io.dynajournal.dynamo.RequestListener;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.DoubleAdder;

/** Adds up the capacity units that DynamoDB reports, which are what it bills. An application feeds its metrics so. */
final class UnitCounter implements RequestListener {

    private final DoubleAdder reads = new DoubleAdder();
    private final ConcurrentHashMap<String, DoubleAdder> tableWrites = new ConcurrentHashMap<>();
    private final ConcurrentHashMap<String, DoubleAdder> indexWrites = new ConcurrentHashMap<>();

    @Override
    public boolean wantsCapacity() {
        return true;
    }

    @Override
    public void succeeded(Operation operation, String table, int attempts, long nanos, Capacity capacity) {
        if (operation == Operation.QUERY) {
            reads.add(capacity.total());
        } else {
            adder(tableWrites, table).add(capacity.table());
            adder(indexWrites, table).add(capacity.indexes());
        }
    }

    double reads() {
        return reads.sum();
    }

    double writes(String table) {
        return adder(tableWrites, table).sum();
    }

    /** Writes to the indexes of a table. */
    double indexWrites(String table) {
        return adder(indexWrites, table).sum();
    }

    private static DoubleAdder adder(ConcurrentHashMap<String, DoubleAdder> adders, String table) {
        return adders.computeIfAbsent(table, name -> new DoubleAdder());
    }
}
