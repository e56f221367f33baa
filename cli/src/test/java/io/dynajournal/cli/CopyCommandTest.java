package io.dynajournal.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynajournal.cli.run.LongRun;
import io.dynajournal.internal.dynamo.TableAdmin;
import io.dynajournal.internal.layout.commits.CommitsJournal;
import io.dynajournal.testkit.Await;
import io.dynajournal.testkit.LocalDynamo;
import io.dynajournal.testkit.LogFixture;
import io.dynajournal.testkit.LogReading;
import io.dynajournal.testkit.LogWriter;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CopyCommandTest {

    @RegisterExtension
    final LocalDynamo local = new LocalDynamo();

    private record Run(int code, String out, String err) {}

    private Run run(String command, LogFixture from, LogFixture to, String... more) {
        return runTo(local.endpoint(), command, from, to, more);
    }

    private Run runTo(URI target, String command, LogFixture from, LogFixture to, String... more) {
        List<String> words = new ArrayList<>(List.of(
                command,
                "--table",
                from.tableName(),
                "--endpoint",
                local.endpoint().toString(),
                "--to-table",
                to.tableName(),
                "--to-endpoint",
                target.toString()));
        words.addAll(List.of(more));
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        int code = Main.run(
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                words.toArray(String[]::new));
        return new Run(code, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    }

    @Test
    void copyIsPlannedRunResumedAndVerified(@TempDir Path directory) throws Exception {
        LogFixture from = LogFixture.create(local, CommitsJournal.of(local.freshTable()));
        LogFixture to = LogFixture.create(local, CommitsJournal.of(local.freshTable()));
        LogWriter writer = LogWriter.recover(from.log(), "cart|1").writeSingles(3);

        Run dry = run("copy", from, to, "--dry-run");
        assertThat(dry.code()).as(dry.err()).isZero();
        assertThat(dry.err()).contains("This copies the events of " + from.tableName() + " to " + to.tableName());
        assertThat(LogReading.highest(to.log(), "cart|1")).isZero();
        assertThat(run("verify", from, to).code()).isEqualTo(3);

        String file = directory.resolve("checkpoint").toString();
        Run copied = run("copy", from, to, "--yes", "--checkpoint", file);
        assertThat(copied.code()).as(copied.err()).isZero();
        assertThat(copied.err()).contains("Stored 3 events");
        assertThat(Files.readString(Path.of(file))).contains("\"cart|1\"").contains("3");
        assertThat(run("verify", from, to).code()).isZero();

        writer.write(1);
        Run resumed = run("copy", from, to, "--yes", "--checkpoint", file, "--finish", "--quiet", "0");
        assertThat(resumed.code()).as(resumed.err()).isZero();
        assertThat(resumed.err()).contains("Stored 1 events");
        assertThat(run("verify", from, to, "--json").code()).isZero();

        LogWriter.recover(to.log(), "cart|1").write(1);
        Run different = run("verify", from, to, "--json");
        assertThat(different.code()).isEqualTo(3);
        assertThat(different.out()).contains("\"persistenceId\":\"cart|1\",\"what\":\"event\",\"seqNr\":5");
        Run refused = run("copy", from, to, "--yes");
        assertThat(refused.code()).isEqualTo(1);
        assertThat(refused.err()).contains("cart|1").contains("Nothing was overwritten");
        assertThat(run("copy", from, to, "--snapshots", "s", "--yes").code()).isEqualTo(2);
    }

    /** A checkpoint says nothing of a table of the same name in another region or account: events would be missing there. */
    @Test
    void checkpointIsThatOfOneAddress(@TempDir Path directory) {
        LogFixture from = LogFixture.create(local, CommitsJournal.of(local.freshTable()));
        LogFixture to = LogFixture.create(local, CommitsJournal.of(local.freshTable()));
        LogWriter.recover(from.log(), "cart|1").write(1);
        String file = directory.resolve("checkpoint").toString();
        assertThat(run("copy", from, to, "--yes", "--checkpoint", file).code()).isZero();

        Run elsewhere = runTo(local.proxy().endpoint(), "copy", from, to, "--yes", "--checkpoint", file);
        assertThat(elsewhere.code()).isEqualTo(2);
        assertThat(elsewhere.err()).contains("belongs to another run").contains("at " + local.endpoint());
    }

    @Test
    void dryRunLeavesNoCheckpoint(@TempDir Path directory) {
        LogFixture from = LogFixture.create(local, CommitsJournal.of(local.freshTable()));
        LogFixture to = LogFixture.create(local, CommitsJournal.of(local.freshTable()));
        Path file = directory.resolve("checkpoint");
        assertThat(run("copy", from, to, "--dry-run", "--checkpoint", file.toString())
                        .code())
                .isZero();
        assertThat(file).doesNotExist();
    }

    /** A table that was deleted and created again is another one: events would be missing there. */
    @Test
    void checkpointIsThatOfOneTable(@TempDir Path directory) {
        LogFixture from = LogFixture.create(local, CommitsJournal.of(local.freshTable()));
        CommitsJournal layout = CommitsJournal.of(local.freshTable());
        LogFixture to = LogFixture.create(local, layout);
        LogWriter.recover(from.log(), "cart|1").write(1);
        String file = directory.resolve("checkpoint").toString();
        assertThat(run("copy", from, to, "--yes", "--checkpoint", file).code()).isZero();

        Await.result(new TableAdmin(local.client()).delete(to.tableName()));
        local.create(layout.table());
        Run again = run("copy", from, to, "--yes", "--checkpoint", file);
        assertThat(again.code()).isEqualTo(2);
        assertThat(again.err()).contains("belongs to another run");
    }

    @Test
    void missingTableIsReportedAtOnce() {
        LogFixture from = LogFixture.create(local, CommitsJournal.of(local.freshTable()));
        LogFixture to = LogFixture.create(local, CommitsJournal.of(local.freshTable()));
        LogWriter.recover(from.log(), "cart|1").write(1);
        Await.result(new TableAdmin(local.client()).delete(to.tableName()));
        Run run = run("copy", from, to, "--yes");
        assertThat(run.code()).isEqualTo(1);
        assertThat(run.err())
                .contains("Table " + to.tableName() + " at ")
                .contains("does not exist")
                .doesNotContain("cart|1");
    }

    /** The exit code of Ctrl-C, which says that not all was copied. */
    @Test
    void stoppedCopyIsNoSuccess() throws Exception {
        LogFixture from = LogFixture.create(local, CommitsJournal.of(local.freshTable()));
        LogFixture to = LogFixture.create(local, CommitsJournal.of(local.freshTable()));
        LogWriter.recover(from.log(), "cart|1").write(1);
        LogWriter.recover(from.log(), "cart|2").write(1);
        CompletableFuture<Run> stopped = CompletableFuture.supplyAsync(
                () -> run("copy", from, to, "--yes", "--parallel", "1", "--max-capacity", "0.001"));
        // An interrupt while it waits for capacity stops it as the signal does.
        Optional<Thread> waiting = Optional.empty();
        while (waiting.isEmpty() && !stopped.isDone()) {
            waiting = Thread.getAllStackTraces().entrySet().stream()
                    .filter(thread -> Arrays.stream(thread.getValue())
                            .anyMatch(frame -> frame.getClassName().equals(LongRun.class.getName())
                                    && frame.getMethodName().equals("pace")))
                    .map(Map.Entry::getKey)
                    .findAny();
            Thread.onSpinWait();
        }
        waiting.ifPresent(Thread::interrupt);
        Run run = stopped.get(30, TimeUnit.SECONDS);
        assertThat(run.code()).as(run.err()).isEqualTo(130);
        assertThat(run.err()).contains("Stopped.");
    }

    @Test
    void commandsThatWouldLeaveSomethingOutAreRejected() {
        LogFixture from = LogFixture.create(local, CommitsJournal.of(local.freshTable()));
        LogFixture to = LogFixture.create(local, CommitsJournal.of(local.freshTable()));
        assertRejected("leaves nothing without --states", run("copy", from, to, "--yes", "--without-events"));
        assertRejected("leaves nothing without --states", run("verify", from, to, "--without-events"));
        assertRejected(
                "leave out --without-events or --snapshots",
                run(
                        "copy",
                        from,
                        to,
                        "--yes",
                        "--without-events",
                        "--snapshots",
                        "a",
                        "--to-snapshots",
                        "b",
                        "--states",
                        "c",
                        "--to-states",
                        "d"));
        assertRejected("the source and the target are the same", run("copy", from, from, "--yes"));
        assertRejected("--parallel requires 1 or more", run("copy", from, to, "--yes", "--parallel", "0"));
        assertRejected("--quiet requires 0 or more", run("copy", from, to, "--yes", "--finish", "--quiet", "-1"));
        assertRejected("give one of them", run("copy", from, to, "--yes", "--finish", "--follow"));
        assertRejected("--parallel requires 1 or more", run("verify", from, to, "--parallel", "0"));
    }

    private static void assertRejected(String message, Run run) {
        assertThat(run.code()).as(run.err()).isEqualTo(2);
        assertThat(run.err()).contains(message);
    }
}
