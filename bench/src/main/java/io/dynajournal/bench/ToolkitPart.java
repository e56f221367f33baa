package io.dynajournal.bench;

import io.dynajournal.bench.report.Shown;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** How much of what an event takes on the stub is the toolkit's, and how much is ours. */
final class ToolkitPart {

    private ToolkitPart() {}

    /** Empty if the toolkit was not measured alone, or none of ours was. */
    static Optional<String> of(Results results) {
        Double toolkit = results.number(Workloads.STUB, Plugin.TOOLKIT, Figures.CPU);
        Double speed = results.number(Workloads.STUB, Plugin.TOOLKIT, Figures.SPEED);
        if (toolkit == null || speed == null) {
            return Optional.empty();
        }
        String ours = List.of(Plugin.NATIVE, Plugin.SINGLE_PUTS).stream()
                .flatMap(plugin -> less(results, plugin, toolkit))
                .collect(Collectors.joining(", "));
        return ours.isEmpty()
                ? Optional.empty()
                : Optional.of("The toolkit alone makes " + Shown.of(speed) + " events per second and takes "
                        + Shown.of(toolkit) + " µs of CPU for each. What is left of ours for an event: " + ours + ".");
    }

    private static Stream<String> less(Results results, String plugin, double toolkit) {
        Double whole = results.number(Workloads.STUB, plugin, Figures.CPU);
        return whole == null
                ? Stream.empty()
                : Stream.of("`" + plugin + "` " + Shown.of(whole - toolkit) + " of " + Shown.of(whole) + " µs");
    }
}
