package io.dynajournal.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ServerClassPathTest {

    private static final MavenRepository REPOSITORY = MavenRepository.find();

    /** The jars of the tests themselves; all others on their class path are DynamoDB Local's. */
    private static final Pattern NOT_THE_SERVERS =
            Pattern.compile("(org/junit|org/opentest4j|org/apiguardian|org/assertj|net/bytebuddy|org/jspecify"
                    + "|io/dynajournal|org/apache/maven/surefire)/.*");

    @Test
    void theListIsWhatMavenResolves() {
        assertThat(ServerClassPath.coordinates())
                .extracting(Coordinates::path)
                .containsExactlyInAnyOrderElementsOf(resolvedByMaven());
    }

    @Test
    void startsWithThisModuleAndHasTheServersJars() {
        assertThat(ServerClassPath.from(new JarSearch(List.of(REPOSITORY))).split(File.pathSeparator))
                .startsWith(ServerClassPath.ownClasses().toString())
                .hasSize(ServerClassPath.coordinates().size() + 1);
    }

    @Test
    void namesAMissingJarAndTheCommandThatDownloadsIt(@TempDir Path empty) {
        assertThatThrownBy(() -> ServerClassPath.from(new JarSearch(List.of(new MavenRepository(empty)))))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining(
                        "com.amazonaws:DynamoDBLocal:2.6.1 was not found in the Maven repository " + empty)
                .hasMessageContaining("mvn org.apache.maven.plugins:maven-dependency-plugin:3.8.1:get"
                        + " -Dartifact=com.amazonaws:DynamoDBLocal:2.6.1");
    }

    @Test
    void namesTheFirstJarThatIsMissing(@TempDir Path partial) throws IOException {
        Coordinates server = ServerClassPath.coordinates().get(0);
        Path jar = partial.resolve(server.path());
        Files.createDirectories(jar.getParent());
        Files.createFile(jar);

        assertThatThrownBy(() -> ServerClassPath.from(new JarSearch(List.of(new MavenRepository(partial)))))
                .hasMessageContaining(ServerClassPath.coordinates().get(1) + " was not found in")
                .hasMessageContaining("-Dartifact=" + server);
    }

    private static List<String> resolvedByMaven() {
        return Pattern.compile(File.pathSeparator, Pattern.LITERAL)
                .splitAsStream(System.getProperty("java.class.path"))
                .map(Path::of)
                .filter(entry -> entry.startsWith(REPOSITORY.root()))
                .map(entry -> REPOSITORY.root().relativize(entry).toString().replace(File.separatorChar, '/'))
                .filter(entry -> !NOT_THE_SERVERS.matcher(entry).matches())
                .toList();
    }
}
