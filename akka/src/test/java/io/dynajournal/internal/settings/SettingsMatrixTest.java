package io.dynajournal.internal.settings;

import static org.assertj.core.api.Assertions.as;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import akka.persistence.Persistence;
import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigValue;
import com.typesafe.config.ConfigValueFactory;
import io.dynajournal.exception.SettingsException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each setting of reference.conf, with values that cannot be right: one short message that names its path. */
final class SettingsMatrixTest {

    private static final Config REFERENCE = ConfigFactory.load(ConfigFactory.parseString(""));

    /** Read by the toolkit before we are asked. */
    private static final Set<String> OF_THE_TOOLKIT = Set.of("class", "plugin-dispatcher");

    private static final Map<String, Consumer<Config>> BLOCKS = Map.of(
            "dynajournal.client", root -> ClientConfig.of(root, "dynajournal.client"),
            "dynajournal.journal",
                    root -> JournalConfig.of(
                            plugin(root, "dynajournal.journal", Persistence.JournalFallbackConfigPath())),
            "dynajournal.snapshot",
                    root -> SnapshotConfig.of(
                            plugin(root, "dynajournal.snapshot", Persistence.SnapshotStoreFallbackConfigPath())),
            "dynajournal.state", root -> StateConfig.of(plugin(root, "dynajournal.state", null)),
            "dynajournal.query", root -> QueryConfig.of(plugin(root, "dynajournal.query", null)),
            "dynajournal.cleanup", root -> CleanupConfig.of(plugin(root, "dynajournal.cleanup", null)));

    private static PluginBlock plugin(Config root, String path, @Nullable String fallback) {
        Config toolkit = fallback == null ? ConfigFactory.empty() : root.getConfig(fallback);
        return new PluginBlock(root, root.getConfig(path).withFallback(toolkit), path, toolkit, "toolkit");
    }

    /** What stands in reference.conf: its type says what a wrong value is. */
    record Setting(String block, String key, ConfigValue reference) {

        String path() {
            return block + "." + key;
        }

        boolean isNumber() {
            return reference.unwrapped() instanceof Number;
        }

        /** A time or a size. */
        boolean hasUnit() {
            return reference.unwrapped() instanceof String text && text.matches("\\d+ [a-zA-Z]+");
        }

        /** Of the times to live, nothing means off. */
        boolean isOffByDefault() {
            return key.startsWith("time-to-live.") && "off".equals(reference.unwrapped());
        }

        boolean isFlag() {
            return Set.of("on", "off", "true", "false").contains(String.valueOf(reference.unwrapped()));
        }

        @Override
        public String toString() {
            return path();
        }
    }

    static Stream<Setting> settings() {
        return BLOCKS.keySet().stream()
                .sorted()
                .flatMap(block -> REFERENCE.getConfig(block).entrySet().stream()
                        .filter(entry -> !OF_THE_TOOLKIT.contains(entry.getKey()))
                        .sorted(Map.Entry.comparingByKey())
                        .map(entry -> new Setting(block, entry.getKey(), entry.getValue())));
    }

    private static @Nullable Throwable failure(Setting setting, Config root) {
        Consumer<Config> reading = Objects.requireNonNull(BLOCKS.get(setting.block()));
        return catchThrowable(() -> reading.accept(root));
    }

    private static Config with(Setting setting, Object value) {
        return REFERENCE.withValue(setting.path(), ConfigValueFactory.fromAnyRef(value));
    }

    private static void assertRefused(Setting setting, Object value) {
        assertNamed(setting, value, failure(setting, with(setting, value)));
    }

    private static void assertNamed(Setting setting, Object value, @Nullable Throwable failure) {
        assertThat(failure)
                .as("%s = %s", setting, value)
                .isInstanceOf(SettingsException.class)
                .hasNoCause()
                .extracting(Throwable::getMessage, as(STRING))
                .contains("Setting " + setting.path())
                .doesNotContain("\n")
                .hasSizeLessThan(500);
    }

    @Test
    void allBlocksOfTheReferenceAreHere() {
        assertThat(settings()).hasSizeGreaterThan(80);
    }

    @ParameterizedTest
    @MethodSource("settings")
    void aBlockInsteadOfAValueIsRefused(Setting setting) {
        assertRefused(setting, Map.of("x", 1));
    }

    @ParameterizedTest
    @MethodSource("settings")
    void aListInsteadOfAValueIsRefused(Setting setting) {
        assertRefused(setting, List.of("x", "y"));
    }

    /** A copied block that lacks a key must not run with a default that nobody sees, unless that is off or nothing. */
    @ParameterizedTest
    @MethodSource("settings")
    void anAbsentValueIsNamed(Setting setting) {
        if (!setting.key().startsWith("time-to-live.") && !setting.key().equals("replay-dispatcher")) {
            assertNamed(setting, "nothing", failure(setting, REFERENCE.withoutPath(setting.path())));
        }
    }

    @ParameterizedTest
    @MethodSource("settings")
    void aTextThatIsNoneOfTheTypeIsRefused(Setting setting) {
        if (setting.isNumber() || setting.hasUnit() || setting.isFlag()) {
            assertRefused(setting, "perhaps");
            if (!setting.isOffByDefault()) {
                assertRefused(setting, "");
            }
        }
    }

    @ParameterizedTest
    @MethodSource("settings")
    void aNumberOutOfRangeIsRefused(Setting setting) {
        if (setting.isNumber()) {
            for (Object value : List.of(-1, 0, 99_999_999_999L, 1.5, "NaN")) {
                assertRefused(setting, value);
            }
        } else if (setting.hasUnit()) {
            for (Object value : List.of("-1 s", "-5 KiB", "5 parsecs", "99999999999999999999 days")) {
                assertRefused(setting, value);
            }
        }
    }

    /** Whatever the value: the setting is either accepted or rejected with an error that names it; there is no other error. */
    @ParameterizedTest
    @MethodSource("settings")
    void noValueGivesAnotherError(Setting setting) {
        for (Object value : List.of(
                "",
                " ",
                "x",
                "a|b",
                "\u0000",
                "on",
                "off",
                "0",
                "-1",
                "1e99",
                "1 day",
                "0 s",
                "1 KiB",
                "9".repeat(400))) {
            Throwable failure = failure(setting, with(setting, value));
            if (failure != null) {
                assertThat(failure).as("%s = %s", setting, value).isInstanceOf(SettingsException.class);
                assertThat(failure.getMessage())
                        .as("%s = %s", setting, value)
                        .containsAnyOf(
                                "Setting " + setting.block() + ".", "There is no block " + value + " for a client");
            }
        }
    }
}
