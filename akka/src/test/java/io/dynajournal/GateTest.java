package io.dynajournal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dynajournal.store.StoreException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class GateTest {

    private final List<CompletableFuture<String>> openings = new ArrayList<>();
    private final Gate<String> gate = new Gate<>(this::open);

    private CompletionStage<String> open() {
        openings.add(new CompletableFuture<>());
        return openings.get(openings.size() - 1);
    }

    private CompletableFuture<String> use() {
        return gate.use(CompletableFuture::completedFuture).toCompletableFuture();
    }

    @Test
    void thoseWhoCameEarlyGoOnInTheirOrder() {
        List<Integer> order = new ArrayList<>();
        List<Integer> numbers = IntStream.range(0, 10_000).boxed().toList();
        for (int number : numbers) {
            gate.use(store -> {
                order.add(number);
                return new CompletableFuture<>();
            });
        }
        assertThat(order).isEmpty();
        openings.get(0).complete("store");

        assertThat(order).isEqualTo(numbers);
    }

    @Test
    void openGateStartsAtOnce() {
        openings.get(0).complete("store");

        assertThat(use()).isCompletedWithValue("store");
    }

    @Test
    void failureThatMayPassIsTriedAgainByTheNextCaller() {
        CompletableFuture<String> early = use();
        openings.get(0).completeExceptionally(new StoreException.Unavailable("away", null));
        assertThatThrownBy(early::join).hasMessageContaining("away");

        CompletableFuture<String> next = use();
        assertThat(openings).hasSize(2);
        openings.get(1).complete("store");
        assertThat(next).isCompletedWithValue("store");
    }

    @Test
    void refusalStaysUntilItIsReopened() {
        openings.get(0).completeExceptionally(new StoreException.Refused("no table", null));
        assertThatThrownBy(use()::join).hasMessageContaining("no table");
        assertThatThrownBy(use()::join).hasMessageContaining("no table");
        assertThat(openings).hasSize(1);

        gate.reopen();
        openings.get(1).complete("store");
        assertThat(use()).isCompletedWithValue("store");
    }

    @Test
    void operationThatFailsDoesNotStopTheNext() {
        CompletableFuture<String> failing = gate.<String>use(
                        store -> CompletableFuture.failedFuture(new IllegalStateException("failed")))
                .toCompletableFuture();
        CompletableFuture<String> next = use();
        openings.get(0).complete("store");

        assertThatThrownBy(failing::join).hasMessageContaining("failed");
        assertThat(next).isCompletedWithValue("store");
    }
}
