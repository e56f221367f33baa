package io.dynajournal.projection;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** What a handler received, for a test that waits for it. Thread-safe. */
final class Received {

    private final LinkedBlockingQueue<String> queue = new LinkedBlockingQueue<>();
    private final List<String> all = new ArrayList<>();

    synchronized boolean add(String label) {
        all.add(label);
        return queue.add(label);
    }

    String next() {
        try {
            return Objects.requireNonNull(queue.poll(60, TimeUnit.SECONDS), "nothing was received within 60 seconds");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
    }

    List<String> next(int count) {
        List<String> labels = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            labels.add(next());
        }
        return labels;
    }

    synchronized List<String> all() {
        return List.copyOf(all);
    }

    void assertNothingMore() {
        assertThat(queue).isEmpty();
    }
}
