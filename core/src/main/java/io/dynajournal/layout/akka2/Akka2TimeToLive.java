package io.dynajournal.layout.akka2;

import io.dynajournal.layout.LayoutSettings;
import io.dynajournal.model.Slices;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * When items expire, by entity type: what stands before the first {@code |} of an id.
 *
 * @param entities by type, or by the beginning of a type and {@code *}; the exact type wins, then the longest beginning
 */
public record Akka2TimeToLive(Rules defaults, Map<String, Rules> entities) {

    private static final String ROOT = "time-to-live.";
    private static final String DEFAULTS = ROOT + "event-sourced-defaults.";
    private static final String ENTITIES = ROOT + "event-sourced-entities.";
    private static final String CHECK = "check-expiry";
    private static final String DELETES = "use-time-to-live-for-deletes";
    private static final String EVENTS = "event-time-to-live";
    private static final String SNAPSHOTS = "snapshot-time-to-live";
    private static final Set<String> OPTIONS = Set.of(CHECK, DELETES, EVENTS, SNAPSHOTS);

    /** The units of HOCON in nanoseconds. */
    private static final Map<String, Long> UNITS = units();

    /**
     * The rules of an entity type.
     *
     * @param checkExpiry whether an expired item counts as deleted before DynamoDB removes it
     * @param deletes after which time deleted items go; null if they go at once
     * @param events how long events live; null for ever
     * @param snapshots how long snapshots live; null for ever
     */
    public record Rules(
            boolean checkExpiry,
            @Nullable Duration deletes,
            @Nullable Duration events,
            @Nullable Duration snapshots) {

        /** Nothing expires, and what others let expire is gone. */
        public static final Rules NONE = new Rules(true, null, null, null);
    }

    public Akka2TimeToLive {
        entities = Map.copyOf(entities);
    }

    /** Nothing expires. */
    public static Akka2TimeToLive none() {
        return new Akka2TimeToLive(Rules.NONE, Map.of());
    }

    /** Reads the block {@code time-to-live} of the predecessor. */
    public static Akka2TimeToLive of(LayoutSettings settings) {
        Rules defaults = rules(settings, DEFAULTS, Rules.NONE);
        Set<String> keys = new TreeSet<>(settings.unread());
        keys.addAll(settings.known());
        Map<String, Rules> entities = new TreeMap<>();
        for (String key : keys) {
            int option = key.lastIndexOf('.') + 1;
            if (key.startsWith(ENTITIES) && option > ENTITIES.length() && OPTIONS.contains(key.substring(option))) {
                String type = key.substring(ENTITIES.length(), option - 1);
                // One type may be spelled with and without quotes.
                Rules sofar = entities.getOrDefault(unquoted(type), defaults);
                entities.put(unquoted(type), rules(settings, ENTITIES + type + ".", sofar));
            }
        }
        return new Akka2TimeToLive(defaults, entities);
    }

    /** The rules for an id. */
    public Rules of(String persistenceId) {
        String type = Slices.entityType(persistenceId);
        Rules exact = entities.get(type);
        if (exact != null) {
            return exact;
        }
        Rules found = defaults;
        int longest = -1;
        for (Map.Entry<String, Rules> entry : entities.entrySet()) {
            String pattern = entry.getKey();
            int length = pattern.length() - 1;
            if (pattern.endsWith("*") && length > longest && type.startsWith(pattern.substring(0, length))) {
                found = entry.getValue();
                longest = length;
            }
        }
        return found;
    }

    private static Rules rules(LayoutSettings settings, String at, Rules otherwise) {
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
        Long nanos = UNITS.get(text.substring(unit).trim());
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
            throw new IllegalArgumentException("Setting " + key + " has no usable number: \"" + text + "\"", e);
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
