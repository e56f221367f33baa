package io.dynajournal.internal.settings;

import com.typesafe.config.Config;
import io.dynajournal.exception.SettingsException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reports the settings of a block that nothing has read: an error in a native block, a warning in a predecessor's. */
final class UnknownKeys {

    private UnknownKeys() {}

    /**
     * Rejects a key that neither we nor the toolkit know, with the nearest one that exists.
     *
     * @param toolkit the toolkit's own settings of such a block
     * @throws SettingsException if there is such a key
     */
    static void reject(Block block, Config toolkit) {
        ToolkitKeys toolkitKeys = new ToolkitKeys(toolkit);
        Set<String> known = block.known();
        for (String key : keys(block.config())) {
            if (!known.contains(key) && !toolkitKeys.has(key) && !isOwnDispatcher(block, key)) {
                Set<String> candidates = new TreeSet<>(known);
                candidates.addAll(keys(toolkit));
                throw unknown(block, key, hint(key, known, candidates));
            }
        }
    }

    /**
     * All warnings of a predecessor's block: those recorded while it was read, and the settings that have no effect.
     *
     * @param ignored the predecessor's settings without effect, each with the reason
     * @param readElsewhere keys that another reader of the same block knows
     * @throws SettingsException if a key of ours has its earlier name
     */
    static List<String> warnings(Block block, Map<String, String> ignored, Predicate<String> readElsewhere) {
        List<SettingsWarning> warnings = new ArrayList<>(block.warnings());
        Set<String> known = block.known();
        for (String key : keys(block.config())) {
            if (known.contains(key) || readElsewhere.test(key)) {
                continue;
            }
            String renamed = RenamedKeys.newNameInPredecessorsBlock(key);
            if (renamed != null) {
                throw unknown(block, key, "It is now called " + renamed + ". ");
            }
            warnings.add(
                    new SettingsWarning(block.path() + "." + key, ignored.getOrDefault(key, "not a known setting")));
        }
        return warnings.stream().map(SettingsWarning::toString).toList();
    }

    /** The paths of all settings in a block. */
    private static Set<String> keys(Config config) {
        return config.entrySet().stream().map(Map.Entry::getKey).collect(Collectors.toCollection(TreeSet::new));
    }

    private static SettingsException unknown(Block block, String key, String hint) {
        return new SettingsException("Setting " + block.path() + "." + key + " is not known. " + hint + "(Found in "
                + block.config().getValue(key).origin().description() + ".)");
    }

    private static String hint(String key, Set<String> known, Set<String> candidates) {
        String renamed = RenamedKeys.newName(key);
        if (renamed != null && known.contains(renamed)) {
            return "It is now called " + renamed + ". ";
        }
        @Nullable String nearest = Spelling.nearest(key, candidates);
        return nearest == null
                ? "The keys of this block are " + String.join(", ", known) + ". "
                : "Did you mean " + nearest + "? ";
    }

    /** A dispatcher may be configured inside the block that names it. */
    private static boolean isOwnDispatcher(Block block, String key) {
        return Stream.of("plugin-dispatcher", "replay-dispatcher")
                .filter(block.config()::hasPath)
                .map(block.config()::getString)
                .anyMatch(id -> (block.path() + "." + key).startsWith(id + "."));
    }
}
