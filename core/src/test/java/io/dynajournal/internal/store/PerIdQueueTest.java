package io.dynajournal.internal.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

final class PerIdQueueTest {

    private final Queue<Runnable> executor = new ArrayDeque<>();
    private final PerIdQueue<String> queue = new PerIdQueue<>(executor::add);
    private final List<String> started = new ArrayList<>();

    private CompletableFuture<Void> task(String id, String name) {
        return task(id, Long.MAX_VALUE, name);
    }

    private CompletableFuture<Void> task(String id, long upTo, String name) {
        CompletableFuture<Void> task = new CompletableFuture<>();
        queue.run(id, upTo, () -> {
            started.add(name);
            return task;
        });
        return task;
    }

    private void execute() {
        while (!executor.isEmpty()) {
            executor.remove().run();
        }
    }

    @Test
    void tasksOfOneIdRunOneAfterAnother() {
        CompletableFuture<Void> first = task("a", "a1");
        CompletableFuture<Void> second = task("a", "a2");
        task("b", "b1");
        execute();
        assertThat(started).containsExactly("a1", "b1");

        first.completeExceptionally(new IllegalStateException("failed"));
        execute();
        assertThat(started).containsExactly("a1", "b1", "a2");
        assertThat(queue.idle("a").toCompletableFuture()).isNotDone();
        second.complete(null);
        assertThat(queue.idle("a").toCompletableFuture()).isCompleted();
    }

    @Test
    void everyTaskStartsOnTheExecutor() {
        CompletableFuture<Void> first = task("a", "a1");
        task("a", "a2");
        assertThat(started).isEmpty();
        execute();
        first.complete(null);
        assertThat(started).containsExactly("a1");
        execute();
        assertThat(started).containsExactly("a1", "a2");
    }

    @Test
    void aShortTaskStartsAtOnceUnlessItHasToWait() {
        CompletableFuture<Void> first = new CompletableFuture<>();
        for (String name : List.of("a1", "a2")) {
            queue.runShort("a", () -> {
                started.add(name);
                return first;
            });
        }
        assertThat(started).containsExactly("a1");
        first.complete(null);
        assertThat(started).as("not inside the task before it").containsExactly("a1");
        execute();
        assertThat(started).containsExactly("a1", "a2");
    }

    @Test
    void aShortTaskThatThrowsEnds() {
        CompletableFuture<Void> failed = queue.<Void>runShort("a", () -> {
                    throw new StackOverflowError("failed");
                })
                .toCompletableFuture();
        assertThat(failed).isCompletedExceptionally();
        assertThat(queue.idle("a").toCompletableFuture()).isCompleted();
    }

    @Test
    void taskThatThrowsFailsAndEnds() {
        CompletableFuture<Void> failed = queue.<Void>run("a", () -> {
                    throw new IllegalStateException("failed");
                })
                .toCompletableFuture();
        execute();

        assertThat(failed).isCompletedExceptionally();
        assertThat(queue.idle("a").toCompletableFuture()).isCompleted();
    }

    @Test
    void executorThatRejectsATaskFailsItAndNothingElse() {
        PerIdQueue<String> rejecting = new PerIdQueue<>(task -> {
            throw new IllegalStateException("shut down");
        });

        assertThat(rejecting.run("a", () -> new CompletableFuture<Void>()).toCompletableFuture())
                .isCompletedExceptionally();
        assertThat(rejecting.idle("a").toCompletableFuture()).isCompleted();
    }

    @Test
    void idleDoesNotWaitForTasksBelowASequenceNumber() {
        CompletableFuture<Void> high = task("a", 20, "to 20");
        CompletableFuture<Void> low = task("a", 10, "to 10");
        execute();

        assertThat(queue.idle("a", 21).toCompletableFuture()).isCompleted();
        CompletableFuture<Void> idle = queue.idle("a", 20).toCompletableFuture();
        assertThat(idle).isNotDone();
        high.complete(null);
        execute();
        low.complete(null);
        assertThat(idle).isCompleted();
    }
}
