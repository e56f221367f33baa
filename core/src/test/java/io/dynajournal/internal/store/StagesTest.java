package io.dynajournal.internal.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

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
    void manyCompletedStepsTakeNoStack() {
        List<Integer> many = IntStream.range(0, 200_000).boxed().toList();

        assertThat(Stages.inOrder(many, CompletableFuture::completedFuture).toCompletableFuture())
                .isCompletedWithValue(many);
    }

    @Test
    void callThatThrowsFailsTheStage() {
        IllegalStateException failure = new IllegalStateException("failed");
        CompletableFuture<Void> stage = Stages.<Void>guarded(() -> {
                    throw failure;
                })
                .toCompletableFuture();

        assertThat(stage.handle((done, seen) -> seen)).isCompletedWithValue(failure);
    }

    @Test
    void wrappersAreRemovedFromFailures() {
        IllegalStateException failure = new IllegalStateException("failed");

        assertThat(Stages.unwrap(new CompletionException(new CompletionException(failure))))
                .isSameAs(failure);
        assertThat(Stages.unwrap(failure)).isSameAs(failure);
    }
}
