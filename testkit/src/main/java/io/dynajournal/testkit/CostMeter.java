package io.dynajournal.testkit;

import io.dynajournal.dynamo.Capacity;
import io.dynajournal.dynamo.Operation;
import io.dynajournal.dynamo.RequestListener;
import io.dynajournal.store.StoreException;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;

/**
 * Adds up what requests cost by DynamoDB's published rules. DynamoDB Local says that a Query which finds nothing is free;
 * it costs one unit when consistent and half a unit otherwise, and is counted so. A refused write tells no capacity and
 * counts as a request only. Thread-safe.
 */
public final class CostMeter implements RequestListener {

    private final double emptyQuery;
    private static final Set<Operation> READS = EnumSet.of(Operation.QUERY, Operation.SCAN, Operation.BATCH_GET);

    private final Map<Operation, Integer> requests = new EnumMap<>(Operation.class);
    private double tableWrites;
    private double indexWrites;
    private double tableReads;
    private double indexReads;

    private CostMeter(double emptyQuery) {
        this.emptyQuery = emptyQuery;
    }

    /** For consistent reads, like those of a recovery. */
    public static CostMeter consistent() {
        return new CostMeter(1);
    }

    /** For eventually consistent reads, like those of an index. */
    public static CostMeter eventual() {
        return new CostMeter(0.5);
    }

    /** What was used since the last time. */
    public synchronized Cost take() {
        Cost cost = new Cost(requests, tableWrites, indexWrites, tableReads, indexReads);
        requests.clear();
        tableWrites = 0;
        indexWrites = 0;
        tableReads = 0;
        indexReads = 0;
        return cost;
    }

    @Override
    public boolean wantsCapacity() {
        return true;
    }

    @Override
    public synchronized void succeeded(Operation operation, String table, int attempts, long nanos, Capacity capacity) {
        count(operation, attempts);
        if (READS.contains(operation)) {
            tableReads += capacity.total() == 0 ? emptyQuery : capacity.table();
            indexReads += capacity.indexes();
        } else {
            tableWrites += capacity.table();
            indexWrites += capacity.indexes();
        }
    }

    @Override
    public synchronized void refused(Operation operation, String table, int attempts, long nanos) {
        count(operation, attempts);
    }

    @Override
    public synchronized void failed(
            Operation operation, String table, int attempts, long nanos, StoreException failure) {
        count(operation, attempts);
    }

    private void count(Operation operation, int attempts) {
        requests.merge(operation, attempts, Integer::sum);
    }
}
