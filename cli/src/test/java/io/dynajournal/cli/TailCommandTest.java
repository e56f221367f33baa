package io.dynajournal.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynajournal.internal.catalog.Layout;
import io.dynajournal.internal.dynamo.Dynamo;
import io.dynajournal.internal.layout.JournalLayout;
import io.dynajournal.internal.layout.LayoutSettings;
import io.dynajournal.internal.model.Event;
import io.dynajournal.internal.model.Payload;
import io.dynajournal.internal.store.EventLog;
import io.dynajournal.listener.RequestListener;
import io.dynajournal.testkit.LocalDynamo;
import io.dynajournal.testkit.LogReading;
import io.dynajournal.testkit.LogWriter;
import io.dynajournal.testkit.TestEvents;
import java.io.BufferedReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TailCommandTest {

    @RegisterExtension
    final LocalDynamo local = new LocalDynamo();

    private final Dynamo dynamo = local.open(RequestListener.NONE);

    private JournalLayout journal(Layout layout) {
        JournalLayout journal =
                layout.journal(new LayoutSettings(Map.of(layout.journalTableKey(), local.freshTable())));
        local.create(journal.table());
        return journal;
    }

    private List<String> words(Layout layout, JournalLayout journal, String... more) {
        List<String> words = new ArrayList<>(List.of("tail", "--json", "--payload", "none"));
        words.addAll(List.of("--endpoint", local.endpoint().toString()));
        words.addAll(
                List.of("--layout", layout.spelled(), "--table", journal.table().name()));
        words.addAll(List.of(more));
        return words;
    }

    private static List<String> printed(CommandOutcome outcome) {
        assertThat(outcome.code()).as(outcome.err()).isZero();
        return outcome.out()
                .lines()
                .map(line -> line.replaceAll(".*\"persistenceId\":\"([^\"]*)\",\"seqNr\":(\\d+),.*", "$1 $2"))
                .toList();
    }

    private static List<Event> tagged(String tag) {
        return List.of(new Event(new Payload(20, "", new byte[] {1}), "", Set.of(tag), null));
    }

    @ParameterizedTest
    @EnumSource(names = {"COMMITS", "AKKA2"})
    void theCurrentEventsOfATypeOrTagFromATimeArePrinted(Layout layout) {
        JournalLayout journal = journal(layout);
        EventLog log = journal.open(dynamo);
        LogWriter cart = LogWriter.recover(log, "cart|1").write(2).write(tagged("red"));
        // One of two events of an atomic write.
        LogWriter.recover(log, "order|1")
                .write(List.of(tagged("blue").get(0), tagged("red").get(0)));
        String all = "1970-01-01T00:00:00Z";
        assertThat(printed(
                        CommandOutcome.of(words(layout, journal, "--entity-type", "cart", "--from", all, "--current"))))
                .containsExactly("cart|1 1", "cart|1 2", "cart|1 3");
        assertThat(printed(CommandOutcome.of(
                        words(layout, journal, "--entity-type", "cart", "--tag", "red", "--from", all, "--current"))))
                .containsExactly("cart|1 3");
        if (layout == Layout.COMMITS) {
            assertThat(printed(CommandOutcome.of(words(layout, journal, "--tag", "red", "--from", all, "--current"))))
                    .containsExactly("cart|1 3", "order|1 2");
        }
        long last = LogReading.all(log, "cart|1").get(2).timestampMicros();
        String time = Instant.EPOCH.plus(last, ChronoUnit.MICROS).toString();
        assertThat(printed(CommandOutcome.of(
                        words(layout, journal, "--entity-type", "cart", "--from", time, "--current"))))
                .containsExactly("cart|1 3");
        cart.write(1);
        assertThat(printed(CommandOutcome.of(words(layout, journal, "--entity-type", "cart", "--current"))))
                .isEmpty();
    }

    @Test
    @Timeout(120)
    void newEventsArePrintedUntilASignalThatEndsTheCommandCleanly() throws Exception {
        JournalLayout journal = journal(Layout.COMMITS);
        EventLog log = journal.open(dynamo);
        LogWriter cart = LogWriter.recover(log, "cart|1").write(1);
        List<String> words = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName()));
        words.addAll(words(Layout.COMMITS, journal, "--entity-type", "cart", "--from", "1970-01-01T00:00:00Z"));
        Process process = new ProcessBuilder(words).start();
        try {
            BufferedReader out = process.inputReader(StandardCharsets.UTF_8);
            assertThat(out.readLine()).contains("\"persistenceId\":\"cart|1\",\"seqNr\":1");
            cart.write(TestEvents.events(2, 50));
            assertThat(out.readLine()).contains("\"seqNr\":2");
            assertThat(out.readLine()).contains("\"seqNr\":3");
            process.toHandle().destroy(); // SIGTERM, which ends a JVM as Ctrl-C does
            assertThat(out.readLine()).isNull();
            assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
            assertThat(process.errorReader(StandardCharsets.UTF_8).lines())
                    .noneMatch(line -> line.contains("Exception"));
            // 128 and the number of SIGTERM.
            assertThat(process.exitValue()).isEqualTo(143);
        } finally {
            process.destroyForcibly();
        }
    }

    @Test
    void whatCannotBeTailedIsRefused() {
        assertThat(CommandOutcome.of(List.of("tail")).err()).contains("--entity-type or --tag");
        JournalLayout journal = journal(Layout.AKKA1);
        CommandOutcome outcome = CommandOutcome.of(words(Layout.AKKA1, journal, "--tag", "red"));
        assertThat(outcome.code()).isEqualTo(2);
        assertThat(outcome.err()).contains("has no index by slice");
    }
}
