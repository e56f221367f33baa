package io.dynajournal.settings;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigValue;
import com.typesafe.config.ConfigValueType;
import io.dynajournal.layout.LayoutSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A block of a predecessor's settings. What is absent has the predecessor's default. What has no effect here does not stop
 * the start, as a wrong key of ours would: it is remarked on.
 */
final class AdoptedBlock {

    private final Config config;
    private final String path;
    private final LayoutSettings layout;
    private final Set<String> known = new TreeSet<>();
    private final Set<String> secrets = new HashSet<>();
    private final List<Remark> remarks = new ArrayList<>();

    AdoptedBlock(Config config, String path) {
        this(config, path, Map.of());
    }

    /** @param defaults of the layout, where they are not the same everywhere */
    AdoptedBlock(Config config, String path, Map<String, String> defaults) {
        this.config = config;
        this.path = path;
        Map<String, String> values = new HashMap<>(defaults);
        for (Map.Entry<String, ConfigValue> entry : config.entrySet()) {
            if (entry.getValue().valueType() != ConfigValueType.LIST) {
                values.put(entry.getKey(), String.valueOf(entry.getValue().unwrapped()));
            }
        }
        this.layout = new LayoutSettings(values, config);
    }

    String path() {
        return path;
    }

    /** Whether it is set, if only to nothing. */
    boolean has(String key) {
        known.add(key);
        return config.hasPath(key);
    }

    /** Null if it is not set, if it is empty, or {@code default}, which 1.x writes for what it leaves to the SDK. */
    @Nullable
    String text(String key) {
        return read(key, "a text", at -> config.getString(at).trim());
    }

    String text(String key, String otherwise) {
        String text = text(key);
        return text == null ? otherwise : text;
    }

    /** Like {@link #text(String)}, but no message ever shows what was found. */
    @Nullable
    String secret(String key) {
        secrets.add(key);
        return text(key);
    }

    /** A list of texts; empty if it is not set. */
    Set<String> texts(String key) {
        known.add(key);
        try {
            return config.hasPath(key) ? Set.copyOf(config.getStringList(key)) : Set.of();
        } catch (ConfigException e) {
            throw wrong(key, "a list of texts");
        }
    }

    int count(String key, int otherwise) {
        Integer count = optionalCount(key);
        return count == null ? otherwise : count;
    }

    /** Null if it is not set. */
    @Nullable
    Integer optionalCount(String key) {
        return read(key, "a whole number of 0 or more", at -> {
            int found = config.getInt(at);
            if (found < 0) {
                throw new IllegalArgumentException("less than 0");
            }
            return found;
        });
    }

    boolean flag(String key, boolean otherwise) {
        Boolean flag = read(key, "on or off", config::getBoolean);
        return flag == null ? otherwise : flag;
    }

    Duration duration(String key, Duration otherwise) {
        Duration duration = optionalDuration(key);
        return duration == null ? otherwise : duration;
    }

    /** Null if it is not set, or if it is 0, off or none: the predecessors write so for no limit. */
    @Nullable
    Duration optionalDuration(String key) {
        return read(key, "a time, such as 5 s", at -> {
            if (Set.of("none", "off", "false").contains(config.getString(at))) {
                return null;
            }
            Duration found = config.getDuration(at);
            if (found.isNegative()) {
                throw new IllegalArgumentException("less than 0");
            }
            return found.isZero() ? null : found;
        });
    }

    /** Makes a layout of the settings; what it refuses is named with this block. */
    <T> T layout(Function<LayoutSettings, T> maker) {
        return refusing(() -> maker.apply(layout));
    }

    /** What the core refuses is named with this block. */
    <T> T refusing(Supplier<T> maker) {
        try {
            return maker.get();
        } catch (SettingsException e) {
            throw e;
        } catch (IllegalArgumentException e) {
            throw SettingsException.within(path, e);
        }
    }

    SettingsException wrong(String key, String expected) {
        return SettingsException.of(path + "." + key, found(key), expected);
    }

    void remark(String key, String text) {
        remarks.add(new Remark(path + "." + key, text));
    }

    /** Every key that has been asked for, set or not. */
    Set<String> known() {
        Set<String> all = new TreeSet<>(known);
        all.addAll(layout.known());
        return all;
    }

    /**
     * What was remarked so far, and every setting that nobody asked for.
     *
     * @param withoutEffect the keys that are known to have none here
     * @param passOver the keys that somebody else reads
     */
    List<Remark> remarks(Map<String, String> withoutEffect, Predicate<String> passOver) {
        List<Remark> all = new ArrayList<>(remarks);
        Set<String> asked = known();
        for (String key : Block.leaves(config)) {
            if (!asked.contains(key) && !passOver.test(key)) {
                String instead = withoutEffect.get(key);
                all.add(new Remark(path + "." + key, instead == null ? "not a known setting" : instead));
            }
        }
        return List.copyOf(all);
    }

    private <T> @Nullable T read(String key, String expected, Function<String, @Nullable T> reader) {
        known.add(key);
        if (!config.hasPath(key)) {
            return null;
        }
        try {
            String text = config.getString(key).trim();
            return text.isEmpty() || text.equals("default") ? null : reader.apply(key);
        } catch (ConfigException | IllegalArgumentException e) {
            // The cause would add nothing and may quote the value, which may be a secret.
            throw wrong(key, expected);
        }
    }

    private String found(String key) {
        return !config.hasPath(key)
                ? "nothing"
                : secrets.contains(key)
                        ? "a value that is not shown"
                        : config.getValue(key).render() + " ("
                                + config.getValue(key).origin().description() + ")";
    }
}
