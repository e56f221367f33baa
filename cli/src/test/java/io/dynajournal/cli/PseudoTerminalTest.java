package io.dynajournal.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynajournal.internal.layout.commits.CommitsJournal;
import io.dynajournal.testkit.LocalDynamo;
import io.dynajournal.testkit.LogFixture;
import io.dynajournal.testkit.LogReading;
import io.dynajournal.testkit.LogWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** What a person sees and types: tables in colours, a question, a bar, Ctrl-C. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(180)
class PseudoTerminalTest {

    private static final String ESCAPE = "\u001b[";

    @RegisterExtension
    final LocalDynamo local = new LocalDynamo();

    @BeforeAll
    static void requireScript() {
        if (!PseudoTerminal.isAvailable()) {
            System.err.println("SKIPPED: the terminal output is not tested, because there is no script of util-linux");
            Assumptions.abort("no script of util-linux");
        }
    }

    private List<String> words(String... words) {
        List<String> all = new ArrayList<>(List.of(words));
        all.addAll(List.of("--endpoint", local.endpoint().toString()));
        return all;
    }

    private LogFixture journal() {
        return LogFixture.create(local, CommitsJournal.of(local.freshTable()));
    }

    @Test
    void resultsAreATableInColoursOnATerminalAndPlainLinesInAPipe() throws Exception {
        LogFixture journal = journal();
        LogWriter.recover(journal.log(), "cart|1").writeSingles(2);
        List<String> words = words("events", "cart|1", "--payload", "none", "--table", journal.tableName());
        try (PseudoTerminal terminal = PseudoTerminal.run(words)) {
            assertThat(terminal.exitCode()).as(terminal.screen()).isZero();
            List<String> lines = terminal.screen().lines().toList();
            assertThat(lines.get(0)).startsWith(ESCAPE + "1m").contains("seqNr").contains("timestamp");
            assertThat(lines).hasSize(3).allSatisfy(line -> assertThat(line).doesNotContain("seqNr="));
            assertThat(lines.get(1)).startsWith("1 ");
        }
        CommandOutcome piped = CommandOutcome.of(words);
        assertThat(piped.out()).contains("seqNr=1 ").contains("seqNr=2 ").doesNotContain(ESCAPE);
    }

    @Test
    void aChangeIsDoneOnlyIfItIsConfirmed() throws Exception {
        String table = local.freshTable();
        List<String> create = words("tables", "create", "--table", table);
        try (PseudoTerminal terminal = PseudoTerminal.run(create)) {
            terminal.await(screen -> screen.contains("[y/N]"));
            terminal.type("n\n");
            assertThat(terminal.exitCode()).as(terminal.screen()).isEqualTo(4);
            assertThat(terminal.screen()).contains("Nothing was changed.");
        }
        try (PseudoTerminal terminal = PseudoTerminal.run(create)) {
            terminal.await(screen -> screen.contains("[y/N]"));
            terminal.type("yes\n");
            assertThat(terminal.exitCode()).as(terminal.screen()).isZero();
            assertThat(terminal.screen()).contains("Table " + table + " is active.");
        }
    }

    @Test
    void aLongRunShowsABarStopsOnCtrlCAndContinues(@TempDir Path directory) throws Exception {
        LogFixture from = journal();
        LogFixture to = journal();
        for (int i = 0; i < 10; i++) {
            LogWriter.recover(from.log(), "cart|" + i).writeSingles(2);
        }
        Path checkpoint = directory.resolve("copy.json");
        List<String> copy = words(
                "copy",
                "--table",
                from.tableName(),
                "--to-table",
                to.tableName(),
                "--to-endpoint",
                local.endpoint().toString(),
                "--parallel",
                "1",
                "--yes",
                "--checkpoint",
                checkpoint.toString());
        List<String> slow = new ArrayList<>(copy);
        slow.addAll(List.of("--max-capacity", "write=0.1"));
        try (PseudoTerminal terminal = PseudoTerminal.run(slow)) {
            // The bar is drawn over itself: how far, of how much, how fast, for how long, and for how many units.
            terminal.await(
                    screen -> screen.matches("(?s).*\r[^\n]*[1-9][0-9]*/2[0-9] events[^\n]*/s[^\n]*write units.*"));
            terminal.interrupt();
            assertThat(terminal.exitCode()).as(terminal.screen()).isEqualTo(130);
            assertThat(terminal.screen())
                    .contains("Stopped. The same command continues from " + checkpoint)
                    .contains("\u2588")
                    .doesNotContain("Exception");
        }
        assertThat(Files.readString(checkpoint)).contains("\"cart|0\"");
        assertThat(LogReading.highest(to.log(), "cart|9")).isZero();

        try (PseudoTerminal terminal = PseudoTerminal.run(copy)) {
            assertThat(terminal.exitCode()).as(terminal.screen()).isZero();
        }
        for (int i = 0; i < 10; i++) {
            assertThat(LogReading.highest(to.log(), "cart|" + i)).isEqualTo(2);
        }
    }
}
