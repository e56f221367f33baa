package io.dynajournal.bench;

import io.dynajournal.bench.report.NumberText;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** How much of an event's CPU time on the stub is the toolkit's, and how much is Dynajournal's. */
final class ToolkitOverhead {

    private ToolkitOverhead() {}

    /** Empty unless both the toolkit alone and Dynajournal were measured. */
    static Optional<String> of(Results results) {
        Double toolkit = results.number(Workloads.STUB, Plugin.TOOLKIT, Figures.CPU);
        Double speed = results.number(Workloads.STUB, Plugin.TOOLKIT, Figures.SPEED);
        if (toolkit == null || speed == null) {
            return Optional.empty();
        }
        String ours = List.of(Plugin.DEFAULT, Plugin.SINGLE_PUTS).stream()
                .flatMap(plugin -> remainder(results, plugin, toolkit))
                .collect(Collectors.joining(", "));
        return ours.isEmpty()
                ? Optional.empty()
                : Optional.of("The toolkit alone persists " + NumberText.of(speed) + " events per second and uses "
                        + NumberText.of(toolkit) + " µs of CPU per event. Without it, an event costs: " + ours + ".");
    }

    private static Stream<String> remainder(Results results, String plugin, double toolkit) {
        Double whole = results.number(Workloads.STUB, plugin, Figures.CPU);
        return whole == null
                ? Stream.empty()
                : Stream.of(
                        "`" + plugin + "` " + NumberText.of(whole - toolkit) + " of " + NumberText.of(whole) + " µs");
    }
}
