package io.dynajournal.internal.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

final class PagesTest {

    @Test
    void aMillionStepsThatAreDoneAtOnceTakeNoStack() {
        AtomicInteger steps = new AtomicInteger();
        Pages.drain(0, at -> {
                    steps.incrementAndGet();
                    return CompletableFuture.completedFuture(at < 1_000_000 ? at + 1 : null);
                })
                .toCompletableFuture()
                .join();
        assertThat(steps).hasValue(1_000_001);
    }

    @Test
    void stepsNeverOverlap() {
        List<CompletableFuture<Integer>> pending = new ArrayList<>();
        CompletableFuture<Void> done = Pages.drain(0, at -> {
                    CompletableFuture<Integer> step = new CompletableFuture<>();
                    pending.add(step);
                    return step;
                })
                .toCompletableFuture();
        assertThat(pending).hasSize(1);
        pending.get(0).complete(1);
        assertThat(pending).hasSize(2);
        assertThat(done).isNotDone();
        pending.get(1).complete(null);
        assertThat(done).isCompleted();
    }

    @Test
    void aFailureEndsTheLoop() {
        AtomicInteger steps = new AtomicInteger();
        CompletableFuture<Void> done = Pages.drain(
                        0,
                        at -> steps.incrementAndGet() < 3
                                ? CompletableFuture.completedFuture(at + 1)
                                : CompletableFuture.failedFuture(new IllegalStateException("third")))
                .toCompletableFuture();
        assertThatThrownBy(done::join).isInstanceOf(CompletionException.class).hasMessageContaining("third");
        assertThat(steps).hasValue(3);
    }

    @Test
    void aStepThatThrowsFailsTheLoop() {
        CompletableFuture<Void> done = Pages.<Integer>drain(0, at -> {
                    throw new IllegalStateException("thrown");
                })
                .toCompletableFuture();
        assertThat(done).isCompletedExceptionally();
    }
}
