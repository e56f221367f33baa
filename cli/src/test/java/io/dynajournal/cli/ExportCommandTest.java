package io.dynajournal.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynajournal.internal.catalog.Layout;
import io.dynajournal.internal.dynamo.Dynamo;
import io.dynajournal.internal.layout.JournalLayout;
import io.dynajournal.internal.layout.LayoutSettings;
import io.dynajournal.internal.model.Event;
import io.dynajournal.internal.model.EventBatch;
import io.dynajournal.internal.model.Payload;
import io.dynajournal.internal.model.StoredEvent;
import io.dynajournal.internal.store.EventLog;
import io.dynajournal.internal.store.LogEnd;
import io.dynajournal.listener.RequestListener;
import io.dynajournal.testkit.Await;
import io.dynajournal.testkit.ErrorAnswer;
import io.dynajournal.testkit.FaultProxy;
import io.dynajournal.testkit.HeldRequest;
import io.dynajournal.testkit.LocalDynamo;
import io.dynajournal.testkit.LogReading;
import io.dynajournal.testkit.LogWriter;
import io.dynajournal.testkit.RequestMatch;
import io.dynajournal.testkit.TestEvents;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What is exported is imported: every layout to lines to any layout. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ExportCommandTest {

    @RegisterExtension
    final LocalDynamo local = new LocalDynamo();

    @TempDir
    Path dir;

    private final Dynamo dynamo = local.open(RequestListener.NONE);

    private JournalLayout journal(Layout layout) {
        JournalLayout journal =
                layout.journal(new LayoutSettings(Map.of(layout.journalTableKey(), local.freshTable())));
        local.create(journal.table());
        return journal;
    }

    private CommandOutcome run(URI endpoint, Layout layout, JournalLayout journal, String... words) {
        List<String> all = new ArrayList<>(List.of(words));
        all.addAll(List.of("--layout", layout.spelled()));
        all.addAll(List.of("--table", journal.table().name()));
        all.addAll(List.of("--endpoint", endpoint.toString()));
        return CommandOutcome.of(all);
    }

    private CommandOutcome run(Layout layout, JournalLayout journal, String... words) {
        return run(local.endpoint(), layout, journal, words);
    }

    private Path export(Layout layout, JournalLayout journal, String... words) {
        Path file = dir.resolve(TestEvents.freshId().replace('|', '-'));
        List<String> all = new ArrayList<>(List.of("export", "--file", file.toString()));
        all.addAll(List.of(words));
        CommandOutcome outcome = run(layout, journal, all.toArray(String[]::new));
        assertThat(outcome.code()).as(outcome.err()).isZero();
        return file;
    }

    private CommandOutcome imported(Path file, Layout layout, JournalLayout into, String... words) {
        List<String> all = new ArrayList<>(List.of("import", file.toString(), "--yes"));
        all.addAll(List.of(words));
        return run(layout, into, all.toArray(String[]::new));
    }

    private JournalLayout importedInto(Path file, Layout layout) {
        JournalLayout into = journal(layout);
        CommandOutcome outcome = imported(file, layout, into);
        assertThat(outcome.code()).as(outcome.err()).isZero();
        return into;
    }

    /** Compares counts and contents of all logs, by the command verify. */
    private void assertSame(Layout layout, JournalLayout one, Layout otherLayout, JournalLayout other) {
        CommandOutcome outcome = run(
                layout,
                one,
                "verify",
                "--to-layout",
                otherLayout.spelled(),
                "--to-table",
                other.table().name(),
                "--to-endpoint",
                local.endpoint().toString());
        assertThat(outcome.code()).as(outcome.out() + outcome.err()).isZero();
    }

    /** Gaps, deletes in front and of all, atomic writes, two writers, and all that an event may have. */
    private JournalLayout filled() {
        JournalLayout source = journal(Layout.COMMITS);
        EventLog log = source.open(dynamo);
        LogWriter.recover(log, "gaps|1").writeSingles(3).writeAt(7, TestEvents.events(1, 50));
        LogWriter.recover(log, "front|1").writeSingles(8);
        Await.result(log.deleteTo("front|1", 5));
        LogWriter.recover(log, "gone|1").writeSingles(4);
        Await.result(log.deleteTo("gone|1", 4));
        LogWriter.recover(log, "two|\ud83d\ude80\ud800").write(3);
        LogWriter.recover(log, "two|\ud83d\ude80\ud800").write(2);
        Event full = new Event(
                new Payload(-20, "m\n", new byte[] {1, -1}),
                "adapter",
                Set.of("red", "bl\"ue"),
                new Payload(7, "meta", new byte[] {2}));
        LogEnd end = Await.result(log.append(
                new EventBatch("full|1", TestEvents.freshWriter(), 1, List.of(List.of(full)), 1_700_000_000_123_456L),
                null));
        Await.result(log.append(
                new EventBatch("full|1", TestEvents.freshWriter(), 2, List.of(List.of(full)), 1_700_000_001_000_000L),
                end));
        return source;
    }

    @ParameterizedTest
    @EnumSource(Layout.class)
    void everyLayoutIsExportedAndImportedAndBack(Layout layout) {
        JournalLayout source = filled();
        JournalLayout middle = importedInto(export(Layout.COMMITS, source), layout);
        assertSame(Layout.COMMITS, source, layout, middle);
        Path exported = export(layout, middle);
        JournalLayout back = importedInto(exported, Layout.COMMITS);
        assertSame(layout, middle, Layout.COMMITS, back);

        EventLog log = back.open(dynamo);
        for (String id : List.of("gaps|1", "front|1", "two|\ud83d\ude80\ud800", "full|1")) {
            List<StoredEvent> original = LogReading.all(source.open(dynamo), id);
            List<StoredEvent> returned = LogReading.all(log, id);
            assertThat(returned)
                    .extracting(event -> event.seqNr() + event.writer())
                    .isEqualTo(original.stream()
                            .map(event -> event.seqNr() + event.writer())
                            .toList());
            assertThat(returned)
                    .extracting(event -> event.event().payload())
                    .isEqualTo(original.stream()
                            .map(event -> event.event().payload())
                            .toList());
        }
        assertThat(LogReading.numbers(LogReading.all(log, "gaps|1"))).containsExactly(1L, 2L, 3L, 7L);
        assertThat(LogReading.numbers(LogReading.all(log, "front|1"))).containsExactly(6L, 7L, 8L);
        LogWriter.recover(log, "gone|1").write(1);
        assertThat(LogReading.numbers(LogReading.all(log, "gone|1"))).containsExactly(5L);

        CommandOutcome again = imported(exported, Layout.COMMITS, journal(Layout.COMMITS));
        assertThat(again.err()).contains("Stored 14 events");
    }

    @Test
    void whatTheNativeLayoutHasIsKeptInFull() {
        JournalLayout source = filled();
        JournalLayout target = importedInto(export(Layout.COMMITS, source), Layout.COMMITS);
        for (String id : List.of("gaps|1", "front|1", "two|\ud83d\ude80\ud800", "full|1")) {
            assertThat(LogReading.all(target.open(dynamo), id)).isEqualTo(LogReading.all(source.open(dynamo), id));
        }
    }

    @Test
    void whatWasWrittenTogetherIsOneItemAgain() {
        JournalLayout source = journal(Layout.COMMITS);
        LogWriter.recover(source.open(dynamo), "cart|1").write(3).write(2);
        JournalLayout target = journal(Layout.COMMITS);
        FaultProxy proxy = local.proxy();
        CommandOutcome outcome = run(
                proxy.endpoint(),
                Layout.COMMITS,
                target,
                "import",
                export(Layout.COMMITS, source).toString(),
                "--yes");
        assertThat(outcome.code()).as(outcome.err()).isZero();
        RequestMatch heads = RequestMatch.operation("PutItem").containing("cart|1");
        assertThat(proxy.requests(heads)).as("commits").hasSize(2);
        assertThat(LogReading.all(target.open(dynamo), "cart|1"))
                .isEqualTo(LogReading.all(source.open(dynamo), "cart|1"));
    }

    @Test
    void whatIsThereAndEqualIsSkippedAndWhatDiffersIsNamed() {
        JournalLayout source = journal(Layout.COMMITS);
        LogWriter.recover(source.open(dynamo), "cart|1").writeSingles(3);
        LogWriter.recover(source.open(dynamo), "cart|2").writeSingles(3);
        Path file = export(Layout.COMMITS, source);
        JournalLayout target = importedInto(file, Layout.COMMITS);
        assertThat(imported(file, Layout.COMMITS, target).err()).contains("Stored 0 events");

        JournalLayout other = journal(Layout.COMMITS);
        LogWriter.recover(other.open(dynamo), "cart|1").writeSingles(2);
        CommandOutcome conflict = imported(file, Layout.COMMITS, other);
        assertThat(conflict.code()).isEqualTo(1);
        assertThat(conflict.err()).contains("cart|1, event 1: the writer is", "1 persistence ids failed");
        assertThat(LogReading.all(other.open(dynamo), "cart|1")).hasSize(2);
        assertThat(LogReading.all(other.open(dynamo), "cart|2")).hasSize(3);

        LogWriter.recover(target.open(dynamo), "cart|1").write(1);
        assertThat(imported(file, Layout.COMMITS, target).err())
                .contains("the source ends at 3, the target at 4, written by");
    }

    @Test
    void onlyWhatIsSelectedIsExported() throws IOException {
        JournalLayout source = journal(Layout.COMMITS);
        for (String id : List.of("cart|1", "cart|2", "order|1")) {
            LogWriter.recover(source.open(dynamo), id).write(2);
        }
        assertThat(Files.readAllLines(export(Layout.COMMITS, source, "--entity-type", "cart")))
                .hasSize(8)
                .noneMatch(line -> line.contains("order"))
                .last()
                .isEqualTo("{\"persistenceIds\":2,\"events\":4}");
        CommandOutcome one = run(Layout.COMMITS, source, "export", "order|1");
        assertThat(one.out().lines())
                .hasSize(5)
                .element(1)
                .asString()
                .contains("\"persistenceId\":\"order|1\",\"seqNr\":1,");
        assertThat(one.err()).contains("Exported 2 events of 1 persistence ids");

        Path there = Files.writeString(dir.resolve("there"), "x");
        CommandOutcome refused = run(Layout.COMMITS, source, "export", "--file", there.toString());
        assertThat(refused.code()).isEqualTo(2);
        assertThat(refused.err()).contains("exists");
    }

    private static final String EVENT = "{\"persistenceId\":\"a|1\",\"seqNr\":3,\"writer\":\"w\",\"serializerId\":1,"
            + "\"manifest\":\"\",\"payload\":\"\"}";

    @ParameterizedTest
    @CsvSource(
            delimiter = '#',
            quoteCharacter = '`',
            value = {
                "{\"persistenceId\" # it is no JSON",
                "[] # it is no JSON object",
                "{\"persistenceId\":\"a|1\",\"seqNr\":3} # it has no writer",
                "replace \"seqNr\":3 => \"seqNr\":\"3\" # seqNr is no whole number",
                "replace \"seqNr\":3 => \"seqNr\":0 # seqNr is 0, which is not from 1",
                "replace \"seqNr\":3 => \"seqNr\":9223372036854775807 # which is not from 1 to 9007199254740992",
                "replace \"seqNr\":3 => \"seqNr\":2 # sequence number 2 of a|1 follows 2",
                "replace \"payload\":\"\" => \"payload\":\"!\" # payload is not in base64",
                "replace \"payload\":\"\" => \"payload\":\"\",\"tag\":[] # it has the unknown tag",
                "replace \"payload\":\"\" => \"payload\":\"\",\"tags\":[1] # tags is no list of texts",
                "replace \"payload\":\"\" => \"payload\":\"\",\"metadata\":{} # it has no serializerId",
                "replace a|1 => # persistenceId is empty",
                "{\"persistenceId\":\"a|1\",\"highestSeqNr\":1,\"writer\":\"w\"} # ends at 1, but has 2",
                "{\"persistenceIds\":1,\"events\":3} # the lines before have 1 and 2",
                "{\"dynajournalExport\":2,\"layout\":\"\",\"table\":\"\",\"time\":\"\"} # version 2 of the form is unknown",
            })
    void aBadLineIsNamedAndNothingOfTheFileIsStored(String line, String message) throws IOException {
        JournalLayout source = journal(Layout.COMMITS);
        LogWriter.recover(source.open(dynamo), "a|1").write(2);
        Path file = export(Layout.COMMITS, source);
        List<String> lines = new ArrayList<>(Files.readAllLines(file));
        String bad = line;
        if (line.startsWith("replace ")) {
            String[] change = line.substring("replace ".length()).split(" =>", 2);
            bad = EVENT.replace(change[0], change[1].strip());
        }
        lines.add(3, bad);
        Files.write(file, lines);
        JournalLayout target = journal(Layout.COMMITS);
        CommandOutcome outcome = imported(file, Layout.COMMITS, target);
        assertThat(outcome.code()).as(outcome.err()).isEqualTo(1);
        assertThat(outcome.err()).contains("Line 4 of " + file + ": ").contains(message);
        assertThat(LogReading.highest(target.open(dynamo), "a|1")).isZero();
    }

    /** A file may not become larger than the shell allows, as on a full disk. The AWS CRT cannot be unpacked then either. */
    @Test
    void aFullDiskIsAFailureThatSaysSo() throws Exception {
        JournalLayout journal = journal(Layout.COMMITS);
        LogWriter.recover(journal.open(dynamo), "cart|1").write(TestEvents.events(5, 50_000));
        Path file = dir.resolve("events.ndjson");
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        String command = "ulimit -f 64; exec '" + java + "' -XX:TieredStopAtLevel=1 -XX:-UsePerfData "
                + Main.class.getName() + " export --table " + journal.table().name() + " --endpoint " + local.endpoint()
                + " --file " + file;
        ProcessBuilder shell = new ProcessBuilder("bash", "-c", command);
        shell.environment().put("CLASSPATH", System.getProperty("java.class.path"));
        Process process = shell.start();
        String said = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isEqualTo(1);
        assertThat(said)
                .contains("dynajournal: the output cannot be written: File too large")
                .contains("The export is incomplete")
                .doesNotContain("Stopped");
    }

    @Test
    void aFileThatWasCutIsRejectedUnlessAPartIsWanted() throws IOException {
        JournalLayout source = journal(Layout.COMMITS);
        LogWriter.recover(source.open(dynamo), "a|1").writeSingles(3);
        Path file = export(Layout.COMMITS, source);
        String whole = Files.readString(file);
        List<String> lines = whole.lines().toList();
        JournalLayout target = journal(Layout.COMMITS);

        Files.writeString(file, String.join("\n", lines.subList(0, 3)) + "\n");
        CommandOutcome cut = imported(file, Layout.COMMITS, target);
        assertThat(cut.code()).isEqualTo(1);
        assertThat(cut.err()).contains("was cut after line 3");
        Files.writeString(file, whole.substring(0, whole.length() - 1));
        assertThat(imported(file, Layout.COMMITS, target).err()).contains("it has no end: the file was cut");
        Files.write(file, lines.subList(1, 3));
        assertThat(imported(file, Layout.COMMITS, target).err()).contains("Line 1 of ", "--part");
        assertThat(LogReading.highest(target.open(dynamo), "a|1")).isZero();

        assertThat(imported(file, Layout.COMMITS, target, "--part").code()).isZero();
        assertThat(LogReading.numbers(LogReading.all(target.open(dynamo), "a|1")))
                .containsExactly(1L, 2L);
    }

    @Test
    void aPartNeverDeletesWhatTheTargetHasBeforeIt() {
        JournalLayout source = journal(Layout.COMMITS);
        EventLog log = source.open(dynamo);
        LogWriter.recover(log, "a|1").writeSingles(6);
        JournalLayout behind = importedInto(export(Layout.COMMITS, source), Layout.COMMITS);
        JournalLayout shorter = journal(Layout.COMMITS);
        LogWriter.recover(shorter.open(dynamo), "a|1").writeSingles(2);
        Await.result(log.deleteTo("a|1", 4));
        LogWriter.recover(log, "a|1").write(2);
        Path part = export(Layout.COMMITS, source);

        CommandOutcome continued = imported(part, Layout.COMMITS, behind);
        assertThat(continued.code()).as(continued.err()).isZero();
        assertThat(LogReading.numbers(LogReading.all(behind.open(dynamo), "a|1")))
                .containsExactly(1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L);

        CommandOutcome conflict = imported(part, Layout.COMMITS, shorter);
        assertThat(conflict.code()).isEqualTo(1);
        assertThat(conflict.err()).contains("a|1, event 5", "the target ends at 2");
        assertThat(LogReading.numbers(LogReading.all(shorter.open(dynamo), "a|1")))
                .containsExactly(1L, 2L);
    }

    @Test
    void anIdThatIsNamedTwiceIsExportedOnce() throws IOException {
        JournalLayout source = journal(Layout.COMMITS);
        LogWriter.recover(source.open(dynamo), "a|1").write(2);
        Path file = export(Layout.COMMITS, source, "a|1", "a|1");
        assertThat(Files.readAllLines(file)).last().isEqualTo("{\"persistenceIds\":1,\"events\":2}");
        importedInto(file, Layout.COMMITS);
    }

    @Test
    void anImportThatFailedGoesOnAtItsCheckpoint() {
        JournalLayout source = journal(Layout.COMMITS);
        for (String id : List.of("a|1", "b|1", "bad|1")) {
            LogWriter.recover(source.open(dynamo), id).writeSingles(3);
        }
        Path file = export(Layout.COMMITS, source);
        JournalLayout target = journal(Layout.COMMITS);
        FaultProxy proxy = local.proxy();
        proxy.when(RequestMatch.writes().containing("bad|1"))
                .always()
                .answer(ErrorAnswer.of(400, "AccessDeniedException", "No."));
        String[] words = {
            "import",
            file.toString(),
            "--yes",
            "--checkpoint",
            dir.resolve("checkpoint").toString()
        };
        CommandOutcome first = run(proxy.endpoint(), Layout.COMMITS, target, words);
        assertThat(first.code()).isEqualTo(1);
        assertThat(first.err()).contains("bad|1: ", "Stored 6 events");

        proxy.clear();
        int before = proxy.requests(RequestMatch.writes()).size();
        CommandOutcome second = run(proxy.endpoint(), Layout.COMMITS, target, words);
        assertThat(second.code()).as(second.err()).isZero();
        assertThat(second.err()).contains("Stored 3 events");
        assertThat(proxy.requests(RequestMatch.writes())
                        .subList(before, proxy.requests(RequestMatch.writes()).size()))
                .isNotEmpty();
        assertSame(Layout.COMMITS, source, Layout.COMMITS, target);

        JournalLayout another = journal(Layout.COMMITS);
        assertThat(run(proxy.endpoint(), Layout.COMMITS, another, words).err()).contains("belongs to another run");
    }

    @Test
    void longLogsAndLargeEventsAreReadInParts() {
        JournalLayout source = journal(Layout.COMMITS);
        LogWriter writer = LogWriter.recover(source.open(dynamo), "long|1");
        for (int i = 0; i < 4; i++) {
            writer.write(TestEvents.events(60, 5_000));
        }
        writer.write(TestEvents.events(1, 600_000));
        LogWriter.recover(source.open(dynamo), "short|1").write(1);
        JournalLayout target = importedInto(export(Layout.COMMITS, source), Layout.COMMITS);
        List<StoredEvent> events = LogReading.all(target.open(dynamo), "long|1");
        assertThat(events).hasSize(241).isEqualTo(LogReading.all(source.open(dynamo), "long|1"));
    }

    @Test
    void eventsThatAreDeletedDuringAnExportAreNotImported() throws IOException {
        Path file = Files.writeString(
                dir.resolve("deleted"),
                EVENT + "\n" + EVENT.replace(":3", ":4") + "\n{\"persistenceId\":\"a|1\",\"deletedTo\":6}\n"
                        + EVENT.replace(":3", ":7") + "\n");
        JournalLayout target = journal(Layout.COMMITS);
        CommandOutcome outcome = imported(file, Layout.COMMITS, target, "--part");
        assertThat(outcome.code()).as(outcome.err()).isZero();
        assertThat(LogReading.numbers(LogReading.all(target.open(dynamo), "a|1")))
                .containsExactly(7L);
    }

    @Test
    void aLogThatIsDeletedWhileItIsExportedGoesOnAfterTheDelete() throws IOException {
        JournalLayout source = journal(Layout.COMMITS);
        EventLog log = source.open(dynamo);
        LogWriter writer = LogWriter.recover(log, "a|1");
        // Two pages of DynamoDB's.
        for (int i = 0; i < 6; i++) {
            writer.write(TestEvents.events(1, 300_000));
        }
        FaultProxy proxy = local.proxy();
        HeldRequest second = proxy.when(RequestMatch.operation("Query").containing("a|1"))
                .after(2)
                .hold();
        Path file = dir.resolve("moved");
        CompletionStage<CommandOutcome> export = CompletableFuture.supplyAsync(
                () -> run(proxy.endpoint(), Layout.COMMITS, source, "export", "--file", file.toString(), "a|1"));
        second.awaitArrival();
        Await.result(log.deleteTo("a|1", 5));
        second.release();
        CommandOutcome outcome = Await.result(export);
        assertThat(outcome.code()).as(outcome.err()).isZero();
        JournalLayout target = importedInto(file, Layout.COMMITS);
        assertThat(LogReading.all(target.open(dynamo), "a|1")).isEqualTo(LogReading.all(log, "a|1"));
    }
}
