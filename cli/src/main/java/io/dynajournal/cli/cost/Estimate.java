package io.dynajournal.cli.cost;

import java.util.List;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * What a workload takes on a layout.
 *
 * @param whole whether all of the workload is counted: not every layout can carry projections
 * @param notes what this layout does not do, or does differently
 * @param problem why the layout cannot carry the workload; null if it can
 */
public record Estimate(
        String layout,
        List<Activity> activities,
        double tableBytes,
        double indexBytes,
        boolean whole,
        List<String> notes,
        @Nullable String problem) {

    public Estimate {
        activities = List.copyOf(activities);
        notes = List.copyOf(notes);
    }

    static Estimate impossible(String layout, String problem) {
        return new Estimate(layout, List.of(), 0, 0, false, List.of(), problem);
    }

    double sum(ToDoubleFunction<Activity> units) {
        return activities.stream().mapToDouble(units).sum();
    }
}
