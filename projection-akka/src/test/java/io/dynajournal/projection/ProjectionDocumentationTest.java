package io.dynajournal.projection;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The examples of docs/projections.md are those that the build compiles. */
final class ProjectionDocumentationTest {

    private static final Pattern REGION = Pattern.compile("(?s)// region:([a-z-]+)\\n(.*?)\\n *// endregion");
    /** Not spelled out, because the build rewrites the name in this file too. */
    private static final Pattern TOOLKIT = Pattern.compile("(?<![\\w.$])a[k]ka\\.(?=[a-zA-Z])");

    private static final Pattern JAVA = Pattern.compile("(?s)```java\\n(.*?)```");

    @Test
    void hasEveryCompiledExampleAndNoOther() throws IOException {
        Path root = Path.of("").toAbsolutePath();
        while (!Files.exists(root.resolve("docs/projections.md"))) {
            root = Objects.requireNonNull(root.getParent(), "docs/projections.md");
        }
        Path sources = root.resolve("projection-akka/src/test/java/io/dynajournal/projection");
        List<String> compiled = new ArrayList<>(regions(sources.resolve("ProjectionExamples.java")));
        String complete = regions(sources.resolve("CartEvents.java")).get(0);
        compiled.add(complete);
        // As the build writes the sources for Pekko, which it compiles too.
        compiled.add(TOOLKIT.matcher(complete).replaceAll("org.apache.pekko."));
        List<String> shown = JAVA.matcher(Files.readString(root.resolve("docs/projections.md")))
                .results()
                .map((MatchResult example) -> plain(example.group(1)))
                .toList();

        assertThat(compiled).hasSizeGreaterThanOrEqualTo(6);
        assertThat(shown).containsExactlyInAnyOrderElementsOf(compiled);
    }

    private static List<String> regions(Path source) throws IOException {
        return REGION.matcher(Files.readString(source))
                .results()
                .map(region -> plain(region.group(2)))
                .toList();
    }

    /** Without indentation: the page shows the examples further to the left. */
    private static String plain(String code) {
        return code.lines()
                .map(String::strip)
                .filter(line -> !line.isEmpty())
                .reduce("", (all, line) -> all + line + "\n");
    }
}
