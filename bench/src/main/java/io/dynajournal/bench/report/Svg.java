package io.dynajournal.bench.report;

import java.util.Locale;

/** Builds an SVG document. */
final class Svg {

    private final StringBuilder out = new StringBuilder();
    private final double width;
    private final double height;

    Svg(double width, double height) {
        this.width = width;
        this.height = height;
    }

    Svg box(double x, double y, double boxWidth, double boxHeight, String colour) {
        out.append(String.format(
                Locale.ROOT,
                "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"%s\"/>%n",
                x,
                y,
                boxWidth,
                boxHeight,
                colour));
        return this;
    }

    Svg line(double x1, double y1, double x2, double y2, String colour) {
        out.append(String.format(
                Locale.ROOT,
                "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\"/>%n",
                x1,
                y1,
                x2,
                y2,
                colour));
        return this;
    }

    Svg dot(double x, double y, String colour) {
        out.append(String.format(Locale.ROOT, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" fill=\"%s\"/>%n", x, y, colour));
        return this;
    }

    /** @param anchor {@code start}, {@code middle} or {@code end} */
    Svg text(double x, double y, String anchor, String text) {
        return text(x, y, anchor, "", text);
    }

    Svg bold(double x, double y, String text) {
        return text(x, y, "start", " font-weight=\"bold\"", text);
    }

    private Svg text(double x, double y, String anchor, String more, String text) {
        out.append(String.format(
                Locale.ROOT,
                "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\"%s>%s</text>%n",
                x,
                y,
                anchor,
                more,
                escaped(text)));
        return this;
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }

    @Override
    public String toString() {
        return String.format(
                        Locale.ROOT,
                        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %.0f %.0f\" width=\"%.0f\" height=\"%.0f\""
                                + " font-family=\"sans-serif\" font-size=\"12\">%n<rect width=\"100%%\" height=\"100%%\""
                                + " fill=\"white\"/>%n",
                        width,
                        height,
                        width,
                        height)
                + out
                + "</svg>\n";
    }
}
