package io.dynajournal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What every toolkit brings in a version of its own: one of ours would replace it in the users' builds. */
final class ProvidedDependenciesTest {

    @ParameterizedTest
    @ValueSource(strings = {"slf4j-api", "config"})
    void theToolkitDecidesTheVersion(String artifact) throws IOException {
        String pom = Files.readString(Path.of("pom.xml"));
        assertThat(Pattern.compile("<dependency>(?:(?!</dependency>).)*</dependency>", Pattern.DOTALL)
                        .matcher(pom)
                        .results()
                        .map(result -> result.group().replaceAll("\\s+", ""))
                        .filter(dependency -> dependency.contains("<artifactId>" + artifact + "</artifactId>")))
                .singleElement()
                .asString()
                .contains("<scope>provided</scope>");
    }
}
