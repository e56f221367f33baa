package io.dynajournal.internal.direct;

import io.dynajournal.internal.dynamo.Answer;
import io.dynajournal.internal.dynamo.RawPage;
import io.dynajournal.internal.dynamo.RequestSender;
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
import java.util.function.Function;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.SdkClientException;
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
 * Sends requests without the SDK's pipeline, once each. Failures are the exceptions that the SDK would throw. A future that the caller
 * completes frees the connection of its request. Thread-safe; owns nothing of what it is given.
 */
final class DirectClient implements RequestSender {

    private final SdkAsyncHttpClient http;
    private final IdentityProvider<? extends AwsCredentialsIdentity> credentials;
    private final Executor executor;
    private final EndpointCapture capture;
    private final Signer signer = new Signer();
    private final Clock local;
    private volatile Clock clock;

    /**
     * @param executor reads answers and completes futures
     * @param local this machine's clock; requests are signed by it until DynamoDB's differs too much
     */
    DirectClient(
            SdkAsyncHttpClient http,
            IdentityProvider<? extends AwsCredentialsIdentity> credentials,
            Executor executor,
            EndpointCapture capture,
            Clock local) {
        this.http = http;
        this.credentials = credentials;
        this.executor = executor;
        this.capture = capture;
        this.local = local;
        this.clock = local;
    }

    /** Whether the endpoint is known. */
    boolean isReady() {
        return capture.endpoint() != null;
    }

    @Override
    public CompletableFuture<Answer<Map<String, AttributeValue>>> put(PutItemRequest request) {
        return send("PutItem", RequestWriter.put(request), ResponseReader::put);
    }

    @Override
    public CompletableFuture<Answer<RawPage>> query(QueryRequest request) {
        return send("Query", RequestWriter.query(request), ResponseReader::query);
    }

    @Override
    public CompletableFuture<Answer<List<BatchStatementResponse>>> execute(BatchExecuteStatementRequest request) {
        return send("BatchExecuteStatement", RequestWriter.statements(request), ResponseReader::statements);
    }

    private <T> CompletableFuture<Answer<T>> send(
            String operation, byte[] body, Function<ResponseReader, Answer<T>> reading) {
        CompletableFuture<Answer<T>> result = new CompletableFuture<>();
        CompletableFuture<? extends AwsCredentialsIdentity> identity = credentials.resolveIdentity();
        if (identity.isDone()) {
            identity.whenComplete((resolved, failure) -> transmit(operation, body, resolved, failure, reading, result));
        } else {
            identity.whenCompleteAsync(
                    (resolved, failure) -> transmit(operation, body, resolved, failure, reading, result), executor);
        }
        return result;
    }

    private <T> void transmit(
            String operation,
            byte[] body,
            AwsCredentialsIdentity identity,
            @Nullable Throwable noIdentity,
            Function<ResponseReader, Answer<T>> reading,
            CompletableFuture<Answer<T>> result) {
        if (noIdentity != null) {
            result.completeExceptionally(noIdentity);
            return;
        }
        try {
            Clock signing = clock;
            transmit(signed(operation, body, identity, signing), signing, new Exchange(body), reading, result);
        } catch (RuntimeException e) {
            result.completeExceptionally(e);
        }
    }

    private <T> void transmit(
            SdkHttpRequest request,
            Clock signing,
            Exchange exchange,
            Function<ResponseReader, Answer<T>> reading,
            CompletableFuture<Answer<T>> result) {
        exchange.answer()
                .whenCompleteAsync(
                        (answered, failure) -> {
                            if (failure == null) {
                                finish(answered, signing, reading, result);
                            } else {
                                result.completeExceptionally(notAnswered(failure));
                            }
                        },
                        executor);
        CompletableFuture<Void> execution = http.execute(AsyncExecuteRequest.builder()
                .request(request)
                .requestContentPublisher(exchange)
                .responseHandler(exchange)
                .build());
        execution.whenComplete((done, failure) -> {
            if (failure != null) {
                exchange.onError(failure);
            }
        });
        result.whenComplete((answer, failure) -> {
            if (failure != null) {
                execution.completeExceptionally(failure);
            }
        });
    }

    private SdkHttpRequest signed(String operation, byte[] body, AwsCredentialsIdentity identity, Clock signing) {
        Endpoint endpoint = capture.endpoint();
        if (endpoint == null) {
            throw new IllegalStateException("The endpoint is not known yet");
        }
        return signer.request(endpoint, operation, body, identity, signing);
    }

    private <T> void finish(
            Exchange exchange,
            Clock signing,
            Function<ResponseReader, Answer<T>> reading,
            CompletableFuture<Answer<T>> result) {
        SdkHttpResponse head = exchange.head();
        byte[] body = exchange.body();
        boolean intact = false;
        try {
            intact = hasRightChecksum(head, body);
            if (!head.isSuccessful()) {
                result.completeExceptionally(error(head, body, signing));
                return;
            }
            String date = head.firstMatchingHeader("Date").orElse(null);
            result.complete(reading.apply(new ResponseReader(body, date)));
        } catch (RuntimeException | IOException e) {
            // What has become of the request is as unknown as without an answer.
            result.completeExceptionally(
                    intact
                            ? new MisreadAnswerException(e)
                            : SdkClientException.create(
                                    "The answer cannot be read: " + e.getMessage(), new IOException(e)));
        }
    }

    /** False if there is no checksum: DynamoDB sends one, other servers may not. */
    private static boolean hasRightChecksum(SdkHttpResponse head, byte[] body) throws IOException {
        String expected = head.firstMatchingHeader("x-amz-crc32").orElse(null);
        if (expected == null) {
            return false;
        }
        CRC32 sum = new CRC32();
        sum.update(body);
        if (!expected.equals(Long.toString(sum.getValue()))) {
            throw new IOException("its checksum is " + sum.getValue() + ", not " + expected);
        }
        return true;
    }

    /** @param signing the clock that has signed the request; it may have been corrected since */
    private AwsServiceException error(SdkHttpResponse head, byte[] body, Clock signing) {
        @Nullable
        Instant server =
                head.firstMatchingHeader("Date").map(DirectClient::instant).orElse(null);
        AwsServiceException error = ErrorResponse.of(head, body, Duration.between(signing.instant(), Instant.now()));
        if (server != null && error.isClockSkewException()) {
            clock = Clock.offset(local, Duration.between(local.instant(), server));
        }
        return error;
    }

    private static @Nullable Instant instant(String date) {
        try {
            return Instant.from(DateTimeFormatter.RFC_1123_DATE_TIME.parse(date));
        } catch (DateTimeException e) {
            return null; // Some proxies use other formats.
        }
    }

    private static SdkClientException notAnswered(Throwable failure) {
        return SdkClientException.create(
                "The request was not answered: " + failure.getMessage(),
                failure instanceof IOException ? failure : new IOException(failure));
    }
}
