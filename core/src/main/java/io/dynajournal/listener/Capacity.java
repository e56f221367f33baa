package io.dynajournal.listener;

import java.util.List;
import software.amazon.awssdk.services.dynamodb.model.ConsumedCapacity;

/** Capacity units that a request took, in the table and in its indexes. */
public record Capacity(double table, double indexes) {

    public static final Capacity NONE = new Capacity(0, 0);

    public double total() {
        return table + indexes;
    }

    Capacity plus(Capacity other) {
        return new Capacity(table + other.table, indexes + other.indexes);
    }

    public static Capacity of(List<ConsumedCapacity> consumed) {
        Capacity sum = NONE;
        for (ConsumedCapacity each : consumed) {
            sum = sum.plus(of(each));
        }
        return sum;
    }

    private static Capacity of(ConsumedCapacity consumed) {
        if (consumed.capacityUnits() == null) {
            return NONE;
        }
        double table = consumed.table() == null
                ? consumed.capacityUnits()
                : consumed.table().capacityUnits();
        return new Capacity(table, consumed.capacityUnits() - table);
    }
}
