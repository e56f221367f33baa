package io.dynajournal.internal.direct;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynajournal.internal.dynamo.AwsClient;
import io.dynajournal.internal.dynamo.ClientSettings;
import io.dynajournal.internal.dynamo.Clients;
import io.dynajournal.internal.dynamo.Dynamo;
import io.dynajournal.internal.dynamo.Item;
import io.dynajournal.internal.dynamo.RetrySettings;
import io.dynajournal.internal.dynamo.ScriptedServer;
import io.dynajournal.listener.RequestListener;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;

/** An interceptor that something else adds to every client of the SDK, as tracing agents do, sees every request. */
final class InstalledInterceptorsTest {

    private static final String GLOBAL = "software/amazon/awssdk/global/handlers";
    private static final AtomicInteger SEEN = new AtomicInteger();

    /** Created by the SDK. */
    public static final class Tracing implements ExecutionInterceptor {

        public Tracing() {}

        @Override
        public void beforeExecution(Context.BeforeExecution context, ExecutionAttributes attributes) {
            SEEN.incrementAndGet();
        }
    }

    /** In JVMs of their own: the SDK looks for the file on the class path. */
    @Test
    void noRequestIsSentDirectly(@TempDir Path directory) throws IOException, InterruptedException {
        assertThat(threeInserts(directory)).contains("directly 2, through the interceptor 0");

        Path global = Files.createDirectories(directory.resolve(GLOBAL));
        Files.writeString(global.resolve("execution.interceptors"), Tracing.class.getName());
        assertThat(threeInserts(directory)).contains("directly 0, through the interceptor 3");
    }

    private static String threeInserts(Path directory) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        directory + File.pathSeparator + System.getProperty("java.class.path"),
                        InstalledInterceptorsTest.class.getName())
                .redirectErrorStream(true)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        process.waitFor();
        return output;
    }

    public static void main(String[] args) {
        try (ScriptedServer server = new ScriptedServer();
                AwsClient client = Clients.connect(ClientSettings.forEndpoint(server.endpoint())
                        .withTuning(ClientSettings.Tuning.of(ClientSettings.HttpClientChoice.AUTO, true)))) {
            Dynamo dynamo = new Dynamo(
                    client,
                    new RetrySettings(
                            Duration.ofSeconds(40),
                            Duration.ofSeconds(20),
                            Duration.ofMillis(1),
                            Duration.ofMillis(5),
                            3),
                    RequestListener.NONE,
                    Clock.systemUTC());
            for (int seqNr = 1; seqNr <= 3; seqNr++) {
                dynamo.insert("events", Item.create().text("pid", "cart-7").number("seq", seqNr), "pid", "seq")
                        .toCompletableFuture()
                        .orTimeout(60, TimeUnit.SECONDS)
                        .join();
            }
            long direct = server.received().stream()
                    .filter(request -> "dynajournal".equals(request.header("User-Agent")))
                    .count();
            System.out.println("directly " + direct + ", through the interceptor " + SEEN);
        }
        System.exit(0);
    }
}
