package io.dynajournal.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynajournal.internal.layout.commits.CommitsJournal;
import io.dynajournal.testkit.LocalDynamo;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Texts are UTF-8, also where the locale is not. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ProcessArgumentsTest {

    @RegisterExtension
    final LocalDynamo local = new LocalDynamo();

    @Test
    void theLastArgumentsAreRead() {
        byte[] commandLine = "java\0-cp\0x\0Main\0events\0\0Grüße\0".getBytes(StandardCharsets.UTF_8);
        assertThat(ProcessArguments.last(3, commandLine)).containsExactly("events", "", "Grüße");
    }

    @Test
    void anIdIsReadAndPrintedInEveryLocale(@TempDir Path dir) throws IOException, InterruptedException {
        CommitsJournal journal = CommitsJournal.of(local.freshTable());
        local.create(journal.table());
        ProcessBuilder java = new ProcessBuilder(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                "-XX:TieredStopAtLevel=1",
                "io.dynajournal.cli.Main",
                "highest",
                "--json",
                "--table",
                journal.tableName(),
                "--endpoint",
                local.endpoint().toString(),
                "id"));
        // Through a shell script, because Java would encode the argument by its own locale.
        Path script = dir.resolve("run");
        String line = String.join(" ", java.command().subList(0, java.command().size() - 1));
        Files.writeString(script, "LC_ALL=C exec " + line + " 'Größe|ж?😀'\n", StandardCharsets.UTF_8);
        Path out = dir.resolve("out");
        Process process = new ProcessBuilder("sh", script.toString())
                .redirectOutput(out.toFile())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(Files.readString(out, StandardCharsets.UTF_8))
                .isEqualTo("{\"persistenceId\":\"Größe|ж?😀\",\"highestSeqNr\":0}\n");
        assertThat(process.exitValue()).isZero();
    }
}
