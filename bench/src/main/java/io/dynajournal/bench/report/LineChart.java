package io.dynajournal.bench.report;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;

/** A line chart as SVG, with logarithmic axes. */
public final class LineChart {

    private static final double WIDTH = 760;
    private static final double HEIGHT = 420;
    private static final double LEFT = 70;
    private static final double RIGHT = 230;
    private static final double TOP = 40;
    private static final double BOTTOM = 45;
    private static final List<String> COLOURS =
            List.of("#1b6ca8", "#c0392b", "#27864b", "#8e44ad", "#d68910", "#555555", "#16a085", "#7b241c");

    private final double lowX;
    private final double highX;
    private final double lowY;
    private final double highY;

    private LineChart(double lowX, double highX, double lowY, double highY) {
        this.lowX = lowX;
        this.highX = highX;
        this.lowY = lowY;
        this.highY = highY;
    }

    /** Draws lines by name. Values below 0.1 are drawn as 0.1. */
    public static String of(String title, String xAxis, Map<String, SortedMap<Long, Double>> lines) {
        double[] xs = lines.values().stream()
                .flatMap(line -> line.keySet().stream())
                .mapToDouble(Long::doubleValue)
                .toArray();
        double[] ys = lines.values().stream()
                .flatMap(line -> line.values().stream())
                .mapToDouble(LineChart::floored)
                .toArray();
        if (xs.length == 0) {
            throw new IllegalArgumentException("nothing to draw: " + title);
        }
        return new LineChart(
                        decade(min(xs), false), decade(max(xs), true), decade(min(ys), false), decade(max(ys), true))
                .draw(title, xAxis, lines);
    }

    private static double floored(double value) {
        return Math.max(0.1, value);
    }

    private static double min(double[] values) {
        return Arrays.stream(values).min().orElseThrow();
    }

    private static double max(double[] values) {
        return Arrays.stream(values).max().orElseThrow();
    }

    private static double decade(double value, boolean up) {
        double exponent = Math.log10(value);
        return up ? Math.ceil(exponent) : Math.floor(exponent);
    }

    private String draw(String title, String xAxis, Map<String, SortedMap<Long, Double>> lines) {
        Svg svg = new Svg(WIDTH, HEIGHT);
        svg.bold(LEFT, 20, title);
        for (double exponent = lowX; exponent <= highX; exponent++) {
            double x = x(Math.pow(10, exponent));
            svg.line(x, TOP, x, HEIGHT - BOTTOM, "#e0e0e0")
                    .text(x, HEIGHT - BOTTOM + 16, "middle", NumberText.of(Math.pow(10, exponent)));
        }
        for (double exponent = lowY; exponent <= highY; exponent++) {
            double y = y(Math.pow(10, exponent));
            svg.line(LEFT, y, WIDTH - RIGHT, y, "#e0e0e0")
                    .text(LEFT - 6, y + 4, "end", NumberText.of(Math.pow(10, exponent)));
        }
        svg.text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 8, "middle", xAxis);
        int number = 0;
        for (Map.Entry<String, SortedMap<Long, Double>> line : lines.entrySet()) {
            String colour = COLOURS.get(number % COLOURS.size());
            draw(svg, line.getValue(), colour);
            double y = TOP + 18 * number;
            svg.box(WIDTH - RIGHT + 14, y, 10, 10, colour).text(WIDTH - RIGHT + 30, y + 10, "start", line.getKey());
            number++;
        }
        return svg.toString();
    }

    private void draw(Svg svg, SortedMap<Long, Double> line, String colour) {
        double beforeX = Double.NaN;
        double beforeY = Double.NaN;
        for (Map.Entry<Long, Double> point : line.entrySet()) {
            double x = x(point.getKey());
            double y = y(floored(point.getValue()));
            if (!Double.isNaN(beforeX)) {
                svg.line(beforeX, beforeY, x, y, colour);
            }
            svg.dot(x, y, colour);
            beforeX = x;
            beforeY = y;
        }
    }

    private double x(double value) {
        return LEFT + (WIDTH - LEFT - RIGHT) * (Math.log10(value) - lowX) / Math.max(1, highX - lowX);
    }

    private double y(double value) {
        return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * (Math.log10(value) - lowY) / Math.max(1, highY - lowY);
    }
}
