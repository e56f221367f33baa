package io.dynajournal.bench;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The figures of one plugin in one workload.
 *
 * @param numbers by name; those that do not apply are missing
 * @param consistentReads whether all reads were consistent; null if nothing was read
 * @param failure why there are no numbers; null if there are
 */
record Figures(
        Map<String, Double> numbers,
        @Nullable Boolean consistentReads,
        @Nullable String failure) {

    static final String REQUESTS = "requestsPerEvent";
    static final String WRITE_UNITS = "wcuPerEvent";
    static final String READ_UNITS = "rcuPerEvent";
    static final String BYTES = "bytesPerEvent";
    static final String ITEMS = "itemsPerEvent";
    static final String SPEED = "eventsPerSecond";
    static final String MEDIAN = "p50Millis";
    static final String PERCENTILE_99 = "p99Millis";
    static final String PERCENTILE_999 = "p999Millis";
    static final String CPU = "clientCpuMicrosPerEvent";
    static final String SERVER_CPU = "serverCpuMicrosPerEvent";
    static final String ALLOCATED = "allocatedBytesPerEvent";
    static final String ENTITY_REQUESTS = "requestsPerEntity";
    static final String ENTITY_READ_UNITS = "rcuPerEntity";
    static final String ROUND_TRIPS = "roundTripsPerEntity";
    /** Of the writers, before the entities started. */
    static final String CALM_PERCENTILE_99 = "calmP99Millis";

    static final String ENTITY_SPEED = "entitiesPerSecond";
    static final String START_REQUESTS = "requestsAtStart";
    static final String ENTITIES = "entities";
    static final String EVENTS = "events";

    /** No figures. */
    static final Figures NONE = new Figures(Map.of(), null, null);

    static Figures failed(String why) {
        return new Figures(Map.of(), null, why);
    }

    @Nullable
    Double number(String name) {
        return numbers.get(name);
    }

    /** The median of each number over all turns that have it; a failure if no turn has numbers. */
    static Figures median(List<Figures> runs) {
        List<Figures> good =
                runs.stream().filter(run -> !run.numbers().isEmpty()).toList();
        if (good.isEmpty()) {
            return runs.get(0);
        }
        Map<String, Double> medians = new LinkedHashMap<>();
        for (String name : names(good)) {
            medians.put(
                    name,
                    middle(good.stream()
                            .map(run -> run.number(name))
                            .filter(Objects::nonNull)
                            .toList()));
        }
        return new Figures(medians, good.get(0).consistentReads(), null);
    }

    private static Set<String> names(List<Figures> runs) {
        Set<String> names = new LinkedHashSet<>();
        runs.forEach(run -> names.addAll(run.numbers().keySet()));
        return names;
    }

    private static double middle(List<Double> values) {
        List<Double> sorted = values.stream().sorted().toList();
        int middle = sorted.size() / 2;
        return sorted.size() % 2 == 1 ? sorted.get(middle) : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
    }
}
