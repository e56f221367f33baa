package io.dynajournal.cli.cost;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigParseOptions;
import io.dynajournal.cli.terminal.UsageException;
import io.dynajournal.internal.settings.Spelling;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Keys and values of a file or of options, over defaults that have all keys; checked, with messages that name the key. */
final class CostSettings {

    private final Config config;

    private CostSettings(Config config) {
        this.config = config;
    }

    /** The text of a file that comes with the command. */
    static String resource(String name) {
        try (InputStream in = CostSettings.class.getResourceAsStream(name)) {
            return new String(Objects.requireNonNull(in, name).readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(name, e);
        }
    }

    static CostSettings defaults(String resource) {
        return parsed(resource(resource));
    }

    /** Settings in HOCON. */
    static CostSettings parsed(String text) {
        return new CostSettings(ConfigFactory.parseString(text));
    }

    /** These settings under those of a file. */
    CostSettings with(Path file) {
        if (!Files.isReadable(file)) {
            throw new UsageException("there is no readable file " + file);
        }
        try {
            return with(
                    ConfigFactory.parseFile(
                                    file.toFile(), ConfigParseOptions.defaults().setAllowMissing(false))
                            .resolve(),
                    file + ": ");
        } catch (ConfigException e) {
            throw new UsageException(file + " cannot be read: " + e.getMessage());
        }
    }

    /** These settings under those of options. */
    CostSettings with(Map<String, String> options) {
        return with(ConfigFactory.parseMap(options), "");
    }

    private CostSettings with(Config over, String where) {
        Set<String> known = keys(config);
        for (String key : keys(over)) {
            if (!known.contains(key)) {
                @Nullable String nearest = Spelling.nearest(key, known);
                throw new UsageException(where + "there is no key " + key
                        + (nearest == null
                                ? "; the keys are " + String.join(", ", known)
                                : "; did you mean " + nearest + "?"));
            }
        }
        return new CostSettings(over.withFallback(config));
    }

    private static Set<String> keys(Config of) {
        return of.entrySet().stream().map(Map.Entry::getKey).collect(Collectors.toCollection(TreeSet::new));
    }

    String text(String key) {
        return config.getString(key);
    }

    /** A number from a bound to another, both inclusive. */
    double number(String key, double from, double to) {
        String expected = "a number from " + plain(from) + " to " + plain(to);
        try {
            double value = Double.parseDouble(text(key).trim());
            if (value >= from && value <= to) {
                return value;
            }
        } catch (NumberFormatException e) {
            throw invalid(key, expected);
        }
        throw invalid(key, expected);
    }

    long count(String key, long from, long to) {
        double value = number(key, (double) from, (double) to);
        if (value != Math.rint(value)) {
            throw invalid(key, "a whole number from " + from + " to " + to);
        }
        return (long) value;
    }

    /** A number of bytes, with or without a unit. */
    int bytes(String key, int from, int to) {
        try {
            long value = config.getBytes(key);
            if (value >= from && value <= to) {
                return (int) value;
            }
        } catch (ConfigException e) {
            throw invalid(key, "a size such as 400 or 2 KiB");
        }
        throw invalid(key, "from " + from + " to " + to + " bytes");
    }

    /** Null if it is off. */
    @Nullable
    Duration duration(String key, Duration from, Duration to) {
        if (text(key).equals("off") || text(key).equals("false")) {
            return null;
        }
        String expected = "a duration from " + described(from) + " to " + described(to) + ", such as 30d";
        try {
            Duration value = config.getDuration(key);
            if (value.compareTo(from) >= 0 && value.compareTo(to) <= 0) {
                return value;
            }
        } catch (ConfigException e) {
            throw invalid(key, expected);
        }
        throw invalid(key, expected);
    }

    boolean flag(String key) {
        return choice(key, "on", "off", "true", "false").matches("on|true");
    }

    String choice(String key, String... values) {
        String found = text(key);
        if (Arrays.asList(values).contains(found)) {
            return found;
        }
        @Nullable String nearest = Spelling.nearest(found, Arrays.asList(values));
        throw new UsageException(key + " must be " + String.join(" or ", values) + ", not " + found
                + (nearest == null ? "" : "; did you mean " + nearest + "?"));
    }

    private UsageException invalid(String key, String expected) {
        return new UsageException(key + " must be " + expected + ", not " + text(key));
    }

    private static String described(Duration duration) {
        return duration.toDays() > 0 ? duration.toDays() + "d" : duration.toSeconds() + "s";
    }

    private static String plain(double value) {
        return value == Math.rint(value) && Math.abs(value) < 1e15
                ? String.format(Locale.ROOT, "%,.0f", value)
                : String.valueOf(value);
    }
}
