package io.dynajournal.settings;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigRenderOptions;
import com.typesafe.config.ConfigValue;
import com.typesafe.config.ConfigValueType;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** One block of settings. Remembers which keys were asked for, and in the end refuses those nobody asked for. */
final class Block {

    private static final Pattern TABLE_NAME = Pattern.compile("[a-zA-Z0-9_.-]{3,255}");

    private final Config config;
    private final String path;
    private final String template;
    private final Set<String> known = new TreeSet<>();
    private final Set<String> secrets = new HashSet<>();

    /** @param template the block of reference.conf with all the keys */
    Block(Config config, String path, String template) {
        this.config = config;
        this.path = path;
        this.template = template;
    }

    String text(String key) {
        return read(key, "a text", config::getString);
    }

    /** Null if it is empty. */
    @Nullable
    String optionalText(String key) {
        String text = text(key);
        return text.isBlank() ? null : text;
    }

    /** Like {@link #optionalText}, but no message ever shows what was found. */
    @Nullable
    String secret(String key) {
        secrets.add(key);
        return optionalText(key);
    }

    String tableName(String key) {
        return read(key, "a table name: 3 to 255 letters, digits, '_', '-' and '.'", at -> {
            String name = config.getString(at);
            if (!TABLE_NAME.matcher(name).matches()) {
                throw new IllegalArgumentException("no table name");
            }
            return name;
        });
    }

    boolean flag(String key) {
        return read(key, "on or off", config::getBoolean);
    }

    int count(String key) {
        return read(key, "a whole number of 1 or more", at -> {
            int count = config.getInt(at);
            if (count < 1) {
                throw new IllegalArgumentException("less than 1");
            }
            return count;
        });
    }

    long bytes(String key) {
        return read(key, "a size, such as 390 KiB", config::getBytes);
    }

    int intBytes(String key) {
        return read(key, "a size of less than 2 GiB, such as 390 KiB", at -> Math.toIntExact(config.getBytes(at)));
    }

    Duration duration(String key) {
        return read(key, "a time of more than 0 with its unit, such as 5 s", at -> {
            Duration duration = config.getDuration(at);
            if (duration.isZero() || duration.isNegative()) {
                throw new IllegalArgumentException("not more than 0");
            }
            return duration;
        });
    }

    /** Null if it is off. */
    @Nullable
    Duration optionalDuration(String key) {
        return read(key, "off, or a time of more than 0 with its unit, such as 30 days", at -> {
            if (config.getString(at).equals("off") || config.getString(at).equals("false")) {
                return null;
            }
            Duration duration = config.getDuration(at);
            if (duration.isZero() || duration.isNegative()) {
                throw new IllegalArgumentException("not more than 0");
            }
            return duration;
        });
    }

    <E extends Enum<E>> E choice(String key, List<E> choices) {
        String expected = choices.stream().map(Block::spelled).collect(Collectors.joining(", "));
        return read(key, "one of " + expected, at -> {
            String found = onOrOff(config.getString(at));
            return choices.stream()
                    .filter(choice -> spelled(choice).equals(found))
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException("no choice"));
        });
    }

    private static String spelled(Enum<?> choice) {
        return choice.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** HOCON's on and off may be written true and false everywhere else, so here too. */
    private static String onOrOff(String text) {
        return text.equals("true") ? "on" : text.equals("false") ? "off" : text;
    }

    SettingsException wrong(String key, String expected) {
        return SettingsException.of(path + "." + key, found(key), expected);
    }

    SettingsException refused(IllegalArgumentException refusal) {
        return SettingsException.inBlock(path, refusal);
    }

    /** @param toolkit what the toolkit itself allows in this block */
    void refuseUnknown(Config toolkit) {
        ToolkitKeys toolkitKeys = new ToolkitKeys(toolkit);
        for (String key : leaves(config)) {
            if (!known.contains(key) && !toolkitKeys.has(key) && !isOwnDispatcher(key)) {
                throw new SettingsException("Setting " + path + "." + key + " is not known. " + hint(key, toolkit)
                        + "(Found in " + config.getValue(key).origin().description() + ".)");
            }
        }
    }

    /** A dispatcher may be described inside the block that names it. */
    private boolean isOwnDispatcher(String key) {
        return Stream.of("plugin-dispatcher", "replay-dispatcher")
                .filter(config::hasPath)
                .map(config::getString)
                .anyMatch(id -> (path + "." + key).startsWith(id + "."));
    }

    private String hint(String key, Config toolkit) {
        Set<String> candidates = new TreeSet<>(known);
        candidates.addAll(leaves(toolkit));
        String nearest = Spelling.nearest(key, candidates);
        return nearest == null
                ? "The keys of this block are " + String.join(", ", known) + ". "
                : "Did you mean " + nearest + "? ";
    }

    /** The paths of all settings in a block. */
    static Set<String> leaves(Config config) {
        return config.entrySet().stream().map(entry -> entry.getKey()).collect(Collectors.toCollection(TreeSet::new));
    }

    private <T extends @Nullable Object> T read(String key, String expected, Function<String, T> reader) {
        known.add(key);
        refuseTextInPlaceOfBlock(key);
        try {
            return reader.apply(key);
        } catch (ConfigException.Missing e) {
            throw new SettingsException("Setting " + path + "." + key + " is missing. Begin the block with " + path
                    + " = ${" + template + "}, so that it has the defaults.");
        } catch (ConfigException | IllegalArgumentException | ArithmeticException e) {
            // The cause would add nothing and may quote the value, which may be a secret.
            throw wrong(key, expected);
        }
    }

    private void refuseTextInPlaceOfBlock(String key) {
        for (int dot = key.indexOf('.'); dot > 0; dot = key.indexOf('.', dot + 1)) {
            String parent = key.substring(0, dot);
            if (config.hasPath(parent) && config.getValue(parent).valueType() != ConfigValueType.OBJECT) {
                throw wrong(parent, "a block of settings");
            }
        }
    }

    private String found(String key) {
        if (!config.hasPath(key)) {
            return "nothing";
        }
        ConfigValue value = config.getValue(key);
        if ("".equals(value.unwrapped())) {
            return "nothing";
        }
        String shown = switch (value.valueType()) {
            case OBJECT -> "a block";
            case LIST -> "a list";
            default ->
                secrets.contains(key) ? "a value that is not shown" : value.render(ConfigRenderOptions.concise());
        };
        return shown + " (" + value.origin().description() + ")";
    }
}
