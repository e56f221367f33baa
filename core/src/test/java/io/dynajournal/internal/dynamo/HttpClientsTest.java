package io.dynajournal.internal.dynamo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.http.async.SdkAsyncHttpClient;

final class HttpClientsTest {

    private static final String CRT = "AwsCommonRuntime";
    private static final String NETTY = "NettyNio";

    private static String httpClient(ClientSettings.Tuning tuning) {
        ClientSettings settings =
                ClientSettings.forEndpoint(URI.create("http://localhost:8000")).withTuning(tuning);
        try (SdkAsyncHttpClient http = HttpClients.open(settings)) {
            return http.clientName();
        }
    }

    @Test
    void crtIsUsedWhereItWorks() {
        assertThat(httpClient(ClientSettings.Tuning.DEFAULTS)).isEqualTo(CRT);
        assertThat(httpClient(ClientSettings.Tuning.of(ClientSettings.HttpClientChoice.CRT, true)))
                .isEqualTo(CRT);
    }

    @Test
    void nettyIsUsedWhenChosen() {
        assertThat(httpClient(ClientSettings.Tuning.of(ClientSettings.HttpClientChoice.NETTY, true)))
                .isEqualTo(NETTY);
    }

    @Test
    void nettyIsUsedForSettingsThatOnlyItHas() {
        assertThat(httpClient(new ClientSettings.Tuning(
                        ClientSettings.HttpClientChoice.AUTO,
                        100,
                        null,
                        null,
                        Duration.ofSeconds(3),
                        null,
                        false,
                        true,
                        null,
                        true)))
                .isEqualTo(NETTY);
    }

    /** In a JVM of its own: the CRT unpacks its native library when its classes are loaded. */
    @Test
    void nettyIsUsedWhereTheNativeLibraryOfTheCrtCannotBeLoaded() throws IOException, InterruptedException {
        assertThat(withoutNativeLibrary("AUTO")).contains("client " + NETTY);
        assertThat(withoutNativeLibrary("CRT"))
                .contains("http.client = crt cannot be used here")
                .contains("http.client = netty");
    }

    private static String withoutNativeLibrary(String choice) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Daws.crt.lib.dir=/dev/null/nowhere",
                        "-Djava.io.tmpdir=/dev/null/nowhere",
                        "-cp",
                        System.getProperty("java.class.path"),
                        HttpClientsTest.class.getName(),
                        choice)
                .redirectErrorStream(true)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        process.waitFor();
        return output;
    }

    public static void main(String[] args) {
        System.out.println("client "
                + httpClient(ClientSettings.Tuning.of(ClientSettings.HttpClientChoice.valueOf(args[0]), false)));
    }

    @Test
    void closingNettyDoesNotWaitForAQuietPeriod() {
        ClientSettings settings = ClientSettings.forEndpoint(URI.create("http://localhost:8000"))
                .withTuning(ClientSettings.Tuning.of(ClientSettings.HttpClientChoice.NETTY, false));
        Duration quickest = Duration.ofDays(1);
        // The first round loads classes, and a busy machine may stand still; Netty's own quiet period is in every
        // round.
        for (int i = 0; i < 4; i++) {
            long start = System.nanoTime();
            Clients.connect(settings).close();
            Clients.open(settings).close();
            Duration taken = Duration.ofNanos(System.nanoTime() - start);
            quickest = taken.compareTo(quickest) < 0 ? taken : quickest;
        }
        assertThat(quickest).isLessThan(Duration.ofSeconds(2));
    }
}
