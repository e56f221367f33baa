package io.dynajournal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The tables of the predecessors' promises in docs/adopting name tests that exist. */
final class PromisesDocumentationTest {

    private static final String TABLE = "<!-- promises and their tests -->";

    /** A row of such a table: a promise, what became of it, and a test or {@code documented}. */
    private static final Pattern ROW = Pattern.compile("\\| (.+) \\| (.+) \\| (`.+`|documented) \\|");

    /** A test class, and one of its methods. */
    private static final Pattern TEST = Pattern.compile("`([A-Za-z0-9]+)(?:#([A-Za-z0-9]+))?`");

    private static Path root() {
        Path root = Path.of("").toAbsolutePath();
        while (!Files.exists(root.resolve("docs/adopting.md"))) {
            root = Objects.requireNonNull(root.getParent(), "docs/adopting.md");
        }
        return root;
    }

    private static Map<String, Path> sources() throws IOException {
        try (Stream<Path> files = Files.walk(root())) {
            return files.filter(file -> file.toString().endsWith(".java")
                            && !file.toString().contains("/target/")
                            && file.toString().contains("/src/"))
                    .collect(Collectors.toMap(
                            file -> file.getFileName().toString().replace(".java", ""),
                            file -> file,
                            (one, other) -> one));
        }
    }

    /** The rows of a page; a page without the table has none. */
    private static List<String> rows(Path page) throws IOException {
        List<String> lines = Files.readAllLines(page);
        int at = lines.indexOf(TABLE);
        return at < 0
                ? List.of()
                : lines.subList(at + 3, lines.size()).stream()
                        .takeWhile(line -> line.startsWith("|"))
                        .toList();
    }

    @Test
    void everyPromiseNamesATestThatExists() throws IOException {
        Map<String, Path> sources = sources();
        Map<String, Integer> counts = new TreeMap<>();
        List<String> wrong = new ArrayList<>();
        try (Stream<Path> pages = Files.list(root().resolve("docs/adopting"))) {
            for (Path page : pages.toList()) {
                List<String> rows = rows(page);
                counts.put(page.getFileName().toString(), rows.size());
                for (String row : rows) {
                    if (!ROW.matcher(row).matches() || !namesTestsThatExist(row, sources)) {
                        wrong.add(page.getFileName() + ": " + row);
                    }
                }
            }
        }
        assertThat(wrong).isEmpty();
        assertThat(counts).containsKeys("akka1.md", "sclasen.md");
        assertThat(counts.get("akka1.md")).isGreaterThan(30);
        assertThat(counts.get("sclasen.md")).isGreaterThan(20);
    }

    private static boolean namesTestsThatExist(String row, Map<String, Path> sources) throws IOException {
        String tests = row.substring(row.lastIndexOf("|", row.length() - 2));
        for (MatchResult test : TEST.matcher(tests).results().toList()) {
            Path source = sources.get(test.group(1));
            String method = test.group(2);
            if (source == null || (method != null && !Files.readString(source).contains("void " + method + "("))) {
                return false;
            }
        }
        return true;
    }
}
