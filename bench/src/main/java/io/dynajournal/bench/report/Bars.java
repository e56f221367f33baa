package io.dynajournal.bench.report;

import java.util.List;
import java.util.Map;

/** A panel of bars for each group, each panel in its own scale. */
public final class Bars {

    private static final double WIDTH = 760;
    private static final double LABELS = 190;
    private static final double VALUES = 90;
    private static final double ROW = 18;
    private static final double MARGIN = 16;

    private Bars() {}

    /**
     * A picture.
     *
     * @param groups values by their label, in the order they are shown
     * @param ours labels that begin so are drawn in another colour
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
                        .text(LABELS + length + 4, y + 12, "start", Shown.of(bar.getValue()));
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
