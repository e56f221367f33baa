package io.dynajournal.bench.growth;

import io.dynajournal.listener.Capacity;
import io.dynajournal.listener.Operation;
import io.dynajournal.listener.RequestEvent;
import io.dynajournal.listener.RequestListener;
import io.dynajournal.testkit.Cost;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;

/**
 * Adds up the capacity that the server reports. DynamoDB Local reports 0 for a Query that finds nothing; it is counted as one
 * unit if reads are consistent, otherwise as half a unit. Thread-safe.
 */
final class ReportedCost implements RequestListener {

    private final double emptyQuery;
    private static final Set<Operation> READS = EnumSet.of(Operation.QUERY, Operation.SCAN, Operation.BATCH_GET);

    private final Map<Operation, Integer> requests = new EnumMap<>(Operation.class);
    private double tableWrites;
    private double indexWrites;
    private double tableReads;
    private double indexReads;

    private ReportedCost(double emptyQuery) {
        this.emptyQuery = emptyQuery;
    }

    /** For consistent reads, like those of a recovery. */
    static ReportedCost consistent() {
        return new ReportedCost(1);
    }

    /** For eventually consistent reads, like those of an index. */
    static ReportedCost eventual() {
        return new ReportedCost(0.5);
    }

    /** The cost since the last call. */
    synchronized Cost take() {
        Cost cost = new Cost(requests, tableWrites, indexWrites, tableReads, indexReads);
        requests.clear();
        tableWrites = 0;
        indexWrites = 0;
        tableReads = 0;
        indexReads = 0;
        return cost;
    }

    @Override
    public synchronized void onRequest(RequestEvent event) {
        count(event.operation(), event.attempts());
        if (event.outcome() != RequestEvent.Outcome.SUCCEEDED) {
            return;
        }
        Capacity capacity = event.capacity();
        if (READS.contains(event.operation())) {
            tableReads += capacity.total() == 0 ? emptyQuery : capacity.table();
            indexReads += capacity.indexes();
        } else {
            tableWrites += capacity.table();
            indexWrites += capacity.indexes();
        }
    }

    private void count(Operation operation, int attempts) {
        requests.merge(operation, attempts, Integer::sum);
    }
}
