package io.dynajournal.internal.dynamo;

import static io.dynajournal.internal.dynamo.OverHttp.insert;
import static io.dynajournal.internal.dynamo.OverHttp.result;
import static io.dynajournal.internal.dynamo.OverHttp.retry;
import static org.assertj.core.api.Assertions.assertThat;

import io.dynajournal.internal.dynamo.ScriptedServer.Reply;
import io.dynajournal.listener.RequestListener;
import java.time.Clock;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;

/** A refresh of credentials may block for seconds. On an event loop or a timer it would stop every other request too. */
final class CredentialThreadsTest {

    private static final Queue<String> THREADS = new ConcurrentLinkedQueue<>();

    /** Remembers the threads that resolve credentials. */
    static final class Recording implements AwsCredentialsProvider {

        public Recording() {}

        @Override
        public AwsCredentials resolveCredentials() {
            THREADS.add(Thread.currentThread().getName());
            return AwsBasicCredentials.create("local", "local");
        }
    }

    private static ClientSettings settings(OverHttp http, ClientSettings.HttpClientChoice choice) {
        ClientSettings of = ClientSettings.forEndpoint(http.server.endpoint());
        return new ClientSettings(
                of.region(),
                of.endpoint(),
                CredentialSource.providerClass(Recording.class.getName()),
                of.allowPlainHttp(),
                2,
                of.connectTimeout(),
                of.connectionAcquisitionTimeout(),
                of.idleTimeout(),
                of.flowControl(),
                ClientSettings.Tuning.of(choice, false));
    }

    @ParameterizedTest
    @EnumSource(names = {"CRT", "NETTY"})
    void credentialsAreResolvedOnTheCallersThreadOrTheClients(ClientSettings.HttpClientChoice choice) {
        THREADS.clear();
        try (OverHttp http = new OverHttp();
                AwsClient client = Clients.connect(settings(http, choice))) {
            Dynamo dynamo = new Dynamo(client, retry(20_000, 300), RequestListener.NONE, Clock.systemUTC(), true);
            // Requests that wait for a connection, that are sent again after an error, and after no answer at all.
            http.server.then(Reply.error(500, "InternalServerError", "try later"));
            http.server.then(Reply.NONE);
            http.server.hold();
            List<CompletionStage<?>> sent = IntStream.range(0, 30)
                    .<CompletionStage<?>>mapToObj(number -> insert(dynamo, number))
                    .toList();
            http.server.releaseWhenInFlight(2);
            sent.forEach(OverHttp::result);

            assertThat(THREADS).hasSizeGreaterThan(4);
            assertThat(THREADS)
                    .filteredOn(name -> !name.equals(Thread.currentThread().getName()))
                    .isNotEmpty()
                    .allMatch(name -> name.startsWith("dynajournal-client"));
            result(insert(dynamo, 31));
        }
    }
}
