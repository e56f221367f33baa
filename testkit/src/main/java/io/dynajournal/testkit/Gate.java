package io.dynajournal.testkit;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Stops one request where the script says, until a test lets it go on. */
public final class Gate {

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final CountDownLatch arrived = new CountDownLatch(1);
    private final CountDownLatch released = new CountDownLatch(1);
    private final CountDownLatch delivered = new CountDownLatch(1);

    Gate() {}

    /** Waits until a request stands at the gate. */
    public void awaitArrival() {
        await(arrived, "no request came to the gate");
    }

    /** Lets the request go on, now or when it comes. */
    public void release() {
        released.countDown();
    }

    /** Waits until DynamoDB has answered the request. */
    public void awaitDelivery() {
        await(delivered, "DynamoDB did not answer the request that was held");
    }

    void hold() throws InterruptedException {
        arrived.countDown();
        released.await();
    }

    void delivered() {
        delivered.countDown();
    }

    private static void await(CountDownLatch latch, String otherwise) {
        try {
            if (!latch.await(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new AssertionError(otherwise + " in " + PATIENCE.toSeconds() + " seconds");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
    }
}
