package io.dynajournal.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynajournal.internal.layout.commits.CommitsJournal;
import io.dynajournal.internal.model.SliceRange;
import io.dynajournal.internal.projections.OffsetTable;
import io.dynajournal.internal.projections.Position;
import io.dynajournal.internal.projections.ProjectionOffsets;
import io.dynajournal.internal.projections.SeqNrRow;
import io.dynajournal.internal.projections.SliceRow;
import io.dynajournal.internal.projections.StoredOffsets;
import io.dynajournal.listener.RequestListener;
import io.dynajournal.testkit.Await;
import io.dynajournal.testkit.LocalDynamo;
import io.dynajournal.testkit.LogFixture;
import io.dynajournal.testkit.LogWriter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ProjectionsCommandTest {

    private static final String NAME = "popularity";

    @RegisterExtension
    final LocalDynamo local = new LocalDynamo();

    private final LogFixture journal = LogFixture.create(local, CommitsJournal.of(local.freshTable()));
    private String table = "";

    private record Run(int code, List<String> out, String err) {}

    @BeforeEach
    void createOffsets() {
        table = local.freshTable();
        local.create(ProjectionOffsets.table(table));
    }

    private Run run(String... words) {
        List<String> all = new ArrayList<>(List.of("projections"));
        all.addAll(List.of(words));
        all.addAll(List.of("--endpoint", local.endpoint().toString()));
        if (!all.contains("--config")) {
            all.addAll(List.of("--offsets", table));
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        int code = Main.run(
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                all.toArray(String[]::new));
        return new Run(
                code, out.toString(StandardCharsets.UTF_8).lines().toList(), err.toString(StandardCharsets.UTF_8));
    }

    private Run onJournal(String... words) {
        List<String> all = new ArrayList<>(Arrays.asList(words));
        all.addAll(List.of("--table", journal.tableName()));
        return run(all.toArray(String[]::new));
    }

    private OffsetTable rows() {
        return new OffsetTable(local.open(RequestListener.NONE), table, NAME, null);
    }

    private ProjectionOffsets.Overview overview() {
        return Await.result(new ProjectionOffsets(local.open(RequestListener.NONE), table, NAME).read());
    }

    /** As a running instance of a range stores it. */
    private void project(SliceRange range, Position... positions) {
        OffsetTable rows = rows();
        long newest = 0;
        for (Position position : positions) {
            Await.result(rows.putSeqNrs(
                    Map.of(position.persistenceId(), new SeqNrRow(position.seqNr(), position.micros(), 0))));
            newest = Math.max(newest, position.micros());
        }
        SliceRow first = SliceRow.NONE.with(range.max(), new SliceRow.Progress(newest, 0, SliceRow.Progress.ENTITIES));
        Await.result(rows.own(range, first, Await.result(rows.read(range)).owner(), "instance"));
    }

    private static String id(String type, SliceRange slices) {
        int i = 0;
        while (!slices.contains(type + "|" + i)) {
            i++;
        }
        return type + "|" + i;
    }

    @Test
    void projectionsAreListedWithTheRangesThatRanLast() {
        assertThat(run("list", "--json").out()).isEmpty();
        project(SliceRange.ALL, new Position("L|1", 1, 1_000_000));
        project(new SliceRange(0, 511), new Position("L|1", 2, 3_000_000));
        project(new SliceRange(512, 1023), new Position("L|1", 2, 2_000_000));
        Run run = run("list", "--json");
        assertThat(run.out())
                .containsExactly("{\"projection\":\"popularity\",\"layout\":\"timestamp-offset\",\"slices\":2,"
                        + "\"ranges\":[\"0-511\",\"512-1023\"],\"paused\":[]}");
        assertThat(run.err()).isEmpty();
        assertThat(run.code()).isZero();
    }

    @Test
    void pauseAndResumeAreSeenByInstances() {
        project(SliceRange.ALL, new Position("P|1", 1, 1_000_000));
        StoredOffsets running = Await.result(rows().read(SliceRange.ALL));
        Run dry = run("pause", NAME, "--dry-run");
        assertThat(dry.code()).isZero();
        assertThat(dry.err()).contains("Pauses the projection popularity, in table " + table, "nothing is changed");
        assertThat(Await.result(rows().isChanged(running))).isFalse();

        assertThat(run("pause", NAME).code()).isEqualTo(2);
        assertThat(Await.result(rows().isChanged(running))).isFalse();

        assertThat(run("pause", NAME, "--yes").code()).isZero();
        assertThat(Await.result(rows().isChanged(running))).isTrue();
        assertThat(run("list").out()).singleElement().asString().contains("paused=[0-1023]");

        assertThat(run("resume", NAME, "--yes").code()).isZero();
        assertThat(Await.result(rows().isChanged(running))).isFalse();
    }

    @Test
    void theOffsetIsSetAndCleared() {
        project(SliceRange.ALL, new Position("S|1", 1, 1_000_000));
        StoredOffsets running = Await.result(rows().read(SliceRange.ALL));
        Run set = run("set", NAME, "--time", "2026-11-18T10:00:00.123456Z", "--yes");
        assertThat(set.err()).contains("to 2026-11-18T10:00:00.123456Z", "is not paused");
        assertThat(set.code()).isZero();
        assertThat(overview().projectedToMicros()).isEqualTo(1_794_996_000_123_456L);
        assertThat(Await.result(rows().isChanged(running))).isTrue();

        run("pause", NAME, "--yes");
        Run cleared = run("clear", NAME, "--yes");
        assertThat(cleared.err()).contains("projects all events again").doesNotContain("is not paused");
        assertThat(overview().projectedToMicros()).isZero();
        assertThat(overview().newestMicros()).isZero();
        assertThat(run("set", NAME, "--time", "yesterday", "--yes").code()).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"pause", "resume", "clear"})
    void aMisspelledProjectionIsNotChanged(String change) {
        Run run = run(change, "popularty", "--yes");
        assertThat(run.code()).isEqualTo(2);
        assertThat(run.err()).contains("table " + table + " has no offsets of a projection popularty");
        assertThat(local.client().scan(scan -> scan.tableName(table)).join().count())
                .isZero();
    }

    @Test
    void lagCountsWhatWaitsInEachRange() {
        SliceRange low = new SliceRange(0, 511);
        SliceRange high = new SliceRange(512, 1023);
        LogWriter lower = LogWriter.recover(journal.log(), id("Lag", low)).write(1);
        LogWriter upper = LogWriter.recover(journal.log(), id("Lag", high)).write(1);
        project(low, new Position(lower.persistenceId(), 1, lower.seen().timestampMicros()));
        project(high, new Position(upper.persistenceId(), 1, upper.seen().timestampMicros()));
        upper.write(3);
        LogWriter.recover(journal.log(), id("Other", high)).write(1);

        Run run = onJournal("lag", NAME, "--entity-type", "Lag", "--json");
        assertThat(run.code()).isZero();
        assertThat(run.out()).hasSize(2);
        assertThat(run.out().get(0)).contains("\"slices\":\"0-511\"", "\"waiting\":0,\"seconds\":0,\"complete\":true");
        assertThat(run.out().get(1)).contains("\"slices\":\"512-1023\"", "\"waiting\":3,", "\"complete\":true");
        assertThat(run("lag", NAME).err()).contains("--entity-type is missing");
    }

    /** One partition of the index has the slices of both ranges. */
    @Test
    void lagCountsOnlyTheSlicesOfARange() {
        SliceRange low = new SliceRange(0, 31);
        SliceRange high = new SliceRange(32, 63);
        project(low);
        project(high);
        LogWriter.recover(journal.log(), id("Near", low)).write(2);
        LogWriter.recover(journal.log(), id("Near", high)).write(1);

        Run run = onJournal("lag", NAME, "--entity-type", "Near", "--json");
        assertThat(run.out()).hasSize(2);
        assertThat(run.out().get(0)).contains("\"slices\":\"0-31\"", "\"waiting\":2,");
        assertThat(run.out().get(1)).contains("\"slices\":\"32-63\"", "\"waiting\":1,");
    }

    /** Otherwise the rows of entities would still count, and nothing would be projected again. */
    @Test
    void whatWasProjectedBeforeASetCountsAsAbsent() {
        LogWriter done = LogWriter.recover(journal.log(), "Again|1").write(1);
        long micros = done.seen().timestampMicros();
        project(SliceRange.ALL, new Position("Again|1", 1, micros));
        String[] audit = {"audit", NAME, "--entity-type", "Again", "--json"};
        assertThat(onJournal(audit).out()).singleElement().asString().contains("\"projected\":1,\"waiting\":0");

        run("set", NAME, "--time", Instant.ofEpochSecond(0, (micros - 1) * 1000).toString(), "--yes");
        assertThat(Await.result(rows().read(SliceRange.ALL)).generation()).isEqualTo(1);
        assertThat(onJournal(audit).out()).singleElement().asString().contains("\"projected\":0,\"waiting\":1");

        Await.result(rows().putSeqNrs(Map.of("Again|1", new SeqNrRow(1, micros, 1))));
        assertThat(onJournal(audit).out()).singleElement().asString().contains("\"projected\":1,\"waiting\":0");
        run("clear", NAME, "--yes");
        assertThat(onJournal(audit).out()).singleElement().asString().contains("\"projected\":0,\"waiting\":1");
    }

    @Test
    void anAuditCountsWhatIsMissed() {
        LogWriter done = LogWriter.recover(journal.log(), "Audit|1").write(1);
        LogWriter missed = LogWriter.recover(journal.log(), "Audit|2").write(1);
        LogWriter late = LogWriter.recover(journal.log(), "Audit|3").write(1);
        LogWriter.recover(journal.log(), "NotProjected|1").write(1);
        project(
                SliceRange.ALL,
                new Position("Audit|1", 1, done.seen().timestampMicros()),
                new Position("Audit|3", 1, late.seen().timestampMicros()));
        late.write(1);

        String[] audit = {"audit", NAME, "--entity-type", "Audit", "--window", "0", "--json"};
        Run run = onJournal(audit);
        assertThat(run.out())
                .containsExactly("{\"projection\":\"popularity\",\"sampled\":3,\"projected\":1,\"waiting\":1,"
                        + "\"forgotten\":0,\"missed\":1}");
        assertThat(run.err()).contains("Missed: Audit|2 is projected to sequence number 0", "has sequence number 1");
        assertThat(run.code()).isEqualTo(3);
        assertThat(onJournal("audit", NAME, "--entity-type", "Audit", "--sample", "2", "--json")
                        .out())
                .singleElement()
                .asString()
                .contains("\"sampled\":2,");

        Await.result(
                rows().putSeqNrs(Map.of("Audit|2", new SeqNrRow(1, missed.seen().timestampMicros(), 0))));
        assertThat(onJournal(audit).code()).isZero();
    }

    @Test
    void theTableIsThatOfAConfiguration(@TempDir Path dir) throws IOException {
        project(new SliceRange(0, 511), new Position("C|1", 1, 1_000_000));
        Path file = Files.writeString(
                dir.resolve("application.conf"),
                "mine = ${dynajournal.projection}\nmine.table = \"" + table + "\"\nakka.actor.provider = local\n");
        assertThat(run("list", "--config", file.toString(), "--block", "mine", "--json")
                        .out())
                .singleElement()
                .asString()
                .contains("\"ranges\":[\"0-511\"]");
        Run twice = run("list", "--config", file.toString(), "--offsets", table);
        assertThat(twice.code()).isEqualTo(2);
        assertThat(twice.err()).contains("--config names the table of offsets already");
        assertThat(run("list", "--config", file.toString(), "--block", "other").err())
                .contains("There is no block other for projections");
    }
}
