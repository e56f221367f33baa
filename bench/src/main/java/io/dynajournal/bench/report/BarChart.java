package io.dynajournal.bench.report;

import java.util.List;
import java.util.Map;

/** A bar chart as SVG: a panel for each group, each with a scale of its own. */
public final class BarChart {

    private static final double WIDTH = 760;
    private static final double LABELS = 190;
    private static final double VALUES = 90;
    private static final double ROW = 18;
    private static final double MARGIN = 16;

    private BarChart() {}

    /**
     * Draws a chart.
     *
     * @param groups values by label, in the order of the chart
     * @param ours bars whose label starts with this are highlighted
     */
    public static String of(String title, Map<String, Map<String, Double>> groups, String ours) {
        int rows = groups.values().stream().mapToInt(Map::size).sum();
        Svg svg = new Svg(WIDTH, 3 * MARGIN + rows * ROW + groups.size() * 2.5 * ROW);
        svg.bold(MARGIN, 1.5 * MARGIN, title);
        double y = 3 * MARGIN;
        for (Map.Entry<String, Map<String, Double>> group : groups.entrySet()) {
            svg.bold(MARGIN, y + ROW, group.getKey());
            y += 1.5 * ROW;
            double largest = largest(List.copyOf(group.getValue().values()));
            for (Map.Entry<String, Double> bar : group.getValue().entrySet()) {
                double length = (WIDTH - LABELS - VALUES - MARGIN) * bar.getValue() / largest;
                svg.text(LABELS - 6, y + 12, "end", bar.getKey())
                        .box(LABELS, y + 2, length, ROW - 5, bar.getKey().startsWith(ours) ? "#1b6ca8" : "#b8b8b8")
                        .text(LABELS + length + 4, y + 12, "start", NumberText.of(bar.getValue()));
                y += ROW;
            }
            y += ROW;
        }
        return svg.toString();
    }

    private static double largest(List<Double> values) {
        double largest = values.stream().mapToDouble(Double::doubleValue).max().orElse(0);
        return largest > 0 ? largest : 1;
    }
}
