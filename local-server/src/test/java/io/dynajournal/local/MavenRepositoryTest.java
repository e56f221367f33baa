package io.dynajournal.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class MavenRepositoryTest {

    @TempDir
    Path m2;

    private final Properties system = new Properties();

    @Test
    void ourOwnPropertyWinsOverMavensAndThatOverSurefires() throws IOException {
        settings("<settings><localRepository>/from/settings</localRepository></settings>");
        assertThat(found()).isEqualTo(Path.of("/from/settings"));

        system.setProperty("localRepository", "/from/surefire");
        assertThat(found()).isEqualTo(Path.of("/from/surefire"));

        system.setProperty("maven.repo.local", "/from/maven");
        assertThat(found()).isEqualTo(Path.of("/from/maven"));

        system.setProperty("dynajournal-local.repository", "/our/own");
        assertThat(found()).isEqualTo(Path.of("/our/own"));
    }

    @Test
    void isMavensDefaultWithoutSettings() {
        assertThat(found()).isEqualTo(m2.resolve("repository"));
    }

    @Test
    void isMavensDefaultIfTheSettingsDoNotSay() throws IOException {
        settings("<settings><localRepository> </localRepository></settings>");
        assertThat(found()).isEqualTo(m2.resolve("repository"));

        settings("<settings/>");
        assertThat(found()).isEqualTo(m2.resolve("repository"));
    }

    @Test
    void knowsTheHomeDirectoryInTheSettings() throws IOException {
        settings("<settings><localRepository>${user.home}/elsewhere</localRepository></settings>");

        assertThat(found()).isEqualTo(Path.of(System.getProperty("user.home"), "elsewhere"));
    }

    @Test
    void namesSettingsThatCannotBeRead() throws IOException {
        settings("<settings>");

        assertThatThrownBy(this::found)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("settings.xml");
    }

    private Path found() {
        return MavenRepository.find(system, m2).root();
    }

    private void settings(String xml) throws IOException {
        Files.writeString(m2.resolve("settings.xml"), xml);
    }
}
