package io.dynajournal.internal.dynamo;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class ClientThreadsTest {

    private final ClientThreads threads = new ClientThreads();
    private final int count = Math.max(2, Runtime.getRuntime().availableProcessors());

    @AfterEach
    void close() {
        threads.close();
    }

    /** A thread of the caller counts while it works for the client. */
    @Test
    void theThreadsAreBusyWhenAllOfThemHaveWork() throws InterruptedException {
        CountDownLatch end = new CountDownLatch(1);
        CountDownLatch ended = new CountDownLatch(count - 1);
        for (int i = 1; i < count; i++) {
            assertThat(threads.isBusy()).isFalse();
            threads.execute(() -> {
                awaitQuietly(end);
                ended.countDown();
            });
        }
        assertThat(threads.isBusy()).isFalse();
        assertThat(threads.<Boolean>onCallersThread(threads::isBusy)).isTrue();
        assertThat(threads.isBusy()).isFalse();

        threads.execute(ended::countDown);
        end.countDown();
        ended.await();
        while (threads.isBusy()) {
            Thread.onSpinWait();
        }
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
