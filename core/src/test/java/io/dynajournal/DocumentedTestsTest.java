package io.dynajournal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every test that the pages for adopters, on the guarantees and on testing name exists. */
final class DocumentedTestsTest {

    private static final Path ROOT = Path.of("..");

    /** {@code `ClassTest`}, {@code `ClassTest#method`}, and {@code `#method`} of the class named before. */
    private static final Pattern TEST = Pattern.compile("`(?:([A-Z]\\w*(?:Test|Tests|Spec|Contract)))?(?:#(\\w+))?`");

    private static Map<String, String> sources() throws IOException {
        Map<String, String> sources = new HashMap<>();
        try (Stream<Path> files = Files.walk(ROOT)) {
            for (Path file : files.filter(each -> each.toString().endsWith(".java"))
                    .filter(each -> !each.toString().contains("target/"))
                    .toList()) {
                String name = Objects.requireNonNull(file.getFileName()).toString();
                sources.put(name.substring(0, name.length() - ".java".length()), Files.readString(file));
            }
        }
        return sources;
    }

    private static int check(String line, Map<String, String> sources) {
        String last = "";
        int found = 0;
        for (Matcher test = TEST.matcher(line); test.find(); ) {
            if (test.group(1) == null && test.group(2) == null) {
                continue;
            }
            last = test.group(1) == null ? last : test.group(1);
            assertThat(sources).as(line).containsKey(last);
            if (test.group(2) != null) {
                assertThat(sources.get(last)).as(line).contains("void " + test.group(2) + "(");
            }
            found++;
        }
        return found;
    }

    @Test
    void everyNamedTestExists() throws IOException {
        Map<String, String> sources = sources();
        try (Stream<Path> pages = Files.list(ROOT.resolve("docs/adopting"))) {
            Stream<Path> others =
                    Stream.of("adopting.md", "guarantees.md", "testing.md").map(ROOT.resolve("docs")::resolve);
            for (Path page : Stream.concat(pages, others).toList()) {
                for (String line : Files.readAllLines(page)) {
                    check(line, sources);
                }
            }
        }
    }

    /** Each row of the table of promises names a test. */
    @ParameterizedTest
    @ValueSource(strings = {"akka2", "j5ik2o"})
    void everyPromiseNamesATest(String page) throws IOException {
        Map<String, String> sources = sources();
        List<String> lines = Files.readAllLines(ROOT.resolve("docs/adopting/" + page + ".md"));
        int at = lines.indexOf("<!-- promises of " + page + " -->");
        assertThat(at).isPositive();
        List<String> rows = lines.subList(at + 3, lines.size()).stream()
                .takeWhile(line -> line.startsWith("|"))
                .toList();
        assertThat(rows)
                .hasSizeGreaterThan(20)
                .allSatisfy(row -> assertThat(check(row, sources)).as(row).isPositive());
    }
}
