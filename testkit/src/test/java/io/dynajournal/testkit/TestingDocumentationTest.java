package io.dynajournal.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The pages about guarantees and tests name tests that exist. */
final class TestingDocumentationTest {

    private static final Path ROOT = root();
    private static final Pattern ROW = Pattern.compile("(?m)^\\| (\\d+) \\| .+ \\| ([^|]+) \\|$");
    private static final Pattern TEST = Pattern.compile("`(\\*?[A-Za-z0-9]+(?:Tests?|Contract))`");

    private static Path root() {
        Path root = Path.of("").toAbsolutePath();
        while (!Files.exists(root.resolve("docs/testing.md"))) {
            root = Objects.requireNonNull(root.getParent(), "docs/testing.md");
        }
        return root;
    }

    private static String page(String name) throws IOException {
        return Files.readString(ROOT.resolve(name));
    }

    private static Set<String> classes() throws IOException {
        try (Stream<Path> files = Files.walk(ROOT)) {
            return files.map(Path::toString)
                    .filter(file -> file.endsWith(".java") && file.contains("/src/") && !file.contains("/target/"))
                    .map(file -> file.substring(file.lastIndexOf('/') + 1).replace(".java", ""))
                    .collect(Collectors.toSet());
        }
    }

    private static List<String> missing(String text, Set<String> classes) {
        return TEST.matcher(text)
                .results()
                .map(test -> test.group(1))
                .filter(test -> test.startsWith("*")
                        ? classes.stream().noneMatch(name -> name.endsWith(test.substring(1)))
                        : !classes.contains(test))
                .toList();
    }

    @Test
    void everyGuaranteeNamesTestsThatExist() throws IOException {
        Set<String> classes = classes();
        List<MatchResult> rows =
                ROW.matcher(page("docs/guarantees.md")).results().toList();

        assertThat(rows).extracting(row -> row.group(1)).containsExactly("1", "2", "3", "4", "5", "6", "7", "8", "9");
        for (MatchResult row : rows) {
            assertThat(TEST.matcher(row.group(2)).results())
                    .as("tests of guarantee %s", row.group(1))
                    .isNotEmpty();
            assertThat(missing(row.group(2), classes))
                    .as("guarantee %s", row.group(1))
                    .isEmpty();
        }
    }

    @Test
    void everyGuaranteeHasItsRowInThePageAboutTests() throws IOException {
        assertThat(ROW.matcher(page("docs/testing.md")).results().map(row -> row.group(1)))
                .containsExactly("1", "2", "3", "4", "5", "6", "7", "8", "9");
    }

    @Test
    void everyTestThatThePagesNameExists() throws IOException {
        Set<String> classes = classes();
        for (String page : List.of("docs/testing.md", "SECURITY.md", "docs/guarantees.md")) {
            assertThat(missing(page(page), classes)).as(page).isEmpty();
        }
    }
}
