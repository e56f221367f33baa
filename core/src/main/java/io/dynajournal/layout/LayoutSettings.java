package io.dynajournal.layout;

import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a layout by name, wherever they came from: a configuration file or a command line. Remembers which were
 * asked for, so that the others can be reported. Not thread-safe.
 */
public final class LayoutSettings {

    private final Map<String, String> values;
    private final @Nullable Object source;
    private final Set<String> read = new TreeSet<>();

    public LayoutSettings(Map<String, String> values) {
        this(values, null);
    }

    /** @param source what the settings were read from; a user's own class may want it in its constructor */
    public LayoutSettings(Map<String, String> values, @Nullable Object source) {
        this.values = Map.copyOf(values);
        this.source = source;
    }

    /** What the settings were read from; null if they came one by one. */
    public @Nullable Object source() {
        return source;
    }

    public String text(String key, String otherwise) {
        read.add(key);
        return values.getOrDefault(key, otherwise);
    }

    /** A setting without a default. */
    public String required(String key) {
        read.add(key);
        String value = values.get(key);
        if (value == null || value.isBlank()) {
            throw new IllegalArgumentException("Setting " + key + " is missing");
        }
        return value;
    }

    public boolean has(String key) {
        read.add(key);
        return values.containsKey(key);
    }

    /** A whole number of at least {@code least}. */
    public int count(String key, int otherwise, int least) {
        String text = text(key, Integer.toString(otherwise));
        try {
            int value = Integer.parseInt(text.trim());
            if (value >= least) {
                return value;
            }
        } catch (NumberFormatException e) {
            throw wrong(key, text, "a whole number", e);
        }
        throw wrong(key, text, "a whole number of " + least + " or more", null);
    }

    public boolean flag(String key, boolean otherwise) {
        String text = text(key, otherwise ? "on" : "off");
        return switch (text.trim()) {
            case "on", "true", "yes" -> true;
            case "off", "false", "no" -> false;
            default -> throw wrong(key, text, "on or off", null);
        };
    }

    /** What nobody has asked for. */
    public Set<String> unread() {
        Set<String> keys = new TreeSet<>(values.keySet());
        keys.removeAll(read);
        return keys;
    }

    /** What was asked for, given or not. */
    public Set<String> known() {
        return Set.copyOf(read);
    }

    private static IllegalArgumentException wrong(
            String key, String found, String expected, @Nullable Throwable cause) {
        return new IllegalArgumentException(
                "Setting " + key + " must be " + expected + ", not \"" + found + "\"", cause);
    }
}
