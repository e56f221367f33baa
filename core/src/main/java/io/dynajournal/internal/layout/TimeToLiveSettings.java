package io.dynajournal.internal.layout;

import io.dynajournal.internal.layout.TimeToLive.Rules;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Reads times to live by name: {@code 7 days}, or {@code off}. */
final class TimeToLiveSettings {

    private static final String CHECK = "check-expiry";
    private static final String DELETES = "use-time-to-live-for-deletes";
    private static final String EVENTS = "event-time-to-live";
    private static final String SNAPSHOTS = "snapshot-time-to-live";
    private static final Set<String> OPTIONS = Set.of(CHECK, DELETES, EVENTS, SNAPSHOTS);

    /** The units of HOCON durations, in nanoseconds. */
    private static final Map<String, Long> UNIT_NANOS = units();

    private TimeToLiveSettings() {}

    /** Whether one of the options is set directly below a path. */
    static boolean areSet(LayoutSettings settings, String path) {
        return OPTIONS.stream().anyMatch(option -> settings.has(path + option));
    }

    /** See {@link TimeToLive#of(LayoutSettings, String, String, Rules)}. */
    static TimeToLive of(LayoutSettings settings, String defaults, String entities, Rules otherwise) {
        Rules forAll = rules(settings, defaults, otherwise);
        Set<String> keys = new TreeSet<>(settings.unread());
        keys.addAll(settings.known());
        Map<String, Rules> byType = new TreeMap<>();
        for (String key : keys) {
            int option = key.lastIndexOf('.') + 1;
            if (key.startsWith(entities) && option > entities.length() && OPTIONS.contains(key.substring(option))) {
                String type = key.substring(entities.length(), option - 1);
                // The same type may be spelled with and without quotes.
                Rules sofar = byType.getOrDefault(unquoted(type), forAll);
                byType.put(unquoted(type), rules(settings, entities + type + ".", sofar));
            }
        }
        return new TimeToLive(forAll, byType);
    }

    /** The rules of one level. */
    static Rules rules(LayoutSettings settings, String at, Rules otherwise) {
        return new Rules(
                settings.flag(at + CHECK, otherwise.checkExpiry()),
                duration(settings, at + DELETES, otherwise.deletes()),
                duration(settings, at + EVENTS, otherwise.events()),
                duration(settings, at + SNAPSHOTS, otherwise.snapshots()));
    }

    private static String unquoted(String name) {
        return name.length() > 1 && name.startsWith("\"") && name.endsWith("\"")
                ? name.substring(1, name.length() - 1)
                : name;
    }

    private static @Nullable Duration duration(LayoutSettings settings, String key, @Nullable Duration otherwise) {
        if (!settings.has(key)) {
            return otherwise;
        }
        String text = settings.text(key, "").trim();
        if (Set.of("off", "none", "false", "no", "").contains(text)) {
            return null;
        }
        int unit = 0;
        while (unit < text.length() && (Character.isDigit(text.charAt(unit)) || text.charAt(unit) == '.')) {
            unit++;
        }
        Long nanos = UNIT_NANOS.get(text.substring(unit).trim());
        if (unit == 0 || nanos == null) {
            throw new IllegalArgumentException(
                    "Setting " + key + " must be off or a duration like 7 days, not \"" + text + "\"");
        }
        try {
            return Duration.ofSeconds(new BigDecimal(text.substring(0, unit))
                    .multiply(BigDecimal.valueOf(nanos))
                    .divideToIntegralValue(BigDecimal.valueOf(1_000_000_000))
                    .longValueExact());
        } catch (ArithmeticException | NumberFormatException e) {
            throw new IllegalArgumentException(
                    "Setting " + key + " must be off or a duration like 7 days, not \"" + text + "\"", e);
        }
    }

    private static Map<String, Long> units() {
        Map<String, Long> units = new TreeMap<>();
        long micro = 1_000;
        long milli = 1_000 * micro;
        long second = 1_000 * milli;
        put(units, 1, "ns", "nano", "nanos", "nanosecond", "nanoseconds");
        put(units, micro, "us", "micro", "micros", "microsecond", "microseconds");
        put(units, milli, "", "ms", "milli", "millis", "millisecond", "milliseconds");
        put(units, second, "s", "second", "seconds");
        put(units, 60 * second, "m", "minute", "minutes");
        put(units, 3_600 * second, "h", "hour", "hours");
        put(units, 86_400 * second, "d", "day", "days");
        return units;
    }

    private static void put(Map<String, Long> units, long nanos, String... names) {
        for (String name : names) {
            units.put(name, nanos);
        }
    }
}
