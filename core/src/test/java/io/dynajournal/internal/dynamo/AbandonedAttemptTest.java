package io.dynajournal.internal.dynamo;

import static io.dynajournal.internal.dynamo.OverHttp.KEY;
import static io.dynajournal.internal.dynamo.OverHttp.failure;
import static io.dynajournal.internal.dynamo.OverHttp.insert;
import static io.dynajournal.internal.dynamo.OverHttp.query;
import static io.dynajournal.internal.dynamo.OverHttp.result;
import static io.dynajournal.internal.dynamo.OverHttp.retry;
import static org.assertj.core.api.Assertions.assertThat;

import io.dynajournal.exception.StoreException;
import io.dynajournal.internal.dynamo.ScriptedServer.Reply;
import io.dynajournal.listener.RequestListener;
import java.time.Clock;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import software.amazon.awssdk.services.dynamodb.model.DeleteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/** An attempt that is given up frees its connection: there is only one, and the server never answers on it. */
final class AbandonedAttemptTest {

    private static final Map<String, Function<Dynamo, CompletionStage<?>>> OPERATIONS = new LinkedHashMap<>(Map.of(
            "PutItem", dynamo -> insert(dynamo, 7),
            "Query", OverHttp::query,
            "UpdateItem",
                    dynamo -> dynamo.updateIf(
                            UpdateItemRequest.builder().tableName("events").key(KEY)),
            "DeleteItem",
                    dynamo -> dynamo.deleteIf(
                            DeleteItemRequest.builder().tableName("events").key(KEY)),
            "TransactWriteItems", dynamo -> dynamo.transact("events", TransactWriteItemsRequest.builder()),
            "BatchWriteItem", dynamo -> dynamo.deleteAll("events", List.of(KEY)),
            "BatchGetItem", dynamo -> dynamo.getAll("events", List.of(KEY)),
            "DescribeTable", dynamo -> dynamo.fullCopies("events")));

    private final OverHttp http = new OverHttp();

    @AfterEach
    void close() {
        http.close();
    }

    @ParameterizedTest
    @CsvSource({
        "CRT, PutItem",
        "CRT, Query",
        "CRT, UpdateItem",
        "CRT, DeleteItem",
        "CRT, TransactWriteItems",
        "CRT, BatchWriteItem",
        "CRT, BatchGetItem",
        "CRT, DescribeTable",
        "NETTY, PutItem",
        "NETTY, UpdateItem"
    })
    void theNextRequestHasAConnection(ClientSettings.HttpClientChoice choice, String operation) {
        Function<Dynamo, CompletionStage<?>> request = Objects.requireNonNull(OPERATIONS.get(operation));
        // The last attempt ends by the call's timeout, before the attempt's own.
        Dynamo dynamo = new Dynamo(http.client(choice, 1), retry(500, 300), RequestListener.NONE, Clock.systemUTC());
        http.server.otherwise(received -> Reply.NONE);
        failure(request.apply(dynamo), StoreException.Unavailable.class);

        http.server.otherwise(received -> Reply.of(200, "{}"));
        long start = System.nanoTime();
        result(query(
                new Dynamo(http.clients().get(0), retry(20_000, 20_000), RequestListener.NONE, Clock.systemUTC())));
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(4));
        assertThat(http.operations().get(0)).isEqualTo(operation);
    }
}
