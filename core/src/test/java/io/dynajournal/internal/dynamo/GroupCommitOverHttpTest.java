package io.dynajournal.internal.dynamo;

import static io.dynajournal.internal.dynamo.OverHttp.insert;
import static io.dynajournal.internal.dynamo.OverHttp.result;
import static io.dynajournal.internal.dynamo.OverHttp.retry;
import static org.assertj.core.api.Assertions.assertThat;

import io.dynajournal.internal.dynamo.ScriptedServer.Received;
import io.dynajournal.internal.dynamo.ScriptedServer.Reply;
import io.dynajournal.listener.RequestListener;
import java.time.Clock;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Group commit against a server that answers groups badly. */
final class GroupCommitOverHttpTest {

    private static final String GROUP = "BatchExecuteStatement";
    private static final int CONNECTIONS = 2;

    private final OverHttp http = new OverHttp();
    private final Dynamo dynamo = new Dynamo(
            http.client(ClientSettings.HttpClientChoice.AUTO, CONNECTIONS),
            retry(20_000, 10_000),
            RequestListener.NONE,
            Clock.systemUTC(),
            true);

    @AfterEach
    void close() {
        http.close();
    }

    /** Sends puts while the server keeps its answers back, so that all but the first two wait for a connection. */
    private List<CompletionStage<?>> insertAll(int count) {
        http.server.hold();
        List<CompletionStage<?>> sent = IntStream.range(0, count)
                .<CompletionStage<?>>mapToObj(number -> insert(dynamo, number))
                .toList();
        http.server.releaseWhenInFlight(Math.min(count, CONNECTIONS));
        return sent;
    }

    private void groupsAnswered(Reply reply) {
        http.server.otherwise(received -> received.operation().equals(GROUP) ? reply : Reply.of(200, "{}"));
    }

    private long count(String operation) {
        return http.operations().stream().filter(operation::equals).count();
    }

    private static Reply stored(Received group) {
        int statements = group.body().split("\"Statement\"", -1).length - 1;
        return Reply.of(
                200,
                "{\"Responses\":[" + String.join(",", Collections.nCopies(statements, "{\"TableName\":\"events\"}"))
                        + "]}");
    }

    @Test
    void putsThatWaitForAConnectionAreSentTogether() {
        http.server.otherwise(received -> received.operation().equals(GROUP) ? stored(received) : Reply.of(200, "{}"));
        insertAll(52).forEach(OverHttp::result);
        assertThat(count(GROUP)).isEqualTo(2);
        assertThat(count("PutItem")).isEqualTo(2);
        assertThat(http.server.maxInFlight()).isEqualTo(CONNECTIONS);
    }

    /** A group throttles and fails as a whole, so that one table must not hold up the other. */
    @Test
    void aGroupHoldsPutsOfOneTable() {
        http.server.otherwise(received -> received.operation().equals(GROUP) ? stored(received) : Reply.of(200, "{}"));
        http.server.hold();
        List<CompletionStage<?>> sent = IntStream.range(0, 12)
                .<CompletionStage<?>>mapToObj(number -> dynamo.insert(
                        number % 2 == 0 ? "even" : "odd",
                        Item.create().text("pid", "cart-" + number).number("seq", 12),
                        "pid",
                        "seq"))
                .toList();
        http.server.releaseWhenInFlight(CONNECTIONS);
        sent.forEach(OverHttp::result);
        assertThat(http.server.received())
                .filteredOn(received -> received.operation().equals(GROUP))
                .hasSize(2)
                .allMatch(group ->
                        group.body().contains("\\\"even\\\"") != group.body().contains("\\\"odd\\\""));
    }

    @Test
    void anAnswerWithTooFewResultsLosesNoPutAndNoConnection() {
        groupsAnswered(Reply.of(200, "{\"Responses\":[{\"TableName\":\"events\"}]}"));
        for (int round = 0; round < 3; round++) {
            insertAll(20).forEach(OverHttp::result);
        }
        assertThat(count("PutItem")).isGreaterThanOrEqualTo(60);
    }

    @Test
    void thePutsOfAFailedGroupKeepToTheConnectionLimit() {
        for (Reply reply : List.of(
                Reply.error(500, "InternalServerError", "try later"),
                Reply.error(400, "ThrottlingException", "slow down"),
                Reply.error(400, "ExpiredTokenException", "expired"))) {
            groupsAnswered(reply);
            insertAll(27).forEach(OverHttp::result);
        }
        assertThat(count(GROUP)).as("groups go on").isGreaterThanOrEqualTo(3);
        assertThat(http.server.maxInFlight()).isEqualTo(CONNECTIONS);
    }

    @Test
    void throttledStatementsAreRetriedAlone() {
        String throttled = "{\"Error\":{\"Code\":\"ThrottlingError\",\"Message\":\"slow down\"}}";
        http.server.otherwise(received -> received.operation().equals(GROUP)
                ? Reply.of(200, stored(received).body().replaceFirst("\\{\"TableName\":\"events\"\\}", throttled))
                : Reply.of(200, "{}"));
        insertAll(12).forEach(OverHttp::result);
        assertThat(count(GROUP)).isEqualTo(1);
        assertThat(count("PutItem")).isEqualTo(3);
    }

    @Test
    void withoutThePermissionForPartiQlPutsAreSentAlone() {
        groupsAnswered(Reply.error(400, "AccessDeniedException", "not authorized to perform: dynamodb:PartiQLInsert"));
        insertAll(20).forEach(OverHttp::result);
        insertAll(20).forEach(OverHttp::result);
        assertThat(count(GROUP)).isEqualTo(1);
        assertThat(count("PutItem")).isEqualTo(40);
    }

    @Test
    void withoutGroupCommitPutsAreSentAlone() {
        Dynamo single = new Dynamo(
                http.client(ClientSettings.HttpClientChoice.AUTO, 1),
                retry(20_000, 10_000),
                RequestListener.NONE,
                Clock.systemUTC());
        http.server.hold();
        List<CompletionStage<?>> sent = IntStream.range(0, 10)
                .<CompletionStage<?>>mapToObj(number -> insert(single, number))
                .toList();
        http.server.releaseWhenInFlight(1);
        sent.forEach(OverHttp::result);
        assertThat(count("PutItem")).isEqualTo(10);
        assertThat(result(insert(single, 1))).isNotNull();
    }
}
