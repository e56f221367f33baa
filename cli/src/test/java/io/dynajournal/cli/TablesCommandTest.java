package io.dynajournal.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynajournal.internal.catalog.Layout;
import io.dynajournal.internal.dynamo.TableSpec;
import io.dynajournal.internal.projections.ProjectionOffsets;
import io.dynajournal.testkit.LocalDynamo;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TablesCommandTest {

    @RegisterExtension
    final LocalDynamo local = new LocalDynamo();

    private record Run(int code, String out, String err) {}

    private Run run(List<String> tables, String... words) {
        List<String> all = new ArrayList<>(List.of(words));
        all.addAll(List.of("--endpoint", local.endpoint().toString()));
        all.addAll(tables);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        int code = Main.run(
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                all.toArray(String[]::new));
        return new Run(code, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    }

    private List<String> tables(Layout layout) {
        String stores = switch (layout) {
            case SCLASEN -> "journal";
            case COMMITS, J5IK2O -> "journal,snapshots,states";
            default -> "journal,snapshots";
        };
        List<String> options = new ArrayList<>(
                List.of("--layout", layout.spelled(), "--stores", stores, "--table", local.freshTable()));
        if (layout != Layout.SCLASEN) {
            options.addAll(List.of("--snapshot-table", local.freshTable()));
        }
        if (stores.contains("states")) {
            options.addAll(List.of("--state-table", local.freshTable()));
        }
        return options;
    }

    @ParameterizedTest
    @EnumSource(Layout.class)
    void whatIsCreatedIsAsItShouldBe(Layout layout) {
        List<String> tables = tables(layout);
        Run dry = run(tables, "tables", "create", "--dry-run");
        assertThat(dry.code()).isZero();
        assertThat(dry.err()).contains("Creates these tables", tables.get(5), "nothing is changed");

        Run missing = run(tables, "tables", "verify");
        assertThat(missing.code()).isEqualTo(3);
        assertThat(missing.out()).contains("ok=false").contains(tables.get(5) + " does not exist");

        Run created = run(tables, "tables", "create", "--yes");
        assertThat(created.err()).contains("Table " + tables.get(5) + " is active.");
        assertThat(created.code()).isZero();
        Run verified = run(tables, "tables", "verify");
        assertThat(verified.out()).contains("ok=true").doesNotContain("ok=false");
        assertThat(verified.code()).isZero();
    }

    @Test
    void aDifferenceIsExplained() {
        String table = local.freshTable();
        run(List.of(), "tables", "create", "--yes", "--stores", "journal", "--layout", "akka1", "--table", table);
        Run run = run(List.of(), "tables", "verify", "--json", "--stores", "journal", "--table", table);
        assertThat(run.code()).isEqualTo(3);
        assertThat(run.out()).contains("\"ok\":false").contains("has the key").contains("index slices is missing");
    }

    @Test
    void withoutATerminalAChangeNeedsYes() {
        String table = local.freshTable();
        Run run = run(List.of(), "tables", "create", "--stores", "journal", "--table", table);
        assertThat(run.code()).isEqualTo(2);
        assertThat(run.err()).contains("Creates these tables").contains("--yes");
        assertThat(run(List.of(), "tables", "verify", "--stores", "journal", "--table", table)
                        .out())
                .contains("does not exist");
    }

    @Test
    void anUnreachableServerIsAFailureAndNoDifference() {
        assertThat(Main.run(
                        new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8),
                        new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8),
                        "tables",
                        "verify",
                        "--endpoint",
                        "http://localhost:1"))
                .isEqualTo(1);
    }

    @Test
    void theCommandsOfTheAwsCommandLineArePrinted() {
        Run run = run(List.of(), "tables", "print", "--table", "my_events", "--snapshot-table", "my_snapshots");
        assertThat(run.code()).isZero();
        assertThat(run.out())
                .contains("aws dynamodb create-table --endpoint-url " + local.endpoint())
                .contains("--table-name my_events")
                .contains("--table-name my_snapshots");
        assertThat(run(List.of(), "tables", "print", "--layout", "akka1", "--stores", "states")
                        .err())
                .contains("layout akka1 has no durable state store");
    }

    @Test
    void theTableOfOffsetsIsCreatedVerifiedAndPrinted() {
        List<String> offsets = List.of("--stores", "offsets", "--offsets", local.freshTable());
        Run missing = run(offsets, "tables", "verify");
        assertThat(missing.code()).isEqualTo(3);
        assertThat(missing.out()).contains(offsets.get(3) + " does not exist");
        Run created = run(offsets, "tables", "create", "--yes");
        assertThat(created.err()).contains(offsets.get(3) + " (table of offsets)", offsets.get(3) + " is active.");
        assertThat(run(offsets, "tables", "verify").code()).isZero();
        assertThat(local.client()
                        .describeTimeToLive(describe -> describe.tableName(offsets.get(3)))
                        .join()
                        .timeToLiveDescription()
                        .attributeName())
                .isEqualTo("expiry");

        Run printed = run(List.of(), "tables", "print", "--as", "cloudformation", "--offsets", "my_offsets");
        assertThat(printed.out())
                .contains("JournalTable:", "OffsetTable:", "\"my_offsets\"", "\"name_slice\"", "\"expiry\"");
        assertThat(run(List.of(), "tables", "print", "--stores", "journal,offsets")
                        .out())
                .contains("--table-name timestamp_offset");
    }

    @Test
    void timeToLiveOfOffsetsIsVerifiedIfAProjectionUsesIt(@TempDir Path dir) throws IOException {
        String table = local.freshTable();
        TableSpec complete = ProjectionOffsets.table(table);
        local.create(new TableSpec(table, complete.hash(), complete.range(), List.of(), null));
        String config =
                "dynajournal.projection { table = \"" + table + "\", projections.cart.offset-time-to-live = %s }\n"
                        + "akka.persistence.journal.plugin = dynajournal.journal\n";
        Path with = Files.writeString(dir.resolve("with.conf"), config.formatted("30 days"));
        Path without = Files.writeString(dir.resolve("without.conf"), config.formatted("off"));

        Run run = run(List.of(), "tables", "verify", "--stores", "offsets", "--config", with.toString());
        assertThat(run.code()).isEqualTo(3);
        assertThat(run.out()).contains("time to live").contains("expiry");
        assertThat(run(List.of(), "tables", "verify", "--stores", "offsets", "--config", without.toString())
                        .code())
                .isZero();
    }
}
