package io.dynajournal.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynajournal.cli.terminal.Console;
import io.dynajournal.cli.terminal.Terminal;
import io.dynajournal.internal.catalog.Layout;
import io.dynajournal.internal.layout.LayoutSettings;
import io.dynajournal.internal.layout.StateLayout;
import io.dynajournal.internal.layout.commits.CommitsJournal;
import io.dynajournal.internal.layout.commits.CommitsSnapshots;
import io.dynajournal.internal.model.Event;
import io.dynajournal.internal.model.Payload;
import io.dynajournal.internal.model.StateChange;
import io.dynajournal.internal.model.StoredSnapshot;
import io.dynajournal.internal.store.StateTable;
import io.dynajournal.listener.RequestListener;
import io.dynajournal.testkit.Await;
import io.dynajournal.testkit.LocalDynamo;
import io.dynajournal.testkit.LogFixture;
import io.dynajournal.testkit.LogWriter;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.io.PrintStream;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class MainTest {

    @RegisterExtension
    final LocalDynamo local = new LocalDynamo();

    private final LogFixture journal = LogFixture.create(local, CommitsJournal.of(local.freshTable()));

    private record Run(int code, List<String> out, String err) {}

    private Run run(String... words) {
        List<String> all =
                new ArrayList<>(List.of("--endpoint", local.endpoint().toString()));
        all.addAll(List.of(words));
        return runAlone(all.toArray(String[]::new));
    }

    /** Without a server. */
    private static Run runAlone(String... words) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        int code = Main.run(
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                words);
        return new Run(
                code, out.toString(StandardCharsets.UTF_8).lines().toList(), err.toString(StandardCharsets.UTF_8));
    }

    private static Event event(String text) {
        return new Event(
                new Payload(20, "m\"1", text.getBytes(StandardCharsets.UTF_8)), "adapter", Set.of("b", "a"), null);
    }

    @Test
    void eachEventIsAnObjectOnItsOwnLine() {
        LogWriter writer = LogWriter.recover(journal.log(), "-odd \"id\"").write(List.of(event("x"), event("y")));
        Run run = run("events", "--json", "--table", journal.tableName(), "--from", "2", "--", "-odd \"id\"");
        assertThat(run.err()).isEmpty();
        assertThat(run.code()).isZero();
        assertThat(run.out())
                .containsExactly(
                        "{\"seqNr\":2,\"timestamp\":" + writer.seen().timestampMicros() / 1000 + ",\"writer\":\""
                                + writer.uuid()
                                + "\",\"serializerId\":20,\"manifest\":\"m\\\"1\",\"adapterManifest\":\"adapter\",\"tags\":[\"a\",\"b\"],"
                                + "\"payload\":\"eQ==\"}");
    }

    @Test
    void theHighestSequenceNumberSurvivesADelete() {
        LogWriter.recover(journal.log(), "deleted").write(3);
        Await.result(journal.log().deleteTo("deleted", 3));
        assertThat(run("highest", "deleted", "--json", "--table", journal.tableName())
                        .out())
                .containsExactly("{\"persistenceId\":\"deleted\",\"highestSeqNr\":3}");
        assertThat(run("events", "deleted", "--table", journal.tableName()).out())
                .isEmpty();
        assertThat(run("highest", "nobody", "--json", "--table", journal.tableName())
                        .out())
                .containsExactly("{\"persistenceId\":\"nobody\",\"highestSeqNr\":0}");
    }

    @Test
    void idsAreListed() {
        LogFixture own = LogFixture.create(local, CommitsJournal.of(local.freshTable()));
        for (int i = 0; i < 20; i++) {
            LogWriter.recover(own.log(), "cart|" + i).write(1);
        }
        Run run = run("ids", "--json", "--table", own.tableName());
        assertThat(run.out())
                .hasSize(20)
                .contains("{\"persistenceId\":\"cart|7\"}")
                .doesNotHaveDuplicates();
    }

    @Test
    void snapshotsArePrintedOldestFirst() {
        CommitsSnapshots layout = CommitsSnapshots.of(local.freshTable());
        local.create(layout.table());
        for (long seqNr : new long[] {9, 0, 4}) {
            Await.result(layout.open(local.open(RequestListener.NONE))
                    .save(new StoredSnapshot("s", seqNr, 100 + seqNr, new Payload(1, "", new byte[] {7}), null)));
        }
        assertThat(run("snapshots", "s", "--json", "--table", layout.tableName())
                        .out())
                .containsExactly(
                        "{\"seqNr\":0,\"timestamp\":100,\"serializerId\":1,\"manifest\":\"\",\"payload\":\"Bw==\"}",
                        "{\"seqNr\":4,\"timestamp\":104,\"serializerId\":1,\"manifest\":\"\",\"payload\":\"Bw==\"}",
                        "{\"seqNr\":9,\"timestamp\":109,\"serializerId\":1,\"manifest\":\"\",\"payload\":\"Bw==\"}");
    }

    @Test
    void wrongUsageIsExplainedAndExitsWithTwo() {
        assertThat(run("events").code()).isEqualTo(2);
        assertThat(run("events").err()).contains("requires one persistence id").contains("usage:");
        assertThat(run("evnts", "x").err()).contains("unknown command evnts");
        assertThat(run("events", "x", "--layout", "commit").err()).contains("there are commits");
        assertThat(run("events", "x", "--set", "tabel=y").err()).contains("no setting tabel");
        assertThat(run("events", "x", "--from", "one").err()).contains("--from requires a sequence number");
        assertThat(run("events", "x", "--colour").err()).contains("unknown option --colour");
        assertThat(run("events", "x", "--colour").out()).isEmpty();
    }

    @Test
    void aMissingTableIsAFailure() {
        Run run = run("events", "x", "--table", "not_there");
        assertThat(run.code()).isEqualTo(1);
        assertThat(run.err()).contains("not_there");
        assertThat(run.out()).isEmpty();
    }

    /** The tables of other layouts have other keys: the command would find nothing, and the doctor call that sound. */
    @ParameterizedTest
    @EnumSource(
            value = Layout.class,
            names = {"AKKA2", "AKKA1", "J5IK2O", "SCLASEN"})
    void aTableOfAnotherLayoutIsRefused(Layout other) {
        for (String[] words : new String[][] {
            {"ids"},
            {"events", "x"},
            {"highest", "x"},
            {"doctor"},
            {"export"},
            {"cleanup", "--delete", "events", "--entity-type", "cart", "--yes"}
        }) {
            List<String> all = new ArrayList<>(List.of(words));
            all.addAll(List.of("--layout", other.spelled(), "--table", journal.tableName()));
            Run run = run(all.toArray(String[]::new));
            assertThat(run.code()).as("%s: %s", all, run.err()).isEqualTo(2);
            assertThat(run.err()).contains("has the key (pid S, seq N)").contains("--layout");
        }
    }

    @Test
    void optionsMayStandAnywhereAndOnlyOnce() {
        assertThat(run("--table", journal.tableName(), "--json", "highest", "nobody")
                        .out())
                .containsExactly("{\"persistenceId\":\"nobody\",\"highestSeqNr\":0}");
        assertThat(run("highest", "x", "--table", "a", "--table", "b").err()).contains("--table is given twice");
        assertThat(run("highest", "x", "--table").err()).contains("--table requires a value");
    }

    @Test
    void anEmptyIdIsRefused() {
        for (String command : List.of("events", "highest", "snapshots")) {
            Run run = run(command, "", "--table", journal.tableName());
            assertThat(run.code()).as(command).isEqualTo(2);
            assertThat(run.err()).contains("empty");
        }
    }

    @Test
    void plainIdsHaveNoLineBreaks() {
        LogFixture own = LogFixture.create(local, CommitsJournal.of(local.freshTable()));
        LogWriter.recover(own.log(), "a\nb").write(1);
        assertThat(run("ids", "--table", own.tableName()).out()).containsExactly("persistenceId=a\\nb");
    }

    @Test
    void theConfigurationOfAnApplicationNamesTheTable(@TempDir Path dir) throws IOException {
        LogWriter.recover(journal.log(), "configured").write(2);
        Path file = Files.writeString(
                dir.resolve("application.conf"),
                "pekko.persistence.journal.plugin = mine\nmine = ${dynajournal.journal} { table = "
                        + journal.tableName() + " }");
        assertThat(run("highest", "configured", "--json", "--config", file.toString())
                        .out())
                .containsExactly("{\"persistenceId\":\"configured\",\"highestSeqNr\":2}");
        Run both = run("highest", "x", "--config", file.toString(), "--table", "t");
        assertThat(both.code()).isEqualTo(2);
        assertThat(both.err()).contains("--config names the layout");
    }

    @Test
    void everyCommandHasHelpWithExamples() {
        assertThat(runAlone("--help").out().toString()).contains("events", "completion", "exit codes");
        CommandRun.commands(
                        new Console(System.out, System.err, new BufferedReader(new StringReader("")), Terminal.NONE))
                .getSubcommands()
                .forEach((name, command) -> {
                    Run run = runAlone(name, "--help");
                    assertThat(run.code()).as(name).isZero();
                    assertThat(String.join("\n", run.out()))
                            .as(name)
                            .contains("usage: dynajournal " + name)
                            .contains("examples:\n  dynajournal " + name);
                });
    }

    @Test
    void completionKnowsCommandsAndOptions() {
        String script = String.join("\n", runAlone("completion", "bash").out());
        assertThat(script).contains("events").contains("--layout").contains("complete ");
    }

    @Test
    void payloadsAreShownAsWhatTheyAre() {
        LogWriter.recover(journal.log(), "payloads").write(List.of(event("{\"item\": 3}"), event("plain")));
        assertThat(run("events", "payloads", "--payload", "auto", "--json", "--table", journal.tableName())
                        .out())
                .first()
                .asString()
                .endsWith("\"payloadForm\":\"json\",\"payload\":{\"item\":3}}");
        assertThat(run("events", "payloads", "--table", journal.tableName()).out())
                .last()
                .asString()
                .endsWith("payloadForm=text payload=plain");
        assertThat(run("events", "payloads", "--payload", "none", "--json", "--table", journal.tableName())
                        .out())
                .allSatisfy(line -> assertThat(line).doesNotContain("payload\":"));
    }

    @Test
    void idsAreChosenByPrefixEntityTypeAndActivity() {
        LogFixture own = LogFixture.create(local, CommitsJournal.of(local.freshTable()));
        for (String id : List.of("cart|a", "cart|b", "cart", "cartoon|a", "order|a")) {
            LogWriter.recover(own.log(), id).write(1);
        }
        assertThat(run("ids", "--table", own.tableName(), "--entity-type", "cart")
                        .out())
                .containsExactlyInAnyOrder("persistenceId=cart|a", "persistenceId=cart|b");
        assertThat(run("ids", "--table", own.tableName(), "--prefix", "carto").out())
                .containsExactly("persistenceId=cartoon|a");
        assertThat(run("ids", "--table", own.tableName(), "--active-since", "2020-01-01T00:00:00Z")
                        .out())
                .hasSize(5);
        assertThat(run("ids", "--table", own.tableName(), "--active-since", "2120-01-01T00:00:00Z")
                        .out())
                .isEmpty();
        assertThat(run("ids", "--active-since", "yesterday").err()).contains("--active-since requires a time");
    }

    @ParameterizedTest
    @EnumSource(names = {"COMMITS", "J5IK2O"})
    void aStateIsPrintedAlsoAfterItsDelete(Layout layout) {
        String table = local.freshTable();
        StateLayout states = layout.states(new LayoutSettings(Map.of(layout.journalTableKey(), table)))
                .orElseThrow();
        local.create(states.table());
        StateTable open = states.open(local.open(RequestListener.NONE), "w");
        Await.result(open.write(
                StateChange.update("s", 1, new Payload(20, "m", "x".getBytes(StandardCharsets.UTF_8)), "red")));
        assertThat(run("state", "s", "--json", "--layout", layout.spelled(), "--table", table)
                        .out())
                .singleElement()
                .asString()
                .startsWith("{\"persistenceId\":\"s\",\"revision\":1,")
                .endsWith("\"tag\":\"red\",\"serializerId\":20,\"manifest\":\"m\",\"payload\":\"eA==\"}");
        assertThat(run("state", "nobody", "--layout", layout.spelled(), "--table", table)
                        .out())
                .isEmpty();
        Await.result(open.write(StateChange.delete("s", 2)));
        if (layout == Layout.COMMITS) {
            assertThat(run("state", "s", "--json", "--table", table).out())
                    .singleElement()
                    .asString()
                    .contains("\"revision\":2")
                    .endsWith("\"deleted\":true}");
        }
    }

    @Test
    void followedEventsArePrintedWhenTheyAreWritten() throws Exception {
        LogWriter writer = LogWriter.recover(journal.log(), "followed").write(1);
        PipedInputStream pipe = new PipedInputStream();
        PrintStream out = new PrintStream(new PipedOutputStream(pipe), false, StandardCharsets.UTF_8);
        BufferedReader lines = new BufferedReader(new InputStreamReader(pipe, StandardCharsets.UTF_8));
        CompletableFuture<Integer> command = CompletableFuture.supplyAsync(() -> Main.run(
                out,
                System.err,
                "events",
                "followed",
                "--follow",
                "--to",
                "3",
                "--table",
                journal.tableName(),
                "--endpoint",
                local.endpoint().toString()));
        assertThat(lines.readLine()).startsWith("seqNr=1 ");
        writer.write(1);
        assertThat(lines.readLine()).startsWith("seqNr=2 ");
        writer.write(2);
        assertThat(lines.readLine()).startsWith("seqNr=3 ");
        assertThat(command.get(30, TimeUnit.SECONDS)).isZero();
    }
}
