package io.dynajournal.internal.dynamo;

import static io.dynajournal.internal.dynamo.OverHttp.insert;
import static io.dynajournal.internal.dynamo.OverHttp.query;
import static org.assertj.core.api.Assertions.assertThat;

import io.dynajournal.internal.dynamo.ScriptedServer.Received;
import io.dynajournal.internal.dynamo.ScriptedServer.Reply;
import io.dynajournal.listener.RequestListener;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Entities that all recover while others write, against a server that answers 300 requests a second and throttles the rest. */
final class StormOverHttpTest {

    private static final int WRITERS = 10;
    private static final int ENTITIES = 1_000;
    private static final int CONCURRENT_RECOVERIES = 50;
    private static final int PER_SECOND = 300;
    /** A write that takes less is not late, however calm it was before. */
    private static final double NO_LESS_MILLIS = 40;

    private final Queue<Double> writes = new ConcurrentLinkedQueue<>();
    private double tokens = PER_SECOND;
    private long refilled = System.nanoTime();

    private synchronized Reply answer(Received request) {
        long now = System.nanoTime();
        tokens = Math.min(PER_SECOND, tokens + PER_SECOND * (now - refilled) / 1e9);
        refilled = now;
        if (tokens < 1) {
            return Reply.error(400, "ProvisionedThroughputExceededException", "slow down");
        }
        tokens--;
        return Reply.of(200, "{}");
    }

    private double p99() {
        List<Double> sorted = writes.stream().sorted().toList();
        writes.clear();
        return sorted.get((int) (sorted.size() * 0.99));
    }

    private void write(Dynamo dynamo, int writer) {
        long started = System.nanoTime();
        OverHttp.result(insert(dynamo, writer)
                .whenComplete((stored, failure) ->
                        writes.add(failure == null ? (System.nanoTime() - started) / 1e6 : Double.POSITIVE_INFINITY)));
    }

    private static CompletableFuture<Void> recover(Dynamo dynamo, AtomicInteger left) {
        return left.getAndDecrement() <= 0
                ? CompletableFuture.completedFuture(null)
                : query(dynamo).thenComposeAsync(page -> recover(dynamo, left)).toCompletableFuture();
    }

    @Test
    void everythingRecoversAndWritersGoOn() throws InterruptedException {
        ScheduledExecutorService clock = Executors.newScheduledThreadPool(WRITERS);
        try (OverHttp http = new OverHttp()) {
            http.server.otherwise(this::answer);
            Dynamo dynamo = new Dynamo(
                    http.client(ClientSettings.HttpClientChoice.AUTO, 50),
                    RetrySettings.DEFAULTS,
                    RequestListener.NONE,
                    Clock.systemUTC(),
                    true);
            OverHttp.result(insert(dynamo, 0));
            for (int i = 0; i < WRITERS; i++) {
                int writer = i;
                clock.scheduleAtFixedRate(() -> write(dynamo, writer), 10L * i, 100, TimeUnit.MILLISECONDS);
            }
            while (writes.size() < 200) {
                TimeUnit.MILLISECONDS.sleep(10);
            }
            double calm = Math.max(NO_LESS_MILLIS, p99());

            AtomicInteger left = new AtomicInteger(ENTITIES);
            List<CompletableFuture<Void>> recoveries = new ArrayList<>();
            for (int i = 0; i < CONCURRENT_RECOVERIES; i++) {
                recoveries.add(recover(dynamo, left));
            }
            recoveries.forEach(OverHttp::result);
            assertThat(p99()).as("milliseconds; when calm %.1f", calm).isLessThan(5 * calm);
        } finally {
            clock.shutdownNow();
        }
    }
}
