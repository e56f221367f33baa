package io.dynajournal.internal.toolkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import scala.concurrent.Future;

final class ScalaFuturesTest {

    @Test
    void theToolkitSeesTheFailureItself() {
        IllegalStateException failure = new IllegalStateException("failed");
        CompletableFuture<String> dependent = CompletableFuture.<String>failedFuture(failure)
                .thenApply(value -> value)
                .thenApply(value -> value);
        Future<String> future = ScalaFutures.asScala(dependent);

        assertThat(future.value().get().failed().get()).isSameAs(failure);
    }
}
