package io.dynajournal.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

final class DynamoLocalTest {

    private static DynamoLocal server;

    @BeforeAll
    static void start() {
        server = DynamoLocal.inMemory();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void answers() {
        assertThat(new Requests(server.endpoint()).listTables()).contains("TableNames");
    }

    @Test
    void allCredentialsSeeTheSameTables() {
        new Requests(server.endpoint(), "alice").createTable("shared");

        assertThat(new Requests(server.endpoint(), "bob").listTables()).contains("shared");
    }

    @Test
    void listensOnOneLoopbackAddressOnly() throws IOException {
        assertThat(server.endpoint().getHost()).isEqualTo("127.0.0.1");
        for (InetAddress other : otherAddresses()) {
            assertThatExceptionOfType(IOException.class)
                    .as("%s", other)
                    .isThrownBy(() -> connect(other, server.endpoint().getPort()));
        }
    }

    @Test
    void endsWhenItIsClosedAndNotOnASignal() {
        DynamoLocal other = DynamoLocal.inMemory();
        ProcessHandle process = ProcessHandle.of(other.pid()).orElseThrow();

        process.destroy();
        assertThatThrownBy(() -> process.onExit().get(1, TimeUnit.SECONDS)).isInstanceOf(TimeoutException.class);
        assertThat(new Requests(other.endpoint()).listTables()).contains("TableNames");

        other.close();
        other.close();
        assertThat(process.isAlive()).isFalse();
    }

    @Test
    void saysWhyItDidNotStart() {
        DynamoLocal.Options taken =
                DynamoLocal.Options.inMemory().withPort(server.endpoint().getPort());

        assertThatThrownBy(() -> DynamoLocal.start(taken))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("ended before it listened")
                .hasMessageContaining("Failed to bind");
    }

    @Test
    void doesNotWaitForever() {
        DynamoLocal.Options impatient = DynamoLocal.Options.inMemory().withStartTimeout(Duration.ofMillis(1));

        assertThatThrownBy(() -> DynamoLocal.start(impatient))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("did not listen within 1 ms");
        assertThat(ProcessHandle.current().children()).hasSize(1);
    }

    @Test
    void refusesAnImpossiblePort() {
        assertThatThrownBy(() -> DynamoLocal.Options.on(Path.of("tables")).withPort(65_536))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("65536");
    }

    private static List<InetAddress> otherAddresses() throws IOException {
        // Linux has all of 127.0.0.0/8: a second address even on a machine without a network.
        InetAddress loopback = InetAddress.getByAddress(new byte[] {127, 0, 0, 1});
        return Stream.concat(
                        Stream.of(InetAddress.getByAddress(new byte[] {127, 0, 0, 2})),
                        NetworkInterface.networkInterfaces().flatMap(NetworkInterface::inetAddresses))
                .filter(address -> !address.equals(loopback))
                .toList();
    }

    private static void connect(InetAddress address, int port) throws IOException {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(address, port), 1000);
        }
    }
}
