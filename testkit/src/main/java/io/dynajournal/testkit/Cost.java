package io.dynajournal.testkit;

import io.dynajournal.dynamo.Operation;
import java.util.Map;

/**
 * What requests took.
 *
 * @param requests how many of each operation were sent, repetitions included
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

    public Cost {
        requests = Map.copyOf(requests);
    }

    public int totalRequests() {
        return requests.values().stream().mapToInt(Integer::intValue).sum();
    }

    public double writes() {
        return tableWrites + indexWrites;
    }

    public double reads() {
        return tableReads + indexReads;
    }
}
