package io.dynajournal;

import static org.assertj.core.api.Assertions.assertThat;

import akka.actor.ActorSystem;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What the snapshot store of 1.x sends, and where: it takes endpoint, keys and name of the journal unless it has its own. */
final class Akka1SnapshotRequestsTest {

    private record Sent(String authorization, String body) {}

    @RegisterExtension
    final Systems systems = new Systems();

    private final List<Sent> sent = new CopyOnWriteArrayList<>();
    private HttpServer server;

    @BeforeEach
    void listen() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::refuse);
        server.start();
    }

    @AfterEach
    void close() {
        server.stop(0);
    }

    private void refuse(HttpExchange exchange) throws IOException {
        try (exchange) {
            sent.add(new Sent(
                    exchange.getRequestHeaders().getFirst("Authorization"),
                    new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8)));
            byte[] answer = "{\"__type\":\"com.amazon.coral.service#AccessDeniedException\",\"message\":\"No.\"}"
                    .getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().add("Content-Type", "application/x-amz-json-1.0");
            exchange.sendResponseHeaders(400, answer.length);
            exchange.getResponseBody().write(answer);
        }
    }

    private List<Sent> sentToLoad(String id, String snapshotStore) {
        sent.clear();
        String endpoint = "http://localhost:" + server.getAddress().getPort();
        ActorSystem system = systems.start("""
                dynamodb-journal {
                  endpoint = "%1$s", region = eu-north-1, journal-name = ledger
                  aws-access-key-id = journals-id, aws-secret-access-key = journals-secret
                }
                dynamodb-snapshot-store { check-tables = off %2$s }
                """.formatted(endpoint, snapshotStore));
        Probe probe = new Probe(system);
        system.actorOf(Ledger.props(id, probe.ref(), "", "dynamodb-snapshot-store"));
        probe.expect(Ledger.RecoveryFailed.class);
        return List.copyOf(sent);
    }

    @Test
    void thoseOfTheJournalAreUsed() {
        String id = Systems.freshId();
        assertThat(sentToLoad(id, ""))
                .isNotEmpty()
                .allSatisfy(request ->
                        assertThat(request.authorization()).contains("Credential=journals-id/", "/eu-north-1/"))
                .anySatisfy(request -> assertThat(request.body()).contains("ledger-P-" + id));
    }

    @Test
    void itsOwnComeFirst() {
        String id = Systems.freshId();
        assertThat(sentToLoad(
                        id,
                        ", journal-name = other, aws-access-key-id = own-id, aws-secret-access-key = own-secret"
                                + ", region = eu-south-1, snapshot-table = mine"))
                .isNotEmpty()
                .allSatisfy(request -> {
                    assertThat(request.authorization()).contains("Credential=own-id/", "/eu-south-1/");
                    assertThat(request.body()).contains("\"mine\"", "other-P-" + id);
                });
    }
}
