package io.dynajournal.testkit.simulator;

import io.dynajournal.internal.dynamo.ClientScheduler;
import java.net.ConnectException;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiFunction;
import software.amazon.awssdk.core.SdkResponse;
import software.amazon.awssdk.core.exception.ApiCallAttemptTimeoutException;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.http.SdkHttpResponse;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BatchExecuteStatementResponse;
import software.amazon.awssdk.services.dynamodb.model.BatchStatementResponse;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbRequest;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbResponse;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;

/**
 * DynamoDB in this JVM: tables, conditions, transactions, indexes that lag, time to live, limits, error shapes and capacity units, with
 * the faults that a {@link Faults} decides. In real time for an application's own tests:
 *
 * <pre>{@code
 * try (SimulatedDynamoDb dynamoDb = SimulatedDynamoDb.inRealTime()) {
 *     dynamoDb.faults(Faults.random(seed, 0.05));
 *     DynamoDbAsyncClient client = dynamoDb.client("node-1"); // for DynajournalSetup.withClient
 * }
 * }</pre>
 *
 * <p>In {@link VirtualTime} a test decides when time passes, and a seed repeats a run exactly. Each request is carried out at one
 * moment, so requests are interleaved but never half done. Not simulated: streams, backups, signatures, and the limits of a
 * partition. In real time thread-safe.
 */
public final class SimulatedDynamoDb implements AutoCloseable {

    private static final Duration USUAL_TIMEOUT = Duration.ofSeconds(30);

    private final ClientScheduler scheduler;
    private final Clock clock;
    private final Operations operations;
    private final Tables tables;
    private final AtomicLong requests = new AtomicLong();
    private volatile Faults faults = Faults.none();

    private SimulatedDynamoDb(ClientScheduler scheduler, Clock clock) {
        this.scheduler = scheduler;
        this.clock = clock;
        Lags lags = new LagsOfFaults();
        this.tables = new Tables(lags);
        this.operations = new Operations(tables, lags);
    }

    /** With threads and the machine's clock, for applications. Close it after use. */
    public static SimulatedDynamoDb inRealTime() {
        return new SimulatedDynamoDb(new RealTime(), Clock.systemUTC());
    }

    /** In virtual time. */
    public static SimulatedDynamoDb in(VirtualTime time) {
        return new SimulatedDynamoDb(time, time.clock());
    }

    /** What happens to requests from now on. */
    public void faults(Faults decided) {
        faults = decided;
    }

    Faults faults() {
        return faults;
    }

    /**
     * A client. Closing it has no effect.
     *
     * @param node names it in {@link SimulatedRequest#node}
     */
    public DynamoDbAsyncClient client(String node) {
        return new SimulatedClient(this, node);
    }

    /** All items of a table as they are now, in no particular order. */
    public synchronized List<Map<String, AttributeValue>> items(String table) {
        return tables.named(table).allItems();
    }

    /** How many requests were made. */
    public long requests() {
        return requests.get();
    }

    Operations operations() {
        return operations;
    }

    /** Sends a request: it arrives after a delay, is carried out unless a fault prevents it, and is answered after another delay. */
    <Q extends DynamoDbRequest, R extends DynamoDbResponse> CompletableFuture<R> send(
            String node, String operation, Q request, BiFunction<Q, Integer, R> effect) {
        CompletableFuture<R> reply = new CompletableFuture<>();
        SimulatedRequest sent;
        Fate fate;
        synchronized (this) {
            sent = new SimulatedRequest(requests.incrementAndGet(), node, operation, request);
            fate = faults.fate(sent);
        }
        Duration timeout = request.overrideConfiguration()
                .flatMap(configuration -> configuration.apiCallAttemptTimeout())
                .orElse(USUAL_TIMEOUT);
        Duration answered = fate.toServer().plus(fate.toClient());
        if (isNeverAnswered(fate.fault()) || answered.compareTo(timeout) >= 0) {
            scheduler.after(
                    timeout.toNanos(),
                    () -> reply.completeExceptionally(ApiCallAttemptTimeoutException.create(timeout.toMillis())));
        }
        scheduler.after(fate.toServer().toNanos(), () -> arrive(fate, sent, request, effect, reply));
        return reply;
    }

    private static boolean isNeverAnswered(Fault fault) {
        return fault == Fault.LOST_REQUEST || fault == Fault.LOST_REPLY;
    }

    private <Q extends DynamoDbRequest, R extends DynamoDbResponse> void arrive(
            Fate fate, SimulatedRequest sent, Q request, BiFunction<Q, Integer, R> effect, CompletableFuture<R> reply) {
        switch (fate.fault()) {
            case LOST_REQUEST -> {}
            case THROTTLED -> {
                Throttling kind = fate.throttling() == null ? Throttling.TABLE_CAPACITY : fate.throttling();
                fail(fate, reply, Errors.throttled(kind, sent.throttledBy(kind)));
            }
            case INTERNAL_ERROR -> fail(fate, reply, Errors.internal());
            case NOT_CONNECTED ->
                fail(
                        fate,
                        reply,
                        SdkClientException.create(
                                "Unable to execute HTTP request: Connection refused",
                                new ConnectException("Connection refused")));
            case TRANSACTION_CONFLICT -> {
                if (request instanceof TransactWriteItemsRequest transaction) {
                    fail(fate, reply, Transactions.conflict(transaction));
                } else {
                    carryOut(fate, request, effect, reply);
                }
            }
            default -> carryOut(fate, request, effect, reply);
        }
    }

    private <Q extends DynamoDbRequest, R extends DynamoDbResponse> void carryOut(
            Fate fate, Q request, BiFunction<Q, Integer, R> effect, CompletableFuture<R> reply) {
        R response;
        try {
            synchronized (this) {
                // A batch that is cut still makes progress, as DynamoDB's do.
                R whole = dated(effect.apply(request, fate.fault() == Fault.UNPROCESSED ? 1 : Integer.MAX_VALUE));
                response = fate.fault() == Fault.SHORT_ANSWER ? shortened(whole) : whole;
            }
        } catch (RuntimeException e) {
            if (fate.fault() != Fault.LOST_REPLY) {
                fail(fate, reply, e);
            }
            return;
        }
        if (fate.fault() == Fault.INTERNAL_ERROR_AFTER_EFFECT) {
            fail(fate, reply, Errors.internal());
        } else if (fate.fault() != Fault.LOST_REPLY) {
            scheduler.after(fate.toClient().toNanos(), () -> reply.complete(response));
        }
    }

    private void fail(Fate fate, CompletableFuture<?> reply, Throwable failure) {
        scheduler.after(fate.toClient().toNanos(), () -> reply.completeExceptionally(failure));
    }

    @SuppressWarnings("unchecked") // A batch of statements is answered as one.
    private static <R extends DynamoDbResponse> R shortened(R response) {
        if (response instanceof BatchExecuteStatementResponse batch) {
            List<BatchStatementResponse> results = batch.responses();
            return (R) batch.toBuilder()
                    .responses(results.subList(0, results.size() - 1))
                    .build();
        }
        return response;
    }

    @SuppressWarnings("unchecked") // A response's builder builds a response of its own type.
    private <R extends DynamoDbResponse> R dated(R response) {
        SdkResponse.Builder builder = response.toBuilder();
        return (R) builder.sdkHttpResponse(SdkHttpResponse.builder()
                        .statusCode(200)
                        .putHeader("Date", Errors.httpDate(clock.instant()))
                        .build())
                .build();
    }

    /** Ends the threads of real time. */
    @Override
    public void close() {
        scheduler.close();
    }

    private final class LagsOfFaults implements Lags {
        @Override
        public long nanoTime() {
            return scheduler.nanoTime();
        }

        @Override
        public long epochSeconds() {
            return clock.instant().getEpochSecond();
        }

        @Override
        public long indexNanos(String table, String index) {
            return faults.indexLag(table, index).toNanos();
        }

        @Override
        public long replicaNanos(String table) {
            return faults.replicaLag(table).toNanos();
        }

        @Override
        public boolean isBuilding(String table, String index) {
            return faults.isIndexBuilding(table, index);
        }

        @Override
        public long expiryNanos(String table) {
            return faults.expiryDelay(table).toNanos();
        }
    }
}
