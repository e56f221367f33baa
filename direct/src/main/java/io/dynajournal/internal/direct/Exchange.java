package io.dynajournal.internal.direct;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;
import software.amazon.awssdk.http.SdkHttpResponse;
import software.amazon.awssdk.http.async.SdkAsyncHttpResponseHandler;
import software.amazon.awssdk.http.async.SdkHttpContentPublisher;

/** Sends a body in one piece and collects the answer. */
final class Exchange implements SdkHttpContentPublisher, SdkAsyncHttpResponseHandler, Subscriber<ByteBuffer> {

    private static final int MAX_BODY_BYTES = 32 << 20;

    private final byte[] sent;
    private final CompletableFuture<Exchange> answer = new CompletableFuture<>();
    private SdkHttpResponse head = SdkHttpResponse.builder().build();
    private byte[] received = new byte[0];
    private int length;

    Exchange(byte[] sent) {
        this.sent = sent;
    }

    /** Completes with this when the answer is complete. */
    CompletableFuture<Exchange> answer() {
        return answer;
    }

    /** Status and headers of the answer, once it is complete. */
    SdkHttpResponse head() {
        return head;
    }

    /** Body of the answer, once it is complete. */
    byte[] body() {
        return length == received.length ? received : Arrays.copyOf(received, length);
    }

    @Override
    public Optional<Long> contentLength() {
        return Optional.of((long) sent.length);
    }

    @Override
    public void subscribe(Subscriber<? super ByteBuffer> subscriber) {
        subscriber.onSubscribe(new Subscription() {
            private boolean done;

            @Override
            public void request(long pieces) {
                if (!done && pieces > 0) {
                    done = true;
                    subscriber.onNext(ByteBuffer.wrap(sent));
                    subscriber.onComplete();
                }
            }

            @Override
            public void cancel() {
                done = true;
            }
        });
    }

    @Override
    public void onHeaders(SdkHttpResponse headers) {
        head = headers;
        received = new byte
                [headers.firstMatchingHeader("Content-Length")
                        .map(Exchange::announced)
                        .orElse(1024)];
    }

    private static int announced(String length) {
        try {
            return Math.max(0, Math.min(Integer.parseInt(length), MAX_BODY_BYTES));
        } catch (NumberFormatException e) {
            return 0;
        }
    }

    @Override
    public void onStream(Publisher<ByteBuffer> body) {
        body.subscribe(this);
    }

    @Override
    public void onSubscribe(Subscription subscription) {
        subscription.request(Long.MAX_VALUE);
    }

    @Override
    public void onNext(ByteBuffer piece) {
        int more = piece.remaining();
        if (received.length - length < more) {
            received = Arrays.copyOf(received, Math.max(2 * received.length, length + more));
        }
        piece.get(received, length, more);
        length += more;
    }

    @Override
    public void onComplete() {
        answer.complete(this);
    }

    @Override
    public void onError(Throwable failure) {
        answer.completeExceptionally(failure);
    }
}
