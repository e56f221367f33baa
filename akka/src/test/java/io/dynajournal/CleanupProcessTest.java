package io.dynajournal;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynajournal.internal.layout.commits.CommitsJournal;
import io.dynajournal.internal.store.EventLog;
import io.dynajournal.listener.RequestListener;
import io.dynajournal.testkit.FaultProxy;
import io.dynajournal.testkit.HeldRequest;
import io.dynajournal.testkit.LocalDynamo;
import io.dynajournal.testkit.LogReading;
import io.dynajournal.testkit.LogWriter;
import io.dynajournal.testkit.RequestMatch;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * A clean-up in a process with 64 MB of heap that is killed in the middle and started again. {@code -Dcleanup.long=true} runs
 * it with 100,000 events of 1,000 entities.
 */
final class CleanupProcessTest {

    private static final boolean LONG = Boolean.getBoolean("cleanup.long");
    private static final int ENTITIES = LONG ? 1_000 : 30;
    private static final int EVENTS = LONG ? 100 : 4;
    private static final String TYPE = "Bulk";

    @RegisterExtension
    final LocalDynamo local = new LocalDynamo();

    private final CommitsJournal layout = CommitsJournal.of(local.freshTable());

    private Process start(URI endpoint) throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx64m",
                        "-cp",
                        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                        CleanupProgram.class.getName(),
                        "dynajournal { client.endpoint = \"" + endpoint + "\", journal.table = \"" + layout.tableName()
                                + "\", cleanup.log-progress-every = 10 }",
                        TYPE)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    /** What the process prints, up to its end. */
    private static Set<String> cleaned(Process process) throws IOException {
        try (BufferedReader lines = process.inputReader()) {
            return lines.lines()
                    .filter(line -> line.startsWith(CleanupProgram.CLEANED))
                    .map(line -> line.substring(CleanupProgram.CLEANED.length()))
                    .collect(Collectors.toSet());
        }
    }

    @Test
    void aKilledCleanupIsCompletedByTheNext() throws IOException, InterruptedException {
        local.create(layout.table());
        EventLog log = layout.open(local.open(RequestListener.NONE));
        List<String> ids =
                IntStream.range(0, ENTITIES).mapToObj(n -> TYPE + "|" + n).toList();
        ids.parallelStream().forEach(id -> LogWriter.recover(log, id).writeSingles(EVENTS));

        FaultProxy proxy = local.proxy();
        HeldRequest held =
                proxy.when(RequestMatch.writes()).after(ENTITIES * EVENTS / 3).hold();
        Process killed = start(proxy.endpoint());
        held.awaitArrival(Duration.ofMinutes(LONG ? 5 : 1));
        killed.destroyForcibly();
        assertThat(killed.waitFor(1, TimeUnit.MINUTES)).isTrue();
        assertThat(ids).anySatisfy(id -> assertThat(LogReading.all(log, id)).isNotEmpty());

        Process next = start(local.endpoint());
        assertThat(cleaned(next)).containsExactlyInAnyOrderElementsOf(ids);
        assertThat(next.waitFor(1, TimeUnit.MINUTES)).isTrue();
        assertThat(next.exitValue()).isZero();
        for (String id : ids) {
            assertThat(LogReading.all(log, id)).isEmpty();
            assertThat(LogReading.highest(log, id)).isEqualTo(EVENTS);
        }
    }
}
