package io.dynajournal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * Sources, settings, pages, build files, scripts and what they print use the words of {@code docs/glossary.md} and not those that
 * they have replaced.
 */
final class GlossaryTest {

    private static final Path ROOT = Path.of("..");
    private static final Set<String> SKIPPED_DIRECTORIES = Set.of("target", ".git", "results", "node_modules");
    /** The names of settings that were renamed are still recognised. */
    private static final Set<String> SKIPPED_FILES = Set.of("GlossaryTest.java", "RenamedKeys.java");

    private static final Pattern TEXT_FILES = Pattern.compile(".*[.](java|md|conf|xml|yml|json|properties|html|py|sh)");

    /** In flight, gap, timeout, newer, newest, notification, group, bypass, go through, segment, HTTP client, this number of. */
    private static final Pattern REPLACED = Pattern.compile(
            "\\bon the way\\b|\\bholes?\\b|\\btime-outs?\\b|\\byoung(er|est)\\b|\\bnews\\b|\\bwaits? for company\\b"
                    + "|\\bpass(es|ed)? by the\\b|\\bgo(es)? by the SDK\\b|\\bcrowds?\\b|\\bstretch(es)?\\b|\\bcarriers?\\b"
                    + "|\\bso many\\b",
            Pattern.CASE_INSENSITIVE);

    private static List<Path> texts() throws IOException {
        List<Path> texts = new ArrayList<>();
        Files.walkFileTree(ROOT, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
                return SKIPPED_DIRECTORIES.contains(name(directory))
                        ? FileVisitResult.SKIP_SUBTREE
                        : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                String name = name(file);
                if ((TEXT_FILES.matcher(name).matches() || isScript(file, name)) && !SKIPPED_FILES.contains(name)) {
                    texts.add(file);
                }
                return FileVisitResult.CONTINUE;
            }
        });
        return texts;
    }

    private static boolean isScript(Path file, String name) {
        return !name.contains(".") && Files.isExecutable(file);
    }

    private static String name(Path file) {
        Path last = file.getFileName();
        return last == null ? "" : last.toString();
    }

    @Test
    void replacedWordsDoNotComeBack() throws IOException {
        List<String> found = new ArrayList<>();
        for (Path text : texts()) {
            List<String> lines = Files.readAllLines(text);
            for (int i = 0; i < lines.size(); i++) {
                if (REPLACED.matcher(lines.get(i)).find()) {
                    found.add(text + ":" + (i + 1) + ": " + lines.get(i).strip());
                }
            }
        }
        assertThat(found).isEmpty();
    }
}
