package io.dynajournal.internal.dynamo;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import software.amazon.awssdk.http.async.AsyncExecuteRequest;
import software.amazon.awssdk.http.async.SdkAsyncHttpClient;

/**
 * An HTTP client that is not closed while a request is being handed over to it.
 *
 * <p>The AWS CRT ends the whole JVM ("Fatal error condition … AWS_HCMST_READY") if its client is closed after a request has found
 * its connection pool and before it has asked the pool for a connection. Here such a request is handed over first, and one that comes
 * later fails.
 */
final class GuardedHttpClient implements SdkAsyncHttpClient {

    private final SdkAsyncHttpClient http;
    private final ReadWriteLock lock = new ReentrantReadWriteLock();
    private boolean closed;

    GuardedHttpClient(SdkAsyncHttpClient http) {
        this.http = http;
    }

    @Override
    public CompletableFuture<Void> execute(AsyncExecuteRequest request) {
        lock.readLock().lock();
        try {
            if (!closed) {
                return http.execute(request);
            }
        } finally {
            lock.readLock().unlock();
        }
        IllegalStateException failure = new IllegalStateException("The DynamoDB client is closed; nothing was sent");
        // The SDK's own clients report a failure in both ways.
        request.responseHandler().onError(failure);
        return CompletableFuture.failedFuture(failure);
    }

    @Override
    public String clientName() {
        return http.clientName();
    }

    @Override
    public void close() {
        lock.writeLock().lock();
        try {
            if (!closed) {
                closed = true;
                http.close();
            }
        } finally {
            lock.writeLock().unlock();
        }
    }
}
