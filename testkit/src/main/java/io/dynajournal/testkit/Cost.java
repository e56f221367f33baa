package io.dynajournal.testkit;

import io.dynajournal.listener.Operation;
import java.util.EnumMap;
import java.util.Map;

/**
 * The cost of requests, by AWS's published rules.
 *
 * @param requests the number of requests by operation, retries included
 * @param tableWrites write units of the table
 * @param indexWrites write units of its indexes
 * @param tableReads read units of the table
 * @param indexReads read units of its indexes
 */
public record Cost(
        Map<Operation, Integer> requests,
        double tableWrites,
        double indexWrites,
        double tableReads,
        double indexReads) {

    /** No request. */
    public static final Cost NONE = new Cost(Map.of(), 0, 0, 0, 0);

    public Cost {
        requests = Map.copyOf(requests);
    }

    /** The number of requests of all operations. */
    public int totalRequests() {
        return requests.values().stream().mapToInt(Integer::intValue).sum();
    }

    /** Write units of the table and its indexes. */
    public double writes() {
        return tableWrites + indexWrites;
    }

    /** Read units of the table and its indexes. */
    public double reads() {
        return tableReads + indexReads;
    }

    Cost plus(Cost other) {
        Map<Operation, Integer> sum = new EnumMap<>(Operation.class);
        sum.putAll(requests);
        other.requests.forEach((operation, count) -> sum.merge(operation, count, Integer::sum));
        return new Cost(
                sum,
                tableWrites + other.tableWrites,
                indexWrites + other.indexWrites,
                tableReads + other.tableReads,
                indexReads + other.indexReads);
    }
}
