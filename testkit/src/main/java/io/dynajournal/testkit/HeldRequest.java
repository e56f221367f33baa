package io.dynajournal.testkit;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** A request or response that a {@link FaultProxy} holds until the test releases it. Thread-safe. */
public final class HeldRequest {

    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private final CountDownLatch arrived = new CountDownLatch(1);
    private final CountDownLatch released = new CountDownLatch(1);
    private final CountDownLatch delivered = new CountDownLatch(1);

    HeldRequest() {}

    /** Waits until the request has arrived. */
    public void awaitArrival() {
        awaitArrival(TIMEOUT);
    }

    /** Waits longer, where many requests come before it. */
    public void awaitArrival(Duration timeout) {
        await(arrived, timeout, "no request arrived that matches the held one");
    }

    /** Releases the request, now or when it arrives. */
    public void release() {
        released.countDown();
    }

    /** Waits until DynamoDB has answered the request. */
    public void awaitDelivery() {
        await(delivered, TIMEOUT, "DynamoDB did not answer the request that was held");
    }

    void hold() throws InterruptedException {
        arrived.countDown();
        released.await();
    }

    void delivered() {
        delivered.countDown();
    }

    private static void await(CountDownLatch latch, Duration timeout, String problem) {
        try {
            if (!latch.await(timeout.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new AssertionError(problem + " within " + timeout.toSeconds() + " seconds");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
    }
}
