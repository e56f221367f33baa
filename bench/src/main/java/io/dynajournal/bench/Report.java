package io.dynajournal.bench;

import io.dynajournal.bench.report.BarChart;
import io.dynajournal.bench.report.Json;
import io.dynajournal.bench.report.NumberText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Writes results as tables, JSON and plots. */
final class Report {

    private static final List<String> MEASURES = List.of(
            Figures.SPEED,
            Figures.ENTITY_SPEED,
            Figures.MEDIAN,
            Figures.PERCENTILE_99,
            Figures.PERCENTILE_999,
            Figures.CALM_PERCENTILE_99,
            Figures.REQUESTS,
            Figures.WRITE_UNITS,
            Figures.READ_UNITS,
            Figures.BYTES,
            Figures.CPU,
            Figures.SERVER_CPU,
            Figures.ALLOCATED,
            Figures.ENTITY_REQUESTS,
            Figures.ENTITY_READ_UNITS,
            Figures.ROUND_TRIPS,
            Figures.START_REQUESTS);

    private static final List<String> OF_PROJECTIONS = List.of(
            Figures.SPEED,
            Figures.WRITE_UNITS,
            Figures.READ_UNITS,
            Figures.REQUESTS,
            Figures.START_REQUESTS,
            Figures.CPU,
            Figures.ALLOCATED);

    private static final List<String> OF_WRITES = List.of(
            Figures.SPEED,
            Figures.MEDIAN,
            Figures.PERCENTILE_99,
            Figures.PERCENTILE_999,
            Figures.REQUESTS,
            Figures.WRITE_UNITS,
            Figures.BYTES,
            Figures.CPU,
            Figures.SERVER_CPU,
            Figures.ALLOCATED);

    private static final List<String> OF_STORM = List.of(
            Figures.CALM_PERCENTILE_99,
            Figures.MEDIAN,
            Figures.PERCENTILE_99,
            Figures.PERCENTILE_999,
            Figures.ENTITY_SPEED);

    private static final List<String> OF_RECOVERIES = List.of(
            Figures.SPEED,
            Figures.ENTITY_SPEED,
            Figures.MEDIAN,
            Figures.ENTITY_REQUESTS,
            Figures.ROUND_TRIPS,
            Figures.ENTITY_READ_UNITS,
            Figures.CPU,
            Figures.SERVER_CPU,
            Figures.ALLOCATED);

    private final Results results;
    private final Map<String, Object> about;

    /** @param about facts about the run itself */
    Report(Results results, Map<String, Object> about) {
        this.results = results;
        this.about = about;
    }

    void write(Path directory) throws IOException {
        Files.createDirectories(directory);
        Files.writeString(directory.resolve("latest.json"), json());
        Files.writeString(directory.resolve("latest.md"), markdown());
        for (String measure : MEASURES) {
            Map<String, Map<String, Double>> bars = bars(measure);
            if (!bars.isEmpty()) {
                Files.writeString(directory.resolve(measure + ".svg"), BarChart.of(measure, bars, Plugin.PREFIX));
            }
        }
    }

    private Map<String, Map<String, Double>> bars(String measure) {
        Map<String, Map<String, Double>> groups = new LinkedHashMap<>();
        for (String workload : results.workloads()) {
            Map<String, Double> group = new LinkedHashMap<>();
            results.of(workload).forEach((plugin, figures) -> {
                Double value = figures.number(measure);
                if (value != null) {
                    group.put(plugin, value);
                }
            });
            if (group.values().stream().anyMatch(value -> value > 0)) {
                groups.put(workload, group);
            }
        }
        return groups;
    }

    String json() {
        Map<String, Object> workloads = new LinkedHashMap<>();
        for (String workload : results.workloads()) {
            Map<String, Object> plugins = new LinkedHashMap<>();
            results.of(workload).forEach((plugin, figures) -> plugins.put(plugin, json(workload, plugin, figures)));
            workloads.put(workload, plugins);
        }
        Map<String, Object> all = new LinkedHashMap<>(about);
        all.put("workloads", workloads);
        List<Map<String, Object>> claims = new ArrayList<>();
        for (Claims.Claim claim : Claims.of(results)) {
            claims.add(Map.of("claim", claim.text(), "holds", claim.holds()));
        }
        all.put("claims", claims);
        return Json.of(all);
    }

    private Map<String, Object> json(String workload, String plugin, Figures figures) {
        Map<String, Object> json = new LinkedHashMap<>(figures.numbers());
        if (figures.consistentReads() != null) {
            json.put("consistentReads", figures.consistentReads());
        }
        if (figures.failure() != null) {
            json.put("failure", figures.failure());
        }
        List<Double> speeds = results.each(workload, plugin, Figures.SPEED);
        if (speeds.size() > 1) {
            json.put("eventsPerSecondOfEachRun", speeds);
        }
        return json;
    }

    /** All tables and the claims. */
    String markdown() {
        return comparison() + projections();
    }

    /**
     * A table for each workload of entities, and the claims; empty if only projections were measured. In brackets: the ratio of a
     * row of Dynajournal to the best peer's.
     */
    String comparison() {
        StringBuilder text = new StringBuilder();
        tables(text, false);
        if (text.isEmpty()) {
            return "";
        }
        text.append("\n### Claims\n\n");
        for (Claims.Claim claim : Claims.of(results)) {
            text.append("- ")
                    .append(claim.holds() ? "holds: " : "**does not hold**: ")
                    .append(claim.text())
                    .append('\n');
        }
        return text.toString();
    }

    /** A table for each workload of projections; empty if none was measured. */
    String projections() {
        StringBuilder text = new StringBuilder();
        tables(text, true);
        return text.toString();
    }

    private void tables(StringBuilder text, boolean ofProjections) {
        for (String workload : results.workloads()) {
            Map<String, Figures> figures = results.of(workload);
            if (workload.startsWith(ProjectionWorkload.PREFIX) == ofProjections) {
                text.append("\n### ").append(workload).append("\n\n");
                table(text, workload, figures);
                if (workload.equals(Workloads.STUB)) {
                    ToolkitOverhead.of(results)
                            .ifPresent(overhead ->
                                    text.append('\n').append(overhead).append('\n'));
                }
            }
        }
    }

    private static List<String> columns(String workload, boolean recovery) {
        if (recovery) {
            return OF_RECOVERIES;
        }
        if (workload.startsWith(ProjectionWorkload.PREFIX)) {
            return OF_PROJECTIONS;
        }
        return workload.equals(StormWorkload.NAME) ? OF_STORM : OF_WRITES;
    }

    private void table(StringBuilder text, String workload, Map<String, Figures> figures) {
        boolean recovery = has(figures, Figures.ROUND_TRIPS);
        List<String> columns = columns(workload, recovery).stream()
                .filter(name -> has(figures, name))
                .toList();
        text.append("| plugin |");
        columns.forEach(name -> text.append(' ').append(name).append(" |"));
        text.append(recovery ? " consistentReads |" : "").append("\n|---|");
        columns.forEach(name -> text.append("---:|"));
        text.append(recovery ? "---|" : "").append('\n');
        figures.forEach((plugin, each) -> {
            text.append("| ").append(plugin).append(" |");
            if (each.failure() != null) {
                text.append(" failed: ").append(shortened(each.failure())).append(" |");
            } else {
                columns.forEach(name -> text.append(' ')
                        .append(cell(workload, plugin, name, each))
                        .append(" |"));
                text.append(recovery ? " " + each.consistentReads() + " |" : "");
            }
            text.append('\n');
        });
    }

    private static boolean has(Map<String, Figures> figures, String name) {
        return figures.values().stream().anyMatch(each -> each.number(name) != null);
    }

    private static String shortened(String failure) {
        String oneLine = failure.replace('|', '/');
        return oneLine.length() > 160 ? oneLine.substring(0, 160) + "…" : oneLine;
    }

    private String cell(String workload, String plugin, String name, Figures figures) {
        Double value = figures.number(name);
        if (value == null) {
            return "";
        }
        Optional<Double> peer = results.bestPeer(workload, name);
        return plugin.startsWith(Plugin.PREFIX) && peer.isPresent() && peer.get() > 0
                ? NumberText.of(value) + " (" + NumberText.of(value / peer.get()) + ")"
                : NumberText.of(value);
    }
}
