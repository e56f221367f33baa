package io.dynajournal.projection;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The examples of docs/projections.md are those that the build compiles. */
final class ProjectionDocumentationTest {

    private static final Pattern REGION = Pattern.compile("(?s)// region:([a-z-]+)\\n(.*?)\\n    // endregion");
    private static final Pattern JAVA = Pattern.compile("(?s)```java\\n(.*?)```");

    @Test
    void hasEveryCompiledExampleAndNoOther() throws IOException {
        Path root = Path.of("").toAbsolutePath();
        while (!Files.exists(root.resolve("docs/projections.md"))) {
            root = Objects.requireNonNull(root.getParent(), "docs/projections.md");
        }
        String source = Files.readString(
                root.resolve("projection-akka/src/test/java/io/dynajournal/projection/ProjectionExamples.java"));
        List<String> compiled = REGION.matcher(source)
                .results()
                .map(region -> plain(region.group(2)))
                .toList();
        List<String> shown = JAVA.matcher(Files.readString(root.resolve("docs/projections.md")))
                .results()
                .map((MatchResult example) -> plain(example.group(1)))
                .toList();

        assertThat(compiled).hasSizeGreaterThanOrEqualTo(6);
        assertThat(shown).containsExactlyInAnyOrderElementsOf(compiled);
    }

    /** Without indentation: the page shows the examples further to the left. */
    private static String plain(String code) {
        return code.lines()
                .map(String::strip)
                .filter(line -> !line.isEmpty())
                .reduce("", (all, line) -> all + line + "\n");
    }
}
