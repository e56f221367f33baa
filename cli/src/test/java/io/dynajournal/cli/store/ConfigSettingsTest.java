package io.dynajournal.cli.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dynajournal.cli.terminal.UsageException;
import io.dynajournal.internal.layout.JournalLayout;
import io.dynajournal.internal.layout.akka1.Akka1Journal;
import io.dynajournal.internal.layout.akka2.Akka2Journal;
import io.dynajournal.internal.layout.commits.CommitsJournal;
import io.dynajournal.internal.layout.j5ik2o.J5Journal;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command line uses what the plugins of an application would use. */
class ConfigSettingsTest {

    private static final Connection NOTHING = new Connection(null, null, null);

    @TempDir
    private Path dir = Path.of("");

    private ConfigSettings load(String text, Map<StoreKind, String> plugins) {
        return load(NOTHING, text, plugins);
    }

    private ConfigSettings load(Connection connection, String text, Map<StoreKind, String> plugins) {
        Path file = dir.resolve("application.conf");
        try {
            Files.writeString(file, text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return ConfigSettings.load(connection, file, plugins, null);
    }

    private static JournalLayout first(ConfigSettings settings) {
        return settings.journal().layouts().get(0);
    }

    @Test
    void withoutSettingsItIsTheNativeLayoutWithItsDefaults() {
        ConfigSettings settings = load("akka.actor.provider = cluster", Map.of());
        assertThat(first(settings)).isInstanceOf(CommitsJournal.class);
        assertThat(first(settings).table().name()).isEqualTo("dynajournal_events");
        assertThat(settings.snapshots().orElseThrow().layouts().get(0).table().name())
                .isEqualTo("dynajournal_snapshots");
        assertThat(settings.states().orElseThrow().layouts().get(0).table().name())
                .isEqualTo("dynajournal_states");
    }

    @Test
    void thePluginIsTheOneThatTheToolkitUses() {
        ConfigSettings settings = load("""
                pekko.persistence.journal.plugin = "my-journal"
                my-journal = ${dynajournal.journal} { table = my_events }
                dynajournal.client { endpoint = "http://localhost:8123", region = eu-west-1 }
                """, Map.of());
        assertThat(first(settings).table().name()).isEqualTo("my_events");
        assertThat(settings.journal().client().endpoint()).isEqualTo(URI.create("http://localhost:8123"));
        assertThat(settings.journal().client().region()).isEqualTo("eu-west-1");
    }

    @Test
    void aPluginMayBeNamed() {
        String text = "mine = ${dynajournal.journal} { table = my_events }\nakka {}";
        assertThat(first(load(text, Map.of(StoreKind.JOURNAL, "mine"))).table().name())
                .isEqualTo("my_events");
        assertThatThrownBy(() -> load(text, Map.of(StoreKind.JOURNAL, "yours")).journal())
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("yours.class")
                .hasMessageContaining("--plugin");
    }

    @Test
    void blocksOfThePredecessorsAreRead() {
        assertThat(first(load(
                        "dynamodb-journal { journal-table = t1, journal-name = j, layout = akka1 }",
                        Map.of(StoreKind.JOURNAL, "dynamodb-journal"))))
                .isInstanceOfSatisfying(
                        Akka1Journal.class,
                        journal -> assertThat(journal.table().name()).isEqualTo("t1"));
        assertThat(first(load(
                        "j5ik2o.dynamo-db-journal { table-name = t2 }",
                        Map.of(StoreKind.JOURNAL, "j5ik2o.dynamo-db-journal"))))
                .isInstanceOfSatisfying(
                        J5Journal.class,
                        journal -> assertThat(journal.table().name()).isEqualTo("t2"));
        for (String toolkit : new String[] {"akka", "pekko"}) {
            assertThat(first(load(
                            toolkit + ".persistence.dynamodb.journal { table = t3 }",
                            Map.of(StoreKind.JOURNAL, toolkit + ".persistence.dynamodb.journal"))))
                    .as(toolkit)
                    .isInstanceOfSatisfying(
                            Akka2Journal.class,
                            journal -> assertThat(journal.table().name()).isEqualTo("t3"));
        }
    }

    @Test
    void theDefaultTableOf1xDependsOnTheToolkit() {
        Map<StoreKind, String> plugin = Map.of(StoreKind.JOURNAL, "dynamodb-journal");
        assertThat(first(load("akka {}", plugin)).table().name()).isEqualTo("akka-persistence");
        assertThat(first(load("pekko {}", plugin)).table().name()).isEqualTo("pekko-persistence");
    }

    @Test
    void theCommandLineOverridesTheConnection() {
        ConfigSettings settings = load(
                new Connection("http://localhost:9", "us-east-2", null),
                "dynajournal.client { endpoint = embedded, region = eu-west-1 }",
                Map.of());
        assertThat(settings.journal().client().endpoint()).isEqualTo(URI.create("http://localhost:9"));
        assertThat(settings.journal().client().region()).isEqualTo("us-east-2");
    }

    @Test
    void theEmbeddedServerNeedsAnAddress() {
        assertThatThrownBy(() ->
                        load("dynajournal.client.endpoint = embedded", Map.of()).journal())
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("--endpoint");
    }

    @Test
    void aWrongSettingIsNamed() {
        assertThatThrownBy(() -> load("dynajournal.journal.tabel = x", Map.of()).journal())
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("dynajournal.journal.tabel")
                .hasMessageContaining("Did you mean table?");
    }

    @Test
    void substitutionsOfOtherBlocksMayStayOpen() {
        assertThat(first(load("other = ${akka.only.on.the.class.path}", Map.of()))
                        .table()
                        .name())
                .isEqualTo("dynajournal_events");
        assertThatThrownBy(() -> load("dynajournal.journal.table = ${not.there}", Map.of())
                        .journal())
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("not.there");
    }

    @Test
    void aMissingFileIsNamed() {
        assertThatThrownBy(() -> ConfigSettings.load(NOTHING, dir.resolve("nothing.conf"), Map.of(), null))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("nothing.conf");
    }
}
