package io.dynajournal.cli.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dynajournal.cli.terminal.Console;
import io.dynajournal.cli.terminal.Terminal;
import io.dynajournal.listener.Capacity;
import io.dynajournal.listener.Lane;
import io.dynajournal.listener.Operation;
import io.dynajournal.listener.RequestEvent;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class LongRunTest {

    private static final Map<String, String> IDENTITY = Map.of("command", "test");
    private static final CapacityLimit.Rates ONE_UNIT = new CapacityLimit.Rates(1, 1);

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    private LongRun start(CapacityLimit.Rates rates, Checkpoint checkpoint) {
        return new LongRun(console(new PrintStream(bytes, true, StandardCharsets.UTF_8)), "ids", rates, checkpoint);
    }

    private static Console console(PrintStream err) {
        return new Console(System.out, err, new BufferedReader(new StringReader("")), Terminal.NONE);
    }

    private String said() {
        return bytes.toString(StandardCharsets.UTF_8);
    }

    private static RequestEvent consumed(Operation operation, double units) {
        return new RequestEvent(
                operation,
                "t",
                "Cart",
                1,
                Lane.MAINTENANCE,
                RequestEvent.Outcome.SUCCEEDED,
                1,
                Duration.ofMillis(1),
                new Capacity(units, 0),
                null,
                null);
    }

    /** A thread that waits for capacity now. */
    private static CompletableFuture<Void> waiting(LongRun run) {
        CompletableFuture<Void> paced = new CompletableFuture<>();
        Thread thread = new Thread(() -> {
            try {
                run.pace();
                paced.complete(null);
            } catch (LongRun.Stopped stopped) {
                paced.completeExceptionally(stopped);
            }
        });
        thread.start();
        while (thread.getState() != Thread.State.TIMED_WAITING) {
            assertThat(thread.getState()).isNotEqualTo(Thread.State.TERMINATED);
            Thread.onSpinWait();
        }
        return paced;
    }

    @Test
    void aStopEndsTheWaitForCapacity() {
        try (LongRun run = start(ONE_UNIT, Checkpoint.none())) {
            run.pace();
            run.listener().onRequest(consumed(Operation.QUERY, 1_000_000));
            CompletableFuture<Void> waiting = waiting(run);
            run.stop();
            assertThat(waiting)
                    .failsWithin(Duration.ofSeconds(10))
                    .withThrowableThat()
                    .withCauseInstanceOf(LongRun.Stopped.class);
            assertThatThrownBy(run::pace).isInstanceOf(LongRun.Stopped.class);
        }
        assertThat(said()).contains("Stopped. There is no --checkpoint");
    }

    @Test
    void readsAndWritesAreLimitedSeparately() {
        try (LongRun run = start(new CapacityLimit.Rates(Double.POSITIVE_INFINITY, 1), Checkpoint.none())) {
            run.listener().onRequest(consumed(Operation.QUERY, 1_000_000));
            run.pace();
            run.listener().onRequest(consumed(Operation.PUT, 1_000_000));
            CompletableFuture<Void> waiting = waiting(run);
            run.stop();
            assertThat(waiting).failsWithin(Duration.ofSeconds(10));
            run.progress(3);
        }
        assertThat(said()).contains("3 ids done, 1,000,000.0 read units, 1,000,000.0 write units.");
    }

    /** The signal of Ctrl-C and of a shutdown: the step under way is completed and recorded, and the next run goes on after it. */
    @Test
    void aSignalEndsTheProcessBetweenTwoStepsAndTheNextRunContinues(@TempDir Path dir) throws Exception {
        Path file = dir.resolve("checkpoint");
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        LongRunTest.class.getName(),
                        file.toString())
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            BufferedReader err = process.errorReader(StandardCharsets.UTF_8);
            String line = err.readLine();
            while (line != null && !line.equals("step 5 begins")) {
                line = err.readLine();
            }
            process.toHandle().destroy();
            List<String> last = err.lines().toList();
            assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
            assertThat(last).contains("Stopped. The same command continues from " + file + ".");
            long begun =
                    5 + last.stream().filter(said -> said.endsWith(" begins")).count();
            long ended =
                    4 + last.stream().filter(said -> said.endsWith(" ends")).count();
            assertThat(ended).isEqualTo(begun);
            try (Checkpoint next = Checkpoint.open(file, IDENTITY)) {
                assertThat(next.countDone()).isEqualTo((int) ended);
                assertThat(next.isDone("id-" + ended)).isTrue();
            }
            assertThat(Files.readString(file)).endsWith("\n");
        } finally {
            process.destroyForcibly();
        }
    }

    /** Steps without end: each is recorded a while after it has begun. */
    public static void main(String[] args) throws InterruptedException {
        Checkpoint checkpoint = Checkpoint.open(Path.of(args[0]), IDENTITY);
        Console console = console(System.err);
        try (LongRun run = new LongRun(console, "ids", CapacityLimit.Rates.NONE, checkpoint)) {
            for (int step = 1; ; step++) {
                run.pace();
                System.err.println("step " + step + " begins");
                TimeUnit.MILLISECONDS.sleep(step < 5 ? 1 : 100);
                run.checkpoint().done("id-" + step);
                System.err.println("step " + step + " ends");
                run.progress(1);
            }
        } catch (LongRun.Stopped stopped) {
            System.err.println("ended");
        }
    }
}
