package io.dynajournal.internal.settings;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.TreeMap;

/** A predecessor's settings that have no effect here, each with the reason or the alternative; from a file in our jar. */
final class IgnoredSettings {

    static final Map<String, String> AKKA1 = load("akka1");
    static final Map<String, String> AKKA2 = load("akka2");
    static final Map<String, String> J5IK2O = load("j5ik2o");

    private IgnoredSettings() {}

    private static Map<String, String> load(String predecessor) {
        String file = "without-effect-" + predecessor + ".properties";
        Properties lines = new Properties();
        try (InputStream in = IgnoredSettings.class.getResourceAsStream(file)) {
            lines.load(Objects.requireNonNull(in, file));
        } catch (IOException e) {
            throw new UncheckedIOException(file, e);
        }
        Map<String, String> keys = new TreeMap<>();
        lines.stringPropertyNames().forEach(key -> keys.put(key, lines.getProperty(key)));
        return Map.copyOf(keys);
    }
}
