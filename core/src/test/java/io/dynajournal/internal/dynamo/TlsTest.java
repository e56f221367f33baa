package io.dynajournal.internal.dynamo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.dynajournal.internal.dynamo.ClientSettings.HttpClientChoice;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import software.amazon.awssdk.core.exception.SdkClientException;

/** A server with a certificate that nobody has signed gets no request. */
final class TlsTest {

    private static final String PASSWORD = "changeit";
    private static final AtomicInteger REQUESTS = new AtomicInteger();

    @TempDir
    static Path directory;

    private static HttpsServer server;
    private static SSLContext trusting;

    @BeforeAll
    static void start() throws IOException, InterruptedException, GeneralSecurityException {
        KeyStore keys = selfSigned(directory.resolve("keys"));
        KeyManagerFactory own = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        own.init(keys, PASSWORD.toCharArray());
        TrustManagerFactory trusted = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trusted.init(keys);
        trusting = SSLContext.getInstance("TLS");
        trusting.init(own.getKeyManagers(), trusted.getTrustManagers(), null);
        server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(trusting));
        server.createContext("/", exchange -> {
            REQUESTS.incrementAndGet();
            byte[] answer = "{\"TableNames\":[]}".getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, answer.length);
            exchange.getResponseBody().write(answer);
            exchange.close();
        });
        server.start();
    }

    private static KeyStore selfSigned(Path file) throws IOException, InterruptedException, GeneralSecurityException {
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-keyalg",
                        "EC",
                        "-alias",
                        "server",
                        "-dname",
                        "CN=localhost",
                        "-ext",
                        "san=dns:localhost",
                        "-storetype",
                        "PKCS12",
                        "-storepass",
                        PASSWORD,
                        "-keystore",
                        file.toString())
                .inheritIO()
                .start();
        assertThat(keytool.waitFor(60, TimeUnit.SECONDS)).isTrue();
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(file)) {
            keys.load(in, PASSWORD.toCharArray());
        }
        return keys;
    }

    @AfterAll
    static void stop() {
        server.stop(0);
    }

    private static URI endpoint() {
        return URI.create("https://localhost:" + server.getAddress().getPort());
    }

    /** Otherwise the other tests would pass on a server that is broken. */
    @Test
    void aClientThatTrustsTheCertificateIsServed() throws IOException, InterruptedException {
        int before = REQUESTS.get();
        HttpResponse<String> answer = HttpClient.newBuilder()
                .sslContext(trusting)
                .build()
                .send(HttpRequest.newBuilder(endpoint()).build(), HttpResponse.BodyHandlers.ofString());

        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(REQUESTS).hasValue(before + 1);
    }

    @ParameterizedTest
    @EnumSource(
            value = HttpClientChoice.class,
            names = {"CRT", "NETTY"})
    void aServerWhoseCertificateNobodyHasSignedGetsNoRequest(HttpClientChoice choice) {
        int before = REQUESTS.get();
        ClientSettings settings =
                ClientSettings.forEndpoint(endpoint()).withTuning(ClientSettings.Tuning.of(choice, false));
        try (AwsClient client = Clients.connect(settings)) {
            // The HTTP clients do not agree on a message.
            assertThat(catchThrowable(() -> client.sdk().listTables().join()))
                    .hasCauseInstanceOf(SdkClientException.class);
        }
        assertThat(REQUESTS).hasValue(before);
    }
}
