package io.dynajournal.cli.cost;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.text.DecimalFormat;
import java.text.DecimalFormatSymbols;
import java.util.Locale;

/** Numbers for people: an estimate has no more than three or four digits that mean something. */
final class Figures {

    private static final int DIGITS = 4;

    private Figures() {}

    /** With separators of thousands; at most four digits that are not zero, but all before the point. */
    static String number(double value) {
        return format(rounded(value), "#,##0.####");
    }

    /** Money, to the cent; below ten cents with more digits. */
    static String money(double value) {
        return value != 0 && Math.abs(value) < 0.1
                ? format(BigDecimal.valueOf(value).round(new MathContext(2, RoundingMode.HALF_UP)), "0.00######")
                : format(BigDecimal.valueOf(value), "#,##0.00");
    }

    /** For JSON and for scripts. */
    static BigDecimal rounded(double value) {
        BigDecimal exact = BigDecimal.valueOf(value);
        int integers = exact.precision() - exact.scale();
        BigDecimal rounded = exact.round(new MathContext(Math.max(DIGITS, integers), RoundingMode.HALF_UP))
                .stripTrailingZeros();
        return rounded.scale() < 0 ? rounded.setScale(0) : rounded;
    }

    /** Money for JSON and for scripts. */
    static BigDecimal cents(double value) {
        return BigDecimal.valueOf(value).setScale(2, RoundingMode.HALF_UP);
    }

    private static String format(BigDecimal value, String pattern) {
        DecimalFormat format = new DecimalFormat(pattern, DecimalFormatSymbols.getInstance(Locale.ROOT));
        format.setRoundingMode(RoundingMode.HALF_UP);
        return format.format(value);
    }
}
