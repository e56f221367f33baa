package io.dynajournal.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynajournal.exception.SettingsException;
import io.dynajournal.exception.StoreException;
import io.dynajournal.internal.store.FindingKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Whoever finds an exception in a log finds it in the runbook, under its name. */
class RunbookTest {

    private static final String HEADING = "### ";

    @Test
    void everyExceptionHasItsEntryAndEveryEntryItsException() throws IOException {
        String page = Files.readString(Path.of("../docs/operations.md"));
        List<String> entries = page.substring(page.indexOf("\n## Runbook\n"))
                .lines()
                .filter(line -> line.startsWith(HEADING))
                .map(line -> line.substring(HEADING.length()))
                .toList();
        assertThat(entries)
                .containsExactlyInAnyOrderElementsOf(Stream.concat(
                                Stream.of(StoreException.class.getPermittedSubclasses()),
                                Stream.of(SettingsException.class))
                        .map(Class::getSimpleName)
                        .toList());
    }

    @Test
    void everyFindingOfTheDoctorHasItsLine() throws IOException {
        String page = Files.readString(Path.of("../docs/doctor.md"));
        List<String> lines = page.substring(page.indexOf("\n## The findings\n"), page.indexOf("\n## Repair\n"))
                .lines()
                .filter(line -> line.startsWith("| `"))
                .map(line -> line.substring(3, line.indexOf('`', 3)))
                .toList();
        assertThat(lines)
                .containsExactlyInAnyOrderElementsOf(
                        Stream.of(FindingKind.values()).map(FindingKind::title).toList());
    }
}
