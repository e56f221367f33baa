package io.dynajournal.internal.settings;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigRenderOptions;
import com.typesafe.config.ConfigUtil;
import com.typesafe.config.ConfigValue;
import com.typesafe.config.ConfigValueType;
import io.dynajournal.exception.SettingsException;
import io.dynajournal.internal.layout.LayoutSettings;
import io.dynajournal.internal.layout.TimeToLive;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Reads one block of settings and records which keys were read. Values of a native block have their defaults in
 * reference.conf, so a missing key is an error. A predecessor's block has the predecessor's defaults, which its dialect
 * passes to the readers. Every error names the full path, the value found and what was expected; never a secret. Not
 * thread-safe.
 */
final class Block {

    private static final Pattern TABLE_NAME = Pattern.compile("[a-zA-Z0-9_.-]{3,255}");
    private static final Set<String> NO_LIMIT = Set.of("none", "off", "false");

    private final Config config;
    private final String path;
    private final @Nullable String template;
    private final LayoutSettings layout;
    private final Set<String> read = new TreeSet<>();
    private final Set<String> secrets = new HashSet<>();
    private final List<SettingsWarning> warnings = new ArrayList<>();

    private Block(Config config, String path, @Nullable String template, LayoutSettings layout) {
        this.config = config;
        this.path = path;
        this.template = template;
        this.layout = layout;
    }

    /** @param template the block of reference.conf that has all the keys */
    static Block ofNative(Config config, String path, String template) {
        return new Block(config, path, template, new LayoutSettings(Map.of(), config));
    }

    /** @param layoutDefaults defaults of the layout's settings that depend on the toolkit */
    static Block ofPredecessor(Config block, String path, Map<String, String> layoutDefaults) {
        Config config = PredecessorDefaults.removeFrom(block);
        Map<String, String> values = new HashMap<>(layoutDefaults);
        for (Map.Entry<String, ConfigValue> entry : config.entrySet()) {
            if (entry.getValue().valueType() != ConfigValueType.LIST) {
                values.put(entry.getKey(), String.valueOf(entry.getValue().unwrapped()));
            }
        }
        return new Block(config, path, null, new LayoutSettings(values, config));
    }

    String path() {
        return path;
    }

    Config config() {
        return config;
    }

    /** Every key that was read, whether it is set or not. */
    Set<String> known() {
        Set<String> all = new TreeSet<>(read);
        all.addAll(layout.known());
        return all;
    }

    /** Records that a setting has an effect the user may not expect. */
    void warn(String key, String text) {
        warnings.add(new SettingsWarning(path + "." + key, text));
    }

    List<SettingsWarning> warnings() {
        return List.copyOf(warnings);
    }

    /** Whether the key is set, even if it is empty. */
    boolean has(String key) {
        read.add(key);
        return config.hasPath(key);
    }

    String text(String key) {
        return required(key, "a text", config::getString);
    }

    String text(String key, String otherwise) {
        String text = optionalText(key);
        return text == null ? otherwise : text;
    }

    /** Null if it is empty; in a predecessor's block also if it is absent or {@code default}. */
    @Nullable
    String optionalText(String key) {
        return optional(key, "a text", at -> {
            String text = config.getString(at).trim();
            return text.isEmpty() ? null : text;
        });
    }

    /** Like {@link #optionalText}, but no message shows the value. */
    @Nullable
    String secret(String key) {
        secrets.add(key);
        return optionalText(key);
    }

    /** A list of texts; empty if it is not set. */
    Set<String> texts(String key) {
        read.add(key);
        try {
            return config.hasPath(key) ? Set.copyOf(config.getStringList(key)) : Set.of();
        } catch (ConfigException e) {
            throw wrong(key, "a list of texts");
        }
    }

    /** A block of texts by name; empty if it is not set. */
    Map<String, String> namedTexts(String key) {
        read.add(key);
        if (isUnset(key)) {
            return Map.of();
        }
        Map<String, String> texts = new LinkedHashMap<>();
        try {
            for (Map.Entry<String, ConfigValue> entry : config.getConfig(key).entrySet()) {
                read.add(key + "." + entry.getKey());
                // A name with dots need not be in quotes.
                String name = String.join(".", ConfigUtil.splitPath(entry.getKey()));
                texts.put(name, config.getString(key + "." + entry.getKey()));
            }
        } catch (ConfigException e) {
            throw wrong(key, "a block of texts by name");
        }
        return texts;
    }

    String tableName(String key) {
        return required(key, "a table name: 3 to 255 letters, digits, '_', '-' and '.'", at -> {
            String name = config.getString(at);
            if (!TABLE_NAME.matcher(name).matches()) {
                throw new IllegalArgumentException("no table name");
            }
            return name;
        });
    }

    /** The path of another block. */
    String blockPath(String key) {
        return required(key, "the path of a block of settings, such as dynajournal.client", at -> {
            String other = config.getString(at);
            // Throws if it is no path.
            ConfigUtil.splitPath(other);
            return other;
        });
    }

    boolean flag(String key) {
        return required(key, "on or off", config::getBoolean);
    }

    boolean flag(String key, boolean otherwise) {
        Boolean flag = optional(key, "on or off", config::getBoolean);
        return flag == null ? otherwise : flag;
    }

    /** A number of at least 1. */
    int count(String key) {
        return required(key, "a whole number of 1 or more", at -> atLeast(1, whole(at)));
    }

    /** A number of at least 0. */
    int count(String key, int otherwise) {
        Integer count = optionalCount(key);
        return count == null ? otherwise : count;
    }

    /** A number of at least 0; null if it is not set. */
    @Nullable
    Integer optionalCount(String key) {
        return optional(key, "a whole number of 0 or more", at -> atLeast(0, whole(at)));
    }

    /** The library would cut off the fraction. */
    private int whole(String key) {
        if (config.getDouble(key) % 1 != 0) {
            throw new IllegalArgumentException("no whole number");
        }
        return config.getInt(key);
    }

    long bytes(String key) {
        return required(key, "a size, such as 390 KiB", config::getBytes);
    }

    int intBytes(String key) {
        return required(key, "a size of less than 2 GiB, such as 390 KiB", at -> Math.toIntExact(config.getBytes(at)));
    }

    Duration duration(String key) {
        return required(
                key, "a time of more than 0 with its unit, such as 5 s", at -> positive(config.getDuration(at)));
    }

    Duration duration(String key, Duration otherwise) {
        Duration duration = optionalDuration(key);
        return duration == null ? otherwise : duration;
    }

    /** Null if it is off. The predecessors also write 0 for no limit. */
    @Nullable
    Duration optionalDuration(String key) {
        return optional(key, "off, or a time of more than 0 with its unit, such as 30 days", at -> {
            if (NO_LIMIT.contains(config.getString(at))) {
                return null;
            }
            Duration duration = config.getDuration(at);
            return isPredecessors() && duration.isZero() ? null : positive(duration);
        });
    }

    <E extends Enum<E>> E choice(String key, List<E> choices) {
        String expected = choices.stream().map(Block::spelled).collect(Collectors.joining(", "));
        return required(key, "one of " + expected, at -> {
            String found = onOrOff(config.getString(at));
            return choices.stream()
                    .filter(choice -> spelled(choice).equals(found))
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException("no choice"));
        });
    }

    /**
     * The block {@code time-to-live} of a native plugin.
     *
     * @param others the option that only the other plugin has
     */
    TimeToLive timeToLive(String others) {
        String root = "time-to-live.";
        Map<String, String> values = new HashMap<>();
        for (Map.Entry<String, ConfigValue> entry : config.entrySet()) {
            if (entry.getKey().startsWith(root)) {
                values.put(entry.getKey(), String.valueOf(entry.getValue().unwrapped()));
            }
        }
        LayoutSettings settings = new LayoutSettings(values);
        TimeToLive rules = checked(() -> TimeToLive.of(settings, root, root + "entities.", TimeToLive.Rules.NONE));
        settings.known().stream().filter(key -> !key.endsWith(others)).forEach(read::add);
        return rules;
    }

    /** Creates a layout of a predecessor from this block. */
    <T> T layout(Function<LayoutSettings, T> factory) {
        return checked(() -> factory.apply(layout));
    }

    /** Runs a factory of the core and adds this block's path to the message if it rejects a value. */
    <T> T checked(Supplier<T> factory) {
        try {
            return factory.get();
        } catch (SettingsException e) {
            throw e;
        } catch (IllegalArgumentException e) {
            throw isPredecessors() ? SettingsException.within(path, e) : SettingsException.inBlock(path, e);
        }
    }

    SettingsException wrong(String key, String expected) {
        return SettingsException.of(path + "." + key, found(key), expected);
    }

    private boolean isPredecessors() {
        return template == null;
    }

    private <T> T required(String key, String expected, Function<String, T> reader) {
        T value = read(key, expected, reader);
        if (value == null) {
            throw wrong(key, expected);
        }
        return value;
    }

    private <T> @Nullable T optional(String key, String expected, Function<String, @Nullable T> reader) {
        if (isPredecessors() && isUnset(key)) {
            read.add(key);
            return null;
        }
        return read(key, expected, reader);
    }

    /** 1.x writes {@code default} for what it leaves to the SDK. */
    private boolean isUnset(String key) {
        if (!config.hasPath(key)) {
            return true;
        }
        ConfigValueType type = config.getValue(key).valueType();
        if (type == ConfigValueType.OBJECT || type == ConfigValueType.LIST) {
            return false;
        }
        String text = config.getString(key).trim();
        return text.isEmpty() || text.equals("default");
    }

    private <T extends @Nullable Object> @Nullable T read(String key, String expected, Function<String, T> reader) {
        read.add(key);
        rejectValueInPlaceOfBlock(key);
        try {
            return reader.apply(key);
        } catch (ConfigException.Missing e) {
            throw new SettingsException("Setting " + path + "." + key + " is missing. Begin the block with " + path
                    + " = ${" + template + "}, so that it has the defaults.");
        } catch (ConfigException | IllegalArgumentException | ArithmeticException e) {
            // The cause adds nothing and may quote the value, which may be a secret.
            throw wrong(key, expected);
        }
    }

    private void rejectValueInPlaceOfBlock(String key) {
        for (int dot = key.indexOf('.'); dot > 0; dot = key.indexOf('.', dot + 1)) {
            String parent = key.substring(0, dot);
            if (config.hasPath(parent) && config.getValue(parent).valueType() != ConfigValueType.OBJECT) {
                throw wrong(
                        parent, "a block of settings, such as " + parent + " { " + key.substring(dot + 1) + " = … }");
            }
        }
    }

    private String found(String key) {
        if (!config.hasPath(key) || "".equals(config.getValue(key).unwrapped())) {
            return "nothing";
        }
        ConfigValue value = config.getValue(key);
        String shown = switch (value.valueType()) {
            case OBJECT -> "a block";
            case LIST -> "a list";
            default ->
                secrets.contains(key) ? "a value that is not shown" : value.render(ConfigRenderOptions.concise());
        };
        return shown + " (" + value.origin().description() + ")";
    }

    private static int atLeast(int least, int count) {
        if (count < least) {
            throw new IllegalArgumentException("less than " + least);
        }
        return count;
    }

    private static Duration positive(Duration duration) {
        if (duration.isZero() || duration.isNegative()) {
            throw new IllegalArgumentException("not more than 0");
        }
        return duration;
    }

    private static String spelled(Enum<?> choice) {
        return choice.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** HOCON accepts true and false for on and off. */
    private static String onOrOff(String text) {
        return text.equals("true") ? "on" : text.equals("false") ? "off" : text;
    }
}
