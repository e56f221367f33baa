package io.dynajournal.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynajournal.internal.catalog.Layout;
import io.dynajournal.internal.layout.JournalLayout;
import io.dynajournal.internal.layout.LayoutSettings;
import io.dynajournal.internal.layout.commits.CommitsJournal;
import io.dynajournal.internal.layout.commits.CommitsSnapshots;
import io.dynajournal.internal.layout.commits.CommitsStates;
import io.dynajournal.internal.model.Payload;
import io.dynajournal.internal.model.SnapshotCriteria;
import io.dynajournal.internal.model.StateChange;
import io.dynajournal.internal.model.StoredSnapshot;
import io.dynajournal.internal.store.SnapshotTable;
import io.dynajournal.internal.store.StateTable;
import io.dynajournal.listener.RequestListener;
import io.dynajournal.testkit.Await;
import io.dynajournal.testkit.ErrorAnswer;
import io.dynajournal.testkit.FaultProxy;
import io.dynajournal.testkit.LocalDynamo;
import io.dynajournal.testkit.LogFixture;
import io.dynajournal.testkit.LogReading;
import io.dynajournal.testkit.LogWriter;
import io.dynajournal.testkit.RequestMatch;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CleanupCommandTest {

    private static final Payload PAYLOAD = new Payload(1, "", new byte[] {7});

    @RegisterExtension
    final LocalDynamo local = new LocalDynamo();

    private CommandOutcome run(String... words) {
        return run(local.endpoint(), words);
    }

    private static CommandOutcome run(URI endpoint, String... words) {
        List<String> all = new ArrayList<>(List.of("cleanup", "--endpoint", endpoint.toString()));
        all.addAll(List.of(words));
        return CommandOutcome.of(all);
    }

    private static List<Long> numbers(LogFixture journal, String id) {
        return LogReading.numbers(LogReading.all(journal.log(), id));
    }

    @ParameterizedTest
    @EnumSource(Layout.class)
    void theEventsOfAnEntityTypeAreDeletedAndThenReset(Layout layout) {
        String table = local.freshTable();
        JournalLayout tables = layout.journal(new LayoutSettings(Map.of(layout.journalTableKey(), table)));
        LogFixture journal = LogFixture.create(local, tables);
        for (String id : List.of("cart|1", "cart|2", "order|1")) {
            LogWriter.recover(journal.log(), id).write(3);
        }
        String[] carts = {"--layout", layout.spelled(), "--table", table, "--delete", "events", "--entity-type", "cart"
        };

        CommandOutcome dry = run(and(carts, "--dry-run", "--json"));
        assertThat(dry.code()).as(dry.err()).isZero();
        assertThat(dry.err())
                .contains("This deletes all events of all entities of type cart, from table " + table + " at "
                        + local.endpoint())
                .contains("highest sequence number is kept")
                .contains("nothing is changed");
        assertThat(dry.out().lines())
                .containsExactlyInAnyOrder("{\"persistenceId\":\"cart|1\"}", "{\"persistenceId\":\"cart|2\"}");
        assertThat(run(carts).code()).isEqualTo(2);
        assertThat(numbers(journal, "cart|1")).containsExactly(1L, 2L, 3L);

        CommandOutcome done = run(and(carts, "--yes"));
        assertThat(done.code()).as(done.err()).isZero();
        assertThat(done.err()).contains("2 persistence ids done").doesNotContain(" 0.0 write units");
        assertThat(numbers(journal, "cart|1")).isEmpty();
        assertThat(numbers(journal, "cart|2")).isEmpty();
        assertThat(LogReading.highest(journal.log(), "cart|1")).isEqualTo(3);
        assertThat(numbers(journal, "order|1")).hasSize(3);

        CommandOutcome reset = run(
                "--layout",
                layout.spelled(),
                "--table",
                table,
                "--delete",
                "events",
                "--reset",
                "--yes",
                "cart|1",
                "order|1");
        assertThat(reset.err()).contains("is forgotten").contains("the persistence ids cart|1, order|1");
        assertThat(LogReading.highest(journal.log(), "cart|1")).isZero();
        assertThat(LogReading.highest(journal.log(), "order|1")).isZero();
        assertThat(LogReading.highest(journal.log(), "cart|2")).isEqualTo(3);
    }

    private static String[] and(String[] words, String... more) {
        List<String> all = new ArrayList<>(List.of(words));
        all.addAll(List.of(more));
        return all.toArray(String[]::new);
    }

    @Test
    void eventsAreDeletedUpToANumberAndBeforeATime() {
        LogFixture journal = LogFixture.create(local, CommitsJournal.of(local.freshTable()));
        LogWriter.recover(journal.log(), "a|1").writeSingles(4);
        assertThat(run("--table", journal.tableName(), "--delete", "events", "--to", "1", "--yes", "a|1")
                        .code())
                .isZero();
        assertThat(numbers(journal, "a|1")).containsExactly(2L, 3L, 4L);

        long micros = LogReading.all(journal.log(), "a|1").get(2).timestampMicros();
        String time = Instant.EPOCH.plus(micros, ChronoUnit.MICROS).toString();
        assertThat(run("--table", journal.tableName(), "--delete", "events", "--before", time, "--yes", "a|1")
                        .err())
                .contains("the events written before " + time);
        assertThat(numbers(journal, "a|1")).containsExactly(4L);
    }

    @ParameterizedTest
    @CsvSource({"before-snapshot,1,1", "snapshots,3,0", "all,0,0"})
    void snapshotsAndWhatTheyMakeSuperfluousAreDeleted(String what, int events, int snapshots) {
        LogFixture journal = LogFixture.create(local, CommitsJournal.of(local.freshTable()));
        LogWriter.recover(journal.log(), "a|1").writeSingles(3);
        CommitsSnapshots layout = CommitsSnapshots.of(local.freshTable());
        local.create(layout.table());
        SnapshotTable saved = layout.open(local.open(RequestListener.NONE));
        for (long seqNr = 1; seqNr <= 2; seqNr++) {
            Await.result(saved.save(new StoredSnapshot("a|1", seqNr, seqNr, PAYLOAD, null)));
        }

        CommandOutcome run = run(
                "--table",
                journal.tableName(),
                "--snapshot-table",
                layout.tableName(),
                "--delete",
                what,
                "--yes",
                "a|1");
        assertThat(run.code()).as(run.err()).isZero();
        assertThat(run.err()).contains("table " + layout.tableName());
        assertThat(numbers(journal, "a|1")).hasSize(events);
        assertThat(Await.result(saved.load("a|1", SnapshotCriteria.ALL)).isPresent())
                .isEqualTo(snapshots > 0);
        assertThat(Await.result(saved.load("a|1", SnapshotCriteria.exactly(1)))).isEmpty();
    }

    @Test
    void statesAndTheirTombstonesAreDeleted() {
        CommitsStates layout = CommitsStates.of(local.freshTable());
        local.create(layout.table());
        StateTable states = layout.open(local.open(RequestListener.NONE), "w");
        for (String id : List.of("a|1", "a|2", "b|1")) {
            Await.result(states.write(StateChange.update(id, 1, PAYLOAD, "")));
        }
        String[] ofType = {"--state-table", layout.table().name(), "--entity-type", "a", "--yes"};

        run(and(ofType, "--delete", "states", "--before", "2020-01-01T00:00:00Z"));
        assertThat(Await.result(states.get("a|1")).orElseThrow().payload()).isNotNull();
        CommandOutcome deleted = run(and(ofType, "--delete", "states", "--before", "2100-01-01T00:00:00Z"));
        assertThat(deleted.code()).as(deleted.err()).isZero();
        assertThat(Await.result(states.get("a|1")).orElseThrow().payload()).isNull();
        assertThat(Await.result(states.get("a|1")).orElseThrow().revision()).isEqualTo(2);
        assertThat(Await.result(states.get("b|1")).orElseThrow().payload()).isNotNull();

        assertThat(run(and(ofType, "--delete", "tombstones")).code()).isZero();
        assertThat(Await.result(states.get("a|1"))).isEmpty();
        run("--state-table", layout.table().name(), "--delete", "states", "--reset", "--yes", "b|1");
        assertThat(Await.result(states.get("b|1"))).isEmpty();
    }

    @Test
    void anIdThatFailsIsTriedAgainAndTheOthersAreNot(@TempDir Path dir) throws IOException {
        LogFixture journal = LogFixture.create(local, CommitsJournal.of(local.freshTable()));
        for (String id : List.of("bad|1", "good|1", "good|2")) {
            LogWriter.recover(journal.log(), id).write(3);
        }
        Path ids = Files.writeString(dir.resolve("ids"), "bad|1\n\n{\"persistenceId\":\"good|1\"}\ngood|2\n");
        FaultProxy proxy = local.proxy();
        proxy.when(RequestMatch.writes().containing("bad|1"))
                .always()
                .answer(ErrorAnswer.of(400, "AccessDeniedException", "No."));
        String[] words = {
            "--table",
            journal.tableName(),
            "--delete",
            "events",
            "--ids",
            ids.toString(),
            "--yes",
            "--checkpoint",
            dir.resolve("checkpoint").toString()
        };
        CommandOutcome first = run(proxy.endpoint(), words);
        assertThat(first.code()).isEqualTo(1);
        assertThat(first.err()).contains("bad|1: ").contains("No.").contains("1 persistence ids failed");
        assertThat(numbers(journal, "good|2")).isEmpty();
        assertThat(numbers(journal, "bad|1")).hasSize(3);

        proxy.clear();
        CommandOutcome second = run(proxy.endpoint(), words);
        assertThat(second.code()).as(second.err()).isZero();
        assertThat(second.err()).contains("1 persistence ids done");
        assertThat(numbers(journal, "bad|1")).isEmpty();
        assertThat(run(proxy.endpoint(), and(words, "--reset")).err()).contains("belongs to another run");
    }

    @Test
    void whatContradictsItselfIsRefused() {
        assertThat(run("--delete", "events", "--yes").err()).contains("one of these");
        assertThat(run("--delete", "events", "--entity-type", "a", "a|1").code())
                .isEqualTo(2);
        assertThat(run("--delete", "events", "").err()).contains("empty");
        assertThat(run("--delete", "events", "--to", "3", "a|1", "a|2").err()).contains("--to requires");
        assertThat(run("--delete", "snapshots", "--before", "2020-01-01T00:00:00Z", "a|1")
                        .err())
                .contains("--before requires");
        assertThat(run("--delete", "events", "--reset", "--to", "3", "a|1").err())
                .contains("--reset requires");
        assertThat(run("--delete", "before-snapshot", "--reset", "a|1").err()).contains("--reset requires");
        assertThat(run("--delete", "states", "--layout", "akka1", "a|1").err()).contains("no durable state");
        assertThat(run("a|1").err()).contains("--delete is missing");
    }
}
