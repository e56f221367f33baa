package io.dynajournal.bench.growth;

import io.dynajournal.bench.report.LineChart;
import io.dynajournal.bench.report.NumberText;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** The cost of operations by size. Not thread-safe. */
final class Curves {

    static final List<String> MEASURES = List.of("requests", "readUnits", "writeUnits", "millis");

    private final String sizeName;
    private final Map<String, SortedMap<Long, Point>> curves = new LinkedHashMap<>();

    /** @param sizeName the label of the size */
    Curves(String sizeName) {
        this.sizeName = sizeName;
    }

    void add(String operation, long size, Point point) {
        curves.computeIfAbsent(operation, name -> new TreeMap<>()).put(size, point);
    }

    Map<String, Object> json() {
        Map<String, Object> json = new LinkedHashMap<>();
        curves.forEach((operation, points) -> {
            Map<String, Object> sizes = new LinkedHashMap<>();
            points.forEach((size, point) -> sizes.put(Long.toString(size), point.numbers()));
            json.put(operation, sizes);
        });
        return json;
    }

    String plot(String measure) {
        Map<String, SortedMap<Long, Double>> lines = new LinkedHashMap<>();
        curves.forEach((operation, points) -> {
            SortedMap<Long, Double> line = new TreeMap<>();
            points.forEach((size, point) -> line.put(size, point.numbers().getOrDefault(measure, 0.0)));
            if (line.values().stream().anyMatch(value -> value > 0)) {
                lines.put(operation, line);
            }
        });
        return LineChart.of(measure + " by " + sizeName, sizeName, lines);
    }

    /** Requests, read units, write units and milliseconds at each size. */
    String markdown() {
        StringBuilder text = new StringBuilder();
        curves.forEach((operation, points) -> {
            if (text.isEmpty()) {
                text.append("| ").append(sizeName).append(" |");
                points.keySet()
                        .forEach(size ->
                                text.append(' ').append(NumberText.of(size)).append(" |"));
                text.append("\n|---|").append("---|".repeat(points.size())).append('\n');
            }
            text.append("| ").append(operation).append(" |");
            points.values()
                    .forEach(point -> text.append(' ').append(cell(point)).append(" |"));
            text.append('\n');
        });
        return text.toString();
    }

    private static String cell(Point point) {
        StringBuilder cell = new StringBuilder(NumberText.of(point.requests())).append(" req");
        if (point.readUnits() > 0) {
            cell.append(", ").append(NumberText.of(point.readUnits())).append(" r");
        }
        if (point.writeUnits() > 0) {
            cell.append(", ").append(NumberText.of(point.writeUnits())).append(" w");
        }
        return cell.append(", ")
                .append(NumberText.of(point.millis()))
                .append(" ms")
                .toString();
    }
}
