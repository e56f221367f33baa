package io.dynajournal.toolkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import scala.concurrent.Future;

final class StagesTest {

    @Test
    void stepsNeverOverlap() {
        List<CompletableFuture<String>> steps = new ArrayList<>();
        CompletableFuture<List<String>> all = Stages.inOrder(List.of(1, 2), input -> {
                    steps.add(new CompletableFuture<>());
                    return steps.get(steps.size() - 1);
                })
                .toCompletableFuture();
        assertThat(steps).hasSize(1);
        steps.get(0).complete("one");
        assertThat(steps).hasSize(2);
        steps.get(1).complete("two");

        assertThat(all).isCompletedWithValue(List.of("one", "two"));
    }

    @Test
    void manyDoneStepsTakeNoStack() {
        List<Integer> many = IntStream.range(0, 200_000).boxed().toList();

        assertThat(Stages.inOrder(many, CompletableFuture::completedFuture).toCompletableFuture())
                .isCompletedWithValue(many);
    }

    @Test
    void toolkitSeesTheFailureItself() {
        IllegalStateException failure = new IllegalStateException("failed");
        CompletableFuture<String> dependent = CompletableFuture.<String>failedFuture(failure)
                .thenApply(value -> value)
                .thenApply(value -> value);
        Future<String> future = Stages.asScala(dependent);

        assertThat(future.value().get().failed().get()).isSameAs(failure);
    }
}
