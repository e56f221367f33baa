package io.dynajournal.interop;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigValue;
import java.io.File;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every key of the real plugins' reference.conf is in ours, with the same value, so that substitutions keep working. */
final class DefaultSettingsTest {

    /** Ours, and named by our reference.conf. */
    private static final Set<String> OURS = Set.of("class");

    private static Config reference(String module) throws IOException {
        Path target = Path.of(System.getProperty("peers.directory"), module, "target");
        List<URL> places = new ArrayList<>();
        for (String place :
                Files.readString(target.resolve("class-path")).trim().split(File.pathSeparator, -1)) {
            places.add(Path.of(place).toUri().toURL());
        }
        try (URLClassLoader loader = new URLClassLoader(places.toArray(URL[]::new), null)) {
            return ConfigFactory.defaultReference(loader);
        }
    }

    private static Map<String, Object> values(ConfigObject block) {
        Map<String, Object> values = new TreeMap<>();
        for (Map.Entry<String, ConfigValue> entry : block.entrySet()) {
            if (entry.getValue() instanceof ConfigObject inner) {
                values(inner).forEach((key, value) -> values.put(entry.getKey() + "." + key, value));
            } else if (!OURS.contains(entry.getKey())) {
                values.put(entry.getKey(), String.valueOf(entry.getValue().unwrapped()));
            }
        }
        return values;
    }

    @ParameterizedTest
    @CsvSource({
        "akka1, ours-akka, dynamodb-journal",
        "akka1, ours-akka, dynamodb-snapshot-store",
        "akka1, ours-akka, dynamodb-read-journal",
        "pekko1, ours-pekko, dynamodb-journal",
        "pekko1, ours-pekko, dynamodb-snapshot-store",
        "pekko1, ours-pekko, dynamodb-read-journal",
        "j5ik2o, ours-akka, j5ik2o.dynamo-db-defaults",
        "j5ik2o, ours-akka, j5ik2o.dynamo-db-journal",
        "j5ik2o, ours-akka, j5ik2o.dynamo-db-snapshot"
    })
    void everyDefaultOfTheirsIsInOurs(String theirs, String ours, String path) throws IOException {
        Map<String, Object> expected = values(reference(theirs).getObject(path));
        assertThat(expected).hasSizeGreaterThan(10);
        Map<String, Object> found = values(reference(ours).getObject(path));
        assertThat(found).containsAllEntriesOf(expected);
    }
}
