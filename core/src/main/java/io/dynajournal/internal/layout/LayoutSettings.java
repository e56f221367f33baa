package io.dynajournal.internal.layout;

import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a layout by name, from a configuration file or a command line. Records which keys were read, so that
 * unknown keys can be reported. Not thread-safe.
 */
public final class LayoutSettings {

    private final Map<String, String> values;
    private final @Nullable Object source;
    private final Set<String> read = new TreeSet<>();

    public LayoutSettings(Map<String, String> values) {
        this(values, null);
    }

    /** @param source the configuration object; a user's own class may take it in its constructor */
    public LayoutSettings(Map<String, String> values, @Nullable Object source) {
        this.values = Map.copyOf(values);
        this.source = source;
    }

    /** The configuration object; null for settings from a command line. */
    public @Nullable Object source() {
        return source;
    }

    /** The value, or the default if the key is absent. */
    public String text(String key, String otherwise) {
        read.add(key);
        return values.getOrDefault(key, otherwise);
    }

    /**
     * A setting without a default.
     *
     * @throws IllegalArgumentException if it is absent or blank
     */
    public String required(String key) {
        read.add(key);
        String value = values.get(key);
        if (value == null || value.isBlank()) {
            throw new IllegalArgumentException("Setting " + key + " is missing; it has no default");
        }
        return value;
    }

    /** Whether the key is present. */
    public boolean has(String key) {
        read.add(key);
        return values.containsKey(key);
    }

    /**
     * A whole number with a lower bound.
     *
     * @throws IllegalArgumentException if it is no whole number, or less than {@code minimum}
     */
    public int count(String key, int otherwise, int minimum) {
        String text = text(key, Integer.toString(otherwise));
        try {
            int value = Integer.parseInt(text.trim());
            if (value >= minimum) {
                return value;
            }
        } catch (NumberFormatException e) {
            throw invalid(key, text, "a whole number", e);
        }
        throw invalid(key, text, "a whole number of " + minimum + " or more", null);
    }

    /**
     * A switch: {@code on}, {@code true} or {@code yes}; {@code off}, {@code false} or {@code no}.
     *
     * @throws IllegalArgumentException for any other value
     */
    public boolean flag(String key, boolean otherwise) {
        String text = text(key, otherwise ? "on" : "off");
        return switch (text.trim()) {
            case "on", "true", "yes" -> true;
            case "off", "false", "no" -> false;
            default -> throw invalid(key, text, "on or off", null);
        };
    }

    /** The keys that are present and were never read. */
    public Set<String> unread() {
        Set<String> keys = new TreeSet<>(values.keySet());
        keys.removeAll(read);
        return keys;
    }

    /** The keys that were read, present or not. */
    public Set<String> known() {
        return Set.copyOf(read);
    }

    private static IllegalArgumentException invalid(
            String key, String found, String expected, @Nullable Throwable cause) {
        return new IllegalArgumentException(
                "Setting " + key + " must be " + expected + ", not \"" + found + "\"", cause);
    }
}
