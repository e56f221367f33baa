package io.dynajournal.bench.report;

import java.util.Locale;

/** Formats numbers for tables: three digits, or whole. */
public final class NumberText {

    private NumberText() {}

    public static String of(double value) {
        double size = Math.abs(value);
        if (value == Math.rint(value) || size >= 100) {
            return String.format(Locale.ROOT, "%,.0f", value);
        }
        if (size >= 10) {
            return String.format(Locale.ROOT, "%.1f", value);
        }
        return String.format(Locale.ROOT, size >= 0.1 ? "%.2f" : "%.4f", value);
    }
}
