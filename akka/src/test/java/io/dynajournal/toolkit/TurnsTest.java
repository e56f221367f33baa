package io.dynajournal.toolkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

final class TurnsTest {

    private final Turns turns = new Turns();
    private final List<String> started = new ArrayList<>();

    private CompletableFuture<Void> task(String id, String name) {
        CompletableFuture<Void> task = new CompletableFuture<>();
        turns.next(id, () -> {
            started.add(name);
            return task;
        });
        return task;
    }

    @Test
    void tasksOfOneIdWaitForOneAnother() {
        CompletableFuture<Void> first = task("a", "a1");
        CompletableFuture<Void> second = task("a", "a2");
        task("b", "b1");
        assertThat(started).containsExactly("a1", "b1");

        first.completeExceptionally(new IllegalStateException("failed"));
        assertThat(started).containsExactly("a1", "b1", "a2");
        assertThat(turns.quiet("a").toCompletableFuture()).isNotDone();
        second.complete(null);
        assertThat(turns.quiet("a").toCompletableFuture()).isCompleted();
    }

    @Test
    void taskThatThrowsIsOver() {
        CompletableFuture<Void> failed = turns.<Void>next("a", () -> {
                    throw new IllegalStateException("failed");
                })
                .toCompletableFuture();

        assertThat(failed).isCompletedExceptionally();
        assertThat(turns.quiet("a").toCompletableFuture()).isCompleted();
    }
}
