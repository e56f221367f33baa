package io.dynajournal.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynajournal.exception.SettingsException;
import io.dynajournal.exception.StoreException;
import io.dynajournal.internal.store.FindingKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Every exception that a log may show has an entry of its name in the runbook. */
class RunbookTest {

    /** One of each. */
    private static final List<Exception> EXCEPTIONS = List.of(
            new StoreException.WriteConflict("cart|1", 3, "w1", "w2", "Sequence number 3 is there."),
            new StoreException.RevisionConflict("cart|1", 3, "w1", 4, "w2"),
            new StoreException.OffsetConflict("Another instance."),
            new StoreException.LogDamaged("Sequence number 3 is missing."),
            new StoreException.LogMoved("A delete."),
            new StoreException.CorruptItem("Attribute n.", null),
            new StoreException.Throttled("Throttled.", new IOException("slow down")),
            new StoreException.Unavailable("No answer.", null),
            new StoreException.Refused("No table.", null),
            new StoreException.ItemTooLarge("events", "cart|1", 3, 500_000, 400_000),
            SettingsException.of("dynajournal.journal.table", "17", "a name"));

    private static Stream<Class<?>> classes() {
        return Stream.concat(
                Stream.of(StoreException.class.getPermittedSubclasses()), Stream.of(SettingsException.class));
    }

    @Test
    void everyMessageEndsWithTheAnchorOfItsEntry() throws IOException {
        assertThat(EXCEPTIONS)
                .map(Object::getClass)
                .containsExactlyInAnyOrderElementsOf(classes().toList());
        List<String> anchors =
                entries().stream().map(entry -> entry.toLowerCase(Locale.ROOT)).toList();
        for (Exception exception : EXCEPTIONS) {
            String anchor = exception.getClass().getSimpleName().toLowerCase(Locale.ROOT);
            assertThat(anchors).contains(anchor);
            assertThat(exception).hasMessageEndingWith(" [runbook#" + anchor + "]");
        }
    }

    @Test
    void aMessageThatWasTakenFromAnotherExceptionHasOneAnchor() {
        String inner = new StoreException.LogMoved("A delete.").getMessage();
        assertThat(new StoreException.Unavailable(inner, null)).hasMessage("A delete. [runbook#unavailable]");
        assertThat(SettingsException.inBlock("dynajournal.journal", new SettingsException("table must not be empty")))
                .hasMessage("Setting dynajournal.journal.table must not be empty. [runbook#settingsexception]");
    }

    private static List<String> entries() throws IOException {
        String page = Files.readString(Path.of("../docs/operations.md"));
        return page.substring(page.indexOf("\n## Runbook\n"))
                .lines()
                .filter(line -> line.startsWith(HEADING))
                .map(line -> line.substring(HEADING.length()))
                .toList();
    }

    private static final String HEADING = "### ";

    @Test
    void everyExceptionHasItsEntryAndEveryEntryItsException() throws IOException {
        assertThat(entries())
                .containsExactlyInAnyOrderElementsOf(
                        classes().map(Class::getSimpleName).toList());
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
