package io.dynajournal.internal.dynamo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.reactivestreams.Publisher;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.http.SdkHttpResponse;
import software.amazon.awssdk.http.async.AsyncExecuteRequest;
import software.amazon.awssdk.http.async.SdkAsyncHttpClient;
import software.amazon.awssdk.http.async.SdkAsyncHttpResponseHandler;

@Timeout(30)
final class GuardedHttpClientTest {

    private final HeldClient held = new HeldClient();
    private final GuardedHttpClient http = new GuardedHttpClient(held);
    private final AtomicReference<Throwable> reported = new AtomicReference<>();

    @Test
    void closingWaitsUntilARequestHasBeenHandedOver() throws InterruptedException {
        Thread sender = new Thread(() -> http.execute(request()));
        sender.start();
        held.entered.await();
        Thread closer = new Thread(http::close);
        closer.start();
        while (closer.getState() != Thread.State.WAITING && closer.isAlive()) {
            Thread.onSpinWait();
        }
        assertThat(held.isClosed()).isFalse();

        held.release.countDown();
        sender.join();
        closer.join();
        assertThat(held.isClosed()).isTrue();
    }

    @Test
    void aRequestAfterTheCloseFailsWithoutReachingTheClient() {
        http.close();
        CompletableFuture<Void> answer = http.execute(request());
        assertThatThrownBy(() -> answer.get(10, TimeUnit.SECONDS)).hasMessageContaining("nothing was sent");
        assertThat(reported.get()).hasMessageContaining("nothing was sent");
        assertThat(held.entered.getCount()).isEqualTo(1);
    }

    @Test
    void closingTwiceClosesOnce() {
        http.close();
        http.close();
        assertThat(held.closed.getCount()).isEqualTo(1);
    }

    private AsyncExecuteRequest request() {
        return AsyncExecuteRequest.builder()
                .request(SdkHttpRequest.builder()
                        .method(SdkHttpMethod.POST)
                        .uri(URI.create("http://localhost:8000"))
                        .build())
                .responseHandler(new SdkAsyncHttpResponseHandler() {
                    @Override
                    public void onHeaders(SdkHttpResponse headers) {}

                    @Override
                    public void onStream(Publisher<ByteBuffer> stream) {}

                    @Override
                    public void onError(Throwable error) {
                        reported.set(error);
                    }
                })
                .build();
    }

    /** Holds each request on its way in until the test releases it. */
    private static final class HeldClient implements SdkAsyncHttpClient {

        private final CountDownLatch entered = new CountDownLatch(1);
        private final CountDownLatch release = new CountDownLatch(1);
        /** Two: the second close would be counted too. */
        private final CountDownLatch closed = new CountDownLatch(2);

        boolean isClosed() {
            return closed.getCount() < 2;
        }

        @Override
        public CompletableFuture<Void> execute(AsyncExecuteRequest request) {
            entered.countDown();
            try {
                release.await();
            } catch (InterruptedException e) {
                return CompletableFuture.failedFuture(e);
            }
            return CompletableFuture.completedFuture(null);
        }

        @Override
        public void close() {
            closed.countDown();
        }
    }
}
