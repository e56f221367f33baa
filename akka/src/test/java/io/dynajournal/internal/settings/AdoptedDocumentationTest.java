package io.dynajournal.internal.settings;

import static org.assertj.core.api.Assertions.assertThat;

import akka.persistence.Persistence;
import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The tables of settings in docs/adopting say what the readers of settings do. */
final class AdoptedDocumentationTest {

    private static final Pattern ROW = Pattern.compile("\\| `([^`]+)` \\| (yes|no|toolkit|not yet) \\| (.*) \\|");

    /** What a row says: whether the setting has an effect, and the words. */
    private record Row(String effect, String words) {}

    private static PluginBlock plugin(Config root, String path, String fallbackPath) {
        Config fallback = root.getConfig(fallbackPath);
        return new PluginBlock(root, root.getConfig(path).withFallback(fallback), path, fallback, "toolkit");
    }

    private static Set<String> known(
            String settings, String path, boolean snapshots, BiConsumer<PluginBlock, Block> reader) {
        Config root = ConfigFactory.load(ConfigFactory.parseString(settings));
        PluginBlock plugin = plugin(
                root,
                path,
                snapshots ? Persistence.SnapshotStoreFallbackConfigPath() : Persistence.JournalFallbackConfigPath());
        Block block = plugin.dialect() instanceof Akka1Settings
                ? Akka1Settings.block(plugin)
                : plugin.dialect() instanceof Akka2Settings
                        ? Akka2Settings.block(plugin, path.substring(path.lastIndexOf('.') + 1))
                        : J5Settings.block(plugin);
        reader.accept(plugin, block);
        return block.known();
    }

    private static Map<String, Row> documented(String predecessor) throws IOException {
        Path docs = Path.of("").toAbsolutePath();
        while (!Files.exists(docs.resolve("docs/adopting.md"))) {
            docs = Objects.requireNonNull(docs.getParent(), "docs/adopting.md");
        }
        List<String> lines = Files.readAllLines(docs.resolve("docs/adopting/" + predecessor + ".md"));
        int at = lines.indexOf("<!-- settings of " + predecessor + " -->");
        assertThat(at).as("the table of %s", predecessor).isPositive();
        Map<String, Row> rows = new TreeMap<>();
        for (String line : lines.subList(at + 3, lines.size())) {
            if (!line.startsWith("|")) {
                break;
            }
            Matcher row = ROW.matcher(line);
            assertThat(row.matches() || line.startsWith("|---")).as(line).isTrue();
            if (row.matches()) {
                assertThat(rows.put(row.group(1), new Row(row.group(2), row.group(3))))
                        .as(line)
                        .isNull();
            }
        }
        return rows;
    }

    private static void compare(String predecessor, Set<String> known, Map<String, String> withoutEffect)
            throws IOException {
        Set<String> works = new TreeSet<>();
        Map<String, String> idle = new TreeMap<>();
        documented(predecessor).forEach((key, row) -> {
            if (row.effect().equals("yes")) {
                works.add(key);
            } else if (row.effect().equals("no")) {
                idle.put(key, row.words());
            }
        });
        assertThat(works).containsExactlyInAnyOrderElementsOf(known);
        assertThat(idle).containsExactlyInAnyOrderEntriesOf(withoutEffect);
    }

    @Test
    void akka1() throws IOException {
        Set<String> known = new TreeSet<>(known("", "dynamodb-journal", false, Akka1Settings::journal));
        known.addAll(known("", "dynamodb-snapshot-store", true, Akka1Settings::snapshots));
        known.addAll(known("", "dynamodb-read-journal", false, Akka1Settings::queries));
        compare("akka1", known, IgnoredSettings.AKKA1);
    }

    @Test
    void akka2() throws IOException {
        String entity = "one { time-to-live.event-sourced-entities.type.check-expiry = on }";
        String settings = "one = ${\"akka\".persistence.dynamodb}\n" + entity;
        Set<String> known = new TreeSet<>(known(settings, "one.journal", false, Akka2Settings::journal));
        known.addAll(known(settings, "one.snapshot", true, Akka2Settings::snapshots));
        known.addAll(known(settings, "one.query", false, Akka2Settings::queries));
        known.addAll(known(settings, "one.cleanup", false, Akka2Settings::cleanup));
        compare("akka2", known, IgnoredSettings.AKKA2);
    }

    @Test
    void j5ik2o() throws IOException {
        Set<String> known = new TreeSet<>();
        for (String form : List.of(
                "",
                "dynamo-db-client.client-type = sync",
                "dynamo-db-client.client-version = v1",
                "legacy-config-format = on")) {
            known.addAll(known(
                    "j5ik2o.dynamo-db-journal { " + form + " }",
                    "j5ik2o.dynamo-db-journal",
                    false,
                    J5Settings::journal));
        }
        known.addAll(known("", "j5ik2o.dynamo-db-snapshot", true, J5Settings::snapshots));
        known.addAll(known("", "j5ik2o.dynamo-db-read-journal", false, J5Settings::queries));
        known.addAll(known("", "j5ik2o.dynamo-db-state", false, J5Settings::states));
        compare("j5ik2o", known, IgnoredSettings.J5IK2O);
    }
}
