package io.dynajournal.dynamo.direct;

import java.io.IOException;
import java.time.Clock;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Function;
import java.util.zip.CRC32;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.http.SdkHttpResponse;
import software.amazon.awssdk.http.async.AsyncExecuteRequest;
import software.amazon.awssdk.http.async.SdkAsyncHttpClient;
import software.amazon.awssdk.identity.spi.AwsCredentialsIdentity;
import software.amazon.awssdk.identity.spi.IdentityProvider;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BatchExecuteStatementRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchStatementResponse;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;

/**
 * Sends requests beside the SDK's pipeline, once each. Failures are the exceptions that the SDK would give. Until the SDK has
 * sent a request by itself it is not known where to: see {@link #isReady}. Thread-safe.
 */
public final class DirectClient {

    private final SdkAsyncHttpClient http;
    private final IdentityProvider<? extends AwsCredentialsIdentity> credentials;
    private final Executor answers;
    private final Executor shortAnswers;
    private final Signer signer = new Signer();
    private final TargetWatch watch = new TargetWatch();
    private final Clock local;
    private volatile Clock clock;

    /**
     * Makes one; it owns nothing of what it is given.
     *
     * @param answers where answers are read and futures completed: the threads of the HTTP client must get back to the
     *     network
     * @param shortAnswers the same for those to puts, which are read in no time
     * @param local this machine's clock, by which requests are signed until it turns out to be wrong
     */
    public DirectClient(
            SdkAsyncHttpClient http,
            IdentityProvider<? extends AwsCredentialsIdentity> credentials,
            Executor answers,
            Executor shortAnswers,
            Clock local) {
        this.http = http;
        this.credentials = credentials;
        this.answers = answers;
        this.shortAnswers = shortAnswers;
        this.local = local;
        this.clock = local;
    }

    /** For the SDK's client: learns where it sends its requests. */
    public ExecutionInterceptor watch() {
        return watch;
    }

    public boolean isReady() {
        return watch.target() != null;
    }

    /** Gives what stood there before, if that was asked for. */
    public CompletableFuture<Answer<Map<String, AttributeValue>>> putItem(PutItemRequest request) {
        return send("PutItem", RequestWriter.put(request), ResponseReader::put, shortAnswers);
    }

    public CompletableFuture<Answer<Page>> query(QueryRequest request) {
        return send("Query", RequestWriter.query(request), ResponseReader::query, answers);
    }

    public CompletableFuture<Answer<List<BatchStatementResponse>>> batchExecuteStatement(
            BatchExecuteStatementRequest request) {
        return send("BatchExecuteStatement", RequestWriter.statements(request), ResponseReader::statements, answers);
    }

    private <T> CompletableFuture<Answer<T>> send(
            String operation, byte[] body, Function<ResponseReader, Answer<T>> reading, Executor completing) {
        CompletableFuture<Answer<T>> result = new CompletableFuture<>();
        credentials.resolveIdentity().whenComplete((identity, failure) -> {
            if (failure != null) {
                result.completeExceptionally(failure);
                return;
            }
            try {
                transmit(operation, body, identity, reading, completing, result);
            } catch (RuntimeException e) {
                result.completeExceptionally(e);
            }
        });
        return result;
    }

    private <T> void transmit(
            String operation,
            byte[] body,
            AwsCredentialsIdentity identity,
            Function<ResponseReader, Answer<T>> reading,
            Executor completing,
            CompletableFuture<Answer<T>> result) {
        Exchange exchange = new Exchange(body);
        exchange.answer()
                .whenComplete((answered, failure) -> execute(completing, () -> {
                    if (failure == null) {
                        finish(answered.head(), answered.body(), reading, result);
                    } else {
                        result.completeExceptionally(unsent(failure));
                    }
                }));
        CompletableFuture<Void> execution = http.execute(AsyncExecuteRequest.builder()
                .request(signed(operation, body, identity))
                .requestContentPublisher(exchange)
                .responseHandler(exchange)
                .build());
        execution.whenComplete((done, failure) -> {
            if (failure != null) {
                exchange.onError(failure);
            }
        });
        // Whoever gives up waiting frees the connection.
        result.whenComplete((answer, failure) -> {
            if (failure != null) {
                execution.completeExceptionally(failure);
            }
        });
    }

    private static void execute(Executor executor, Runnable task) {
        try {
            executor.execute(task);
        } catch (RejectedExecutionException closed) {
            task.run();
        }
    }

    private SdkHttpRequest signed(String operation, byte[] body, AwsCredentialsIdentity identity) {
        Target target = watch.target();
        if (target == null) {
            throw new IllegalStateException("not ready");
        }
        return signer.request(target, operation, body, identity, clock.instant());
    }

    private <T> void finish(
            SdkHttpResponse head,
            byte[] body,
            Function<ResponseReader, Answer<T>> reading,
            CompletableFuture<Answer<T>> result) {
        try {
            checkSum(head, body);
            if (!head.isSuccessful()) {
                result.completeExceptionally(refusal(head, body));
                return;
            }
            String date = head.firstMatchingHeader("Date").orElse(null);
            result.complete(reading.apply(new ResponseReader(body, date)));
        } catch (RuntimeException | IOException e) {
            // As with no answer at all, it is not known what has become of the request.
            result.completeExceptionally(
                    SdkClientException.create("The answer cannot be read: " + e.getMessage(), new IOException(e)));
        }
    }

    /** DynamoDB tells the sum of what it sends; others may not. */
    private static void checkSum(SdkHttpResponse head, byte[] body) throws IOException {
        String told = head.firstMatchingHeader("x-amz-crc32").orElse(null);
        if (told != null) {
            CRC32 sum = new CRC32();
            sum.update(body);
            if (!told.equals(Long.toString(sum.getValue()))) {
                throw new IOException("its checksum is " + sum.getValue() + ", not " + told);
            }
        }
    }

    private AwsServiceException refusal(SdkHttpResponse head, byte[] body) {
        AwsServiceException refusal = Refusal.of(head, body);
        if (refusal.isClockSkewException()) {
            head.firstMatchingHeader("Date").ifPresent(this::setClock);
        }
        return refusal;
    }

    /** The next request is signed by the server's clock. */
    private void setClock(String date) {
        try {
            Instant now = Instant.from(DateTimeFormatter.RFC_1123_DATE_TIME.parse(date));
            clock = Clock.offset(local, Duration.between(local.instant(), now));
        } catch (DateTimeException e) {
            // Some proxies write other forms; then there is nothing to learn.
            clock = local;
        }
    }

    private static SdkClientException unsent(Throwable failure) {
        return SdkClientException.create(
                "The request got no answer: " + failure.getMessage(),
                failure instanceof IOException ? failure : new IOException(failure));
    }
}
