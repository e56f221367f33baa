package io.dynajournal.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.dynajournal.cli.terminal.Console;
import io.dynajournal.cli.terminal.Terminal;
import io.dynajournal.internal.layout.akka1.Akka1Journal;
import io.dynajournal.internal.layout.commits.CommitsJournal;
import io.dynajournal.testkit.LocalDynamo;
import io.dynajournal.testkit.LogFixture;
import io.dynajournal.testkit.LogWriter;
import io.dynajournal.testkit.TestEvents;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CostCommandTest {

    private static final ObjectMapper JSON = new ObjectMapper();

    @RegisterExtension
    final LocalDynamo local = new LocalDynamo();

    @TempDir
    Path directory;

    private static CommandOutcome cost(String... words) {
        List<String> all = new ArrayList<>(List.of("cost"));
        all.addAll(Arrays.asList(words));
        return CommandOutcome.of(all);
    }

    private Path file(String name, String text) throws IOException {
        return Files.writeString(directory.resolve(name), text);
    }

    /** An event per write unit: 1,000,000 events a day are 30.4 million units a month of 730 hours. */
    @Test
    void theDefaultPricesMakeTheMonth() throws IOException {
        CommandOutcome outcome =
                cost("--layouts", "commits-no-index", "--events-per-second", "100", "--starts-per-day", "0", "--json");
        assertThat(outcome.code()).isZero();
        JsonNode line = JSON.readTree(outcome.out());
        assertThat(line.get("layout").asText()).isEqualTo("commits-no-index");
        assertThat(line.get("writeUnits").asDouble()).isEqualTo(100);
        assertThat(line.get("indexUnits").asDouble()).isZero();
        // 100 units * 3,600 s * 730 h at 0.625 USD per million.
        assertThat(line.get("writes").asDouble()).isEqualTo(164.25);
        assertThat(line.get("currency").asText()).isEqualTo("USD");
        assertThat(line.get("activities").get(0).get("activity").asText()).isEqualTo("events");
        assertThat(outcome.err()).contains("region us-east-1", "prices as of 2024-11-01", "check them");
    }

    @Test
    void inAPipeEachLayoutIsALine() {
        CommandOutcome outcome = cost("--layouts", "commits,akka1", "--retention", "1d");
        assertThat(outcome.out().lines().toList()).hasSize(2).allMatch(line -> line.startsWith("layout="));
        assertThat(outcome.out()).contains("layout=commits ", "layout=akka1 ", " monthly=", " currency=USD");
    }

    @Test
    void onATerminalItIsATable() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Console console = new Console(
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8),
                new BufferedReader(new StringReader("")),
                new Terminal(false, true, true, false, 160));
        assertThat(CommandRun.run(console, "cost", "--layouts", "commits,sclasen", "--retention", "1d"))
                .isZero();
        List<String> lines = out.toString(StandardCharsets.UTF_8).lines().toList();
        assertThat(lines).hasSize(3);
        assertThat(lines.get(0)).startsWith("layout   writeUnits").contains("monthly", "currency");
        assertThat(lines.get(1)).startsWith("commits  ");
    }

    @Test
    void otherPricesMakeAnotherMonth() throws IOException {
        Path prices = file(
                "prices.json",
                "{\"region\": \"eu-central-1\", \"currency\": \"EUR\", \"as-of\": \"2026-02-03\","
                        + " \"standard\": {\"provisioned\": {\"write-unit-hour\": 0.001}}}");
        CommandOutcome outcome = cost(
                "--layouts",
                "commits-no-index",
                "--events-per-second",
                "100",
                "--starts-per-day",
                "0",
                "--prices",
                prices.toString(),
                "--billing",
                "provisioned",
                "--utilization",
                "50",
                "--json");
        JsonNode line = JSON.readTree(outcome.out());
        // 200 units provisioned, 730 h, 0.001 each.
        assertThat(line.get("writes").asDouble()).isEqualTo(146);
        assertThat(line.get("currency").asText()).isEqualTo("EUR");
        assertThat(outcome.err()).contains("region eu-central-1, provisioned capacity", "as of 2026-02-03");
        assertThat(JSON.readTree(cost(
                                        "--layouts",
                                        "commits",
                                        "--table-class",
                                        "infrequent-access",
                                        "--json",
                                        "--retention",
                                        "1d")
                                .out())
                        .get("monthly")
                        .asDouble())
                .isPositive();
    }

    @Test
    void whatIsPrintedCanBeGivenBack() throws IOException {
        Path prices = file("prices.json", cost("--print-prices").out());
        Path workload = file("workload.conf", cost("--print-workload").out());
        String[] layouts = {"--layouts", "commits,akka2", "--json"};
        CommandOutcome outcome = cost(
                "--prices", prices.toString(), "--workload", workload.toString(), layouts[0], layouts[1], layouts[2]);
        assertThat(outcome.code()).isZero();
        assertThat(outcome).isEqualTo(cost(layouts));
        assertThat(JSON.readTree(Files.readString(prices)).get("region").asText())
                .isEqualTo("us-east-1");
    }

    @Test
    void anOptionOverridesTheFile() throws IOException {
        Path workload = file("shop.json", "{\"events-per-second\": 10, \"months\": 3, \"starts-per-day\": 0}");
        JsonNode line = JSON.readTree(cost(
                        "--workload",
                        workload.toString(),
                        "--layouts",
                        "commits-no-index",
                        "--events-per-second",
                        "20",
                        "--json")
                .out());
        assertThat(line.get("writeUnits").asDouble()).isEqualTo(20);
    }

    @Test
    void aPageIsWritten() throws IOException {
        Path page = directory.resolve("cost.html");
        assertThat(cost("--retention", "1d", "--html", page.toString()).code()).isZero();
        assertThat(Files.readString(page))
                .startsWith("<!doctype html>")
                .contains("commits-no-index", "sclasen", "</html>");
        CommandOutcome failed = cost("--layouts", "commits", "--html", directory + "/none/cost.html");
        assertThat(failed.code()).isEqualTo(1);
        assertThat(failed.err()).contains("could not be written");
    }

    @Test
    void anEventThatIsTooLargeIsNotPossible() throws IOException {
        List<String> lines = cost(
                        "--layouts",
                        "commits,akka1,akka2,j5ik2o,sclasen",
                        "--event-size",
                        "450 KiB",
                        "--retention",
                        "1d",
                        "--json")
                .out()
                .lines()
                .toList();
        assertThat(JSON.readTree(lines.get(0)).get("writeUnits").asDouble()).isGreaterThan(45_000);
        assertThat(lines.subList(1, 5))
                .allMatch(line ->
                        line.contains("\"problem\":\"an event of 460800 bytes is larger than this layout can store\""));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "--events-per-second -5; events-per-second must be a number from 1.0E-6 to 10,000,000, not -5",
                "--events-per-second 0; events-per-second must be a number",
                "--events-per-second many; events-per-second must be a number",
                "--events-per-second NaN; events-per-second must be a number",
                "--events-per-second 1e300; events-per-second must be a number",
                "--event-size 0; event-size must be from 1 to 67108864 bytes, not 0",
                "--event-size -1; event-size must be",
                "--event-size 1G; event-size must be",
                "--event-size huge; event-size must be a size such as 400 or 2 KiB, not huge",
                "--batch 1.5; batch must be a whole number from 1 to 10000, not 1.5",
                "--batch 10000 --event-size 1M; batch times event-size must be at most",
                "--entities 0; entities must be",
                "--retention soon; retention must be a duration from 3600s to 3660d, such as 30d, not soon",
                "--retention -3d; retention must be a duration",
                "--removal expire; removal must be expiry or delete, not expire; did you mean expiry?",
                "--guarantee at-last-once; did you mean at-least-once?",
                "--offsets rows; offsets must be timestamp-offset or packed, not rows",
                "--utilization 0; utilization must be",
                "--refresh-interval 20s; idle-refresh-interval must not be shorter",
                "--layouts comits; there is no layout comits; did you mean commits?",
                "--layouts cassandra; there are commits, commits-no-index, akka2",
                "--billing reserved; --billing requires on-demand or provisioned, not reserved",
                "--table-class cold; --table-class requires standard or infrequent-access, not cold",
                "--workload none.conf; there is no readable file none.conf",
                "--config application.conf; a table or its figures are given without --measure",
                "--consumed-writes 3; a table or its figures are given without --measure",
                "--measure --sample 0; --sample must be from 1 to 10000, not 0"
            })
    void badInputIsNamed(String words, String message) {
        CommandOutcome outcome = cost(words.split(" "));
        assertThat(outcome.code()).isEqualTo(2);
        assertThat(outcome.out()).isEmpty();
        assertThat(outcome.err()).startsWith("dynajournal: ").contains(message).contains("usage: dynajournal cost");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "{\"regoin\": \"x\"}; there is no key regoin; did you mean region?",
                "{\"standard\": {\"on-demand\": {\"million-write\": 1}}}; did you mean standard.on-demand.million-writes?",
                "{\"standard\": {\"gb-month\": -1}}; standard.gb-month must be a number from 0 to 1,000,000, not -1",
                "{\"hours-per-month\": 0}; hours-per-month must be",
                "{\"region\": ; cannot be read"
            })
    void aWrongKeyOrPriceIsNamed(String text, String message) throws IOException {
        CommandOutcome outcome = cost("--prices", file("prices.json", text).toString(), "--layouts", "commits");
        assertThat(outcome.code()).isEqualTo(2);
        assertThat(outcome.err()).contains(message);
    }

    @Test
    void aWrongKeyOfTheWorkloadIsNamed() throws IOException {
        CommandOutcome outcome =
                cost("--workload", file("w.conf", "event-per-second = 3").toString());
        assertThat(outcome.code()).isEqualTo(2);
        assertThat(outcome.err()).contains("w.conf: there is no key event-per-second; did you mean events-per-second?");
    }

    @Test
    void helpHasExamplesAndTheShellCompletesTheCommand() {
        assertThat(cost("--help").out())
                .contains("examples:", "--events-per-second", "--print-prices", "--measure", "--html");
        assertThat(CommandOutcome.of(List.of("completion", "bash")).out())
                .contains("_picocli_dynajournal_cost", "--print-workload");
    }

    // ---- A running system ----

    private CommandOutcome measured(String table, String... more) {
        List<String> words = new ArrayList<>(
                List.of("--measure", "--endpoint", local.endpoint().toString(), "--table", table, "--json"));
        words.addAll(Arrays.asList(more));
        return cost(words.toArray(String[]::new));
    }

    @Test
    void aRunningSystemIsMeasured() throws IOException {
        LogFixture journal = LogFixture.create(local, CommitsJournal.of(local.freshTable()));
        for (int i = 0; i < 5; i++) {
            LogWriter writer = LogWriter.recover(journal.log(), TestEvents.freshId());
            writer.write(TestEvents.events(3, 700)).write(TestEvents.events(3, 700));
        }
        CommandOutcome outcome = measured(journal.tableName(), "--layouts", "akka1");
        assertThat(outcome.code()).isZero();
        assertThat(outcome.err())
                .contains("Measured: table " + journal.tableName() + " at " + local.endpoint() + ", layout commits: ")
                .contains("the last events of 5 persistence ids: 30 events of 700 bytes on average")
                .contains("3 in an atomic write")
                .contains("5 persistence ids: all were read")
                .contains("by the sample's events of the last 24 hours")
                .contains("Assumed, unless an option says otherwise: snapshots, retention");
        List<String> lines = outcome.out().lines().toList();
        assertThat(lines).hasSize(2);
        assertThat(JSON.readTree(lines.get(0)).get("layout").asText()).isEqualTo("commits");
        // 30 events in a day, of 3 in 3 + 1 units.
        assertThat(JSON.readTree(lines.get(0))
                        .get("activities")
                        .get(0)
                        .get("writeUnits")
                        .asDouble())
                .isEqualTo(30 / 86_400.0, org.assertj.core.api.Assertions.within(1e-7));
    }

    /** What CloudWatch shows gives the rate: an atomic write of three events takes four units here. */
    @Test
    void consumedUnitsGiveTheRate() throws IOException {
        LogFixture journal = LogFixture.create(local, CommitsJournal.of(local.freshTable()));
        LogWriter.recover(journal.log(), TestEvents.freshId())
                .write(TestEvents.events(3, 700))
                .write(TestEvents.events(3, 700));
        Path figures = file("figures.conf", "write-units-per-second = 400, read-units-per-second = 7");
        CommandOutcome outcome =
                measured(journal.tableName(), "--layouts", "commits", "--consumed", figures.toString());
        assertThat(outcome.err())
                .contains(
                        "300 events per second, by 400 consumed write units per second and 4 units for an atomic write")
                .contains("7 consumed read units per second");
        JsonNode events = JSON.readTree(outcome.out()).get("activities").get(0);
        assertThat(events.get("writeUnits").asDouble()
                        + events.get("indexUnits").asDouble())
                .isEqualTo(400);
        assertThat(measured(journal.tableName(), "--consumed-writes", "-1").err())
                .contains("--consumed-writes must be 0 or more, not -1.0");
    }

    /** Its events have no time. */
    @Test
    void whatIsNotMeasuredIsSaid() {
        LogFixture journal = LogFixture.create(local, Akka1Journal.of(local.freshTable()));
        LogWriter.recover(journal.log(), TestEvents.freshId()).write(TestEvents.events(2, 100));
        CommandOutcome outcome =
                measured(journal.tableName(), "--layout", "akka1", "--layouts", "akka1", "--events-per-second", "50");
        assertThat(outcome.code()).isZero();
        assertThat(outcome.err())
                .contains("Not measured: the events per second", "Not measured: how many events an atomic write has");
        assertThat(outcome.out()).contains("\"writeUnits\":50.5");
    }

    @Test
    void withoutEventsOrTableNothingIsMeasured() {
        LogFixture empty = LogFixture.create(local, CommitsJournal.of(local.freshTable()));
        assertThat(measured(empty.tableName()).err()).contains("has no events: describe the workload instead");
        assertThat(measured("no_such_table").err()).contains("no_such_table");
        assertThat(measured("no_such_table").code()).isEqualTo(1);
    }
}
