package io.dynajournal.internal.plugin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dynajournal.exception.SettingsException;
import io.dynajournal.exception.StoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class PluginStartupTest {

    private final List<CompletableFuture<String>> attempts = new ArrayList<>();
    private long nanos;
    private final PluginStartup<String> startup = new PluginStartup<>(this::start, () -> nanos);

    private CompletionStage<String> start() {
        attempts.add(new CompletableFuture<>());
        return attempts.get(attempts.size() - 1);
    }

    private CompletableFuture<String> use() {
        return startup.use(CompletableFuture::completedFuture).toCompletableFuture();
    }

    private void fail(int attempt, RuntimeException failure) {
        attempts.get(attempt).completeExceptionally(failure);
    }

    private static StoreException refused() {
        return new StoreException.Refused("no table", null);
    }

    private void pass(Duration time) {
        nanos += time.toNanos();
    }

    @Test
    void callersThatArriveEarlyAreQueuedFirstInFirstOut() {
        List<Integer> order = new ArrayList<>();
        List<Integer> numbers = IntStream.range(0, 10_000).boxed().toList();
        for (int number : numbers) {
            startup.use(store -> {
                order.add(number);
                return new CompletableFuture<>();
            });
        }
        assertThat(order).isEmpty();
        attempts.get(0).complete("store");

        assertThat(order).isEqualTo(numbers);
    }

    @Test
    void startedPluginRunsOperationsImmediately() {
        attempts.get(0).complete("store");

        assertThat(use()).isCompletedWithValue("store");
    }

    @Test
    void networkFailureIsTriedAgainByTheNextCaller() {
        CompletableFuture<String> early = use();
        attempts.get(0).completeExceptionally(new StoreException.Unavailable("away", null));
        assertThatThrownBy(early::join).hasMessageContaining("away");

        CompletableFuture<String> next = use();
        assertThat(attempts).hasSize(2);
        attempts.get(1).complete("store");
        assertThat(next).isCompletedWithValue("store");
    }

    @Test
    void refusedStartIsTriedAgainOnUseWithBackoff() {
        fail(0, refused());
        assertThatThrownBy(use()::join).hasMessageContaining("no table");
        assertThat(attempts).hasSize(1);

        pass(Duration.ofMillis(250));
        CompletableFuture<String> second = use();
        assertThat(attempts).hasSize(2);
        fail(1, refused());
        assertThatThrownBy(second::join).hasMessageContaining("no table");
        pass(Duration.ofMillis(499));
        assertThatThrownBy(use()::join).hasMessageContaining("no table");
        assertThat(attempts).hasSize(2);

        pass(Duration.ofMillis(1));
        CompletableFuture<String> third = use();
        attempts.get(2).complete("store");
        assertThat(third).isCompletedWithValue("store");
    }

    @Test
    void backoffIsNeverLongerThanFiveSeconds() {
        for (int attempt = 0; attempt < 20; attempt++) {
            fail(attempt, refused());
            pass(Duration.ofSeconds(5));
            use();
            assertThat(attempts).hasSize(attempt + 2);
        }
    }

    @Test
    void wrongSettingIsFinal() {
        fail(0, new SettingsException("wrong"));
        pass(Duration.ofDays(1));
        assertThatThrownBy(use()::join).hasMessageContaining("wrong");
        assertThat(attempts).hasSize(1);
    }

    @Test
    void newTableIsTriedWithoutBackoff() {
        fail(0, refused());
        startup.retryNow();
        attempts.get(1).complete("store");
        assertThat(use()).isCompletedWithValue("store");
    }

    @Test
    void restartReplacesTheStore() {
        attempts.get(0).complete("old");
        assertThat(use()).isCompletedWithValue("old");
        startup.restart();
        attempts.get(1).complete("new");
        assertThat(use()).isCompletedWithValue("new");
    }

    @Test
    void operationThatFailsDoesNotStopTheNext() {
        CompletableFuture<String> failing = startup.<String>use(
                        store -> CompletableFuture.failedFuture(new IllegalStateException("failed")))
                .toCompletableFuture();
        CompletableFuture<String> next = use();
        attempts.get(0).complete("store");

        assertThatThrownBy(failing::join).hasMessageContaining("failed");
        assertThat(next).isCompletedWithValue("store");
    }
}
