package io.dynajournal.testkit.simulator;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.Capacity;
import software.amazon.awssdk.services.dynamodb.model.ConsumedCapacity;
import software.amazon.awssdk.services.dynamodb.model.ReturnConsumedCapacity;

/** Capacity units of a table and of its indexes by name, by AWS's published rules. */
record Units(double table, Map<String, Double> indexes) {

    private static final int WRITE_BYTES = 1024;
    private static final int READ_BYTES = 4096;

    static Units ofTable(double units) {
        return new Units(units, Map.of());
    }

    static double writes(int bytes) {
        return Math.max(1, (bytes + WRITE_BYTES - 1) / WRITE_BYTES);
    }

    static double reads(int bytes, boolean consistent) {
        return Math.max(1, (bytes + READ_BYTES - 1) / READ_BYTES) * (consistent ? 1 : 0.5);
    }

    static Units reads(@Nullable String index, int bytes, boolean consistent) {
        double units = reads(bytes, consistent);
        return index == null ? ofTable(units) : new Units(0, Map.of(index, units));
    }

    Units plus(Units other) {
        Map<String, Double> all = new LinkedHashMap<>(indexes);
        other.indexes.forEach((index, units) -> all.merge(index, units, Double::sum));
        return new Units(table + other.table, all);
    }

    Units times(int factor) {
        Map<String, Double> all = new LinkedHashMap<>();
        indexes.forEach((index, units) -> all.put(index, units * factor));
        return new Units(table * factor, all);
    }

    double total() {
        return table
                + indexes.values().stream().mapToDouble(Double::doubleValue).sum();
    }

    /** Null if the request did not ask for it. */
    @Nullable
    ConsumedCapacity report(Table of, @Nullable ReturnConsumedCapacity wanted) {
        if (wanted == null || wanted == ReturnConsumedCapacity.NONE) {
            return null;
        }
        ConsumedCapacity.Builder report =
                ConsumedCapacity.builder().tableName(of.name()).capacityUnits(total());
        if (wanted == ReturnConsumedCapacity.INDEXES) {
            report.table(units(table));
            Map<String, Capacity> global = new LinkedHashMap<>();
            Map<String, Capacity> local = new LinkedHashMap<>();
            for (IndexShape shape : of.indexShapes()) {
                Double units = indexes.get(shape.name());
                if (units != null) {
                    (shape.local() ? local : global).put(shape.name(), units(units));
                }
            }
            if (!global.isEmpty()) {
                report.globalSecondaryIndexes(global);
            }
            if (!local.isEmpty()) {
                report.localSecondaryIndexes(local);
            }
        }
        return report.build();
    }

    private static Capacity units(double units) {
        return Capacity.builder().capacityUnits(units).build();
    }
}
