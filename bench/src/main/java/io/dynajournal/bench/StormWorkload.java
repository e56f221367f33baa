package io.dynajournal.bench;

import io.dynajournal.bench.LoadProcess.Answer;
import io.dynajournal.bench.LoadProcess.Failed;
import io.dynajournal.bench.wire.CloudServer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/**
 * Entities that all start at once while others write, on the simulated cloud, whose tables
 * throttle together. The toolkit recovers them, behind its circuit breakers; one that opens, or a recovery that times out, fails
 * the row. A new id recovers by two requests, one of them for its snapshot.
 */
final class StormWorkload {

    static final String NAME = "storm-10000";

    static final int ENTITIES = 10_000;
    private static final int WRITERS = 50;
    private static final int WRITES_PER_SECOND = 100;
    private static final int REQUESTS_PER_SECOND = 300;

    private static final String WRITERS_GROUP = "g0001";
    private static final String ENTITIES_GROUP = "g0002";

    /** The writers' latencies are those of the worst of these spans. */
    private static final Scale.CloudTurn SPAN = new Scale.CloudTurn(Duration.ofMillis(500), Duration.ofSeconds(10));

    /** A plugin that has not recovered all entities by then has failed. */
    private static final int MAX_SPANS = 60;

    private StormWorkload() {}

    /** @param seed of the writers' arrivals */
    static Figures measure(LoadProcess load, CloudServer cloud, int seed) throws Failed {
        LoadProcess.await(load.start(WRITERS_GROUP, WRITERS));
        cloud.limitRequests(REQUESTS_PER_SECOND);
        Answer calm = write(load, seed);
        long begin = System.nanoTime();
        CompletableFuture<Answer> recoveries = load.start(ENTITIES_GROUP, ENTITIES);
        CompletableFuture<Long> ended = recoveries.thenApply(answer -> System.nanoTime());
        Answer worst = write(load, seed + 1);
        for (int span = 1; span < MAX_SPANS && !recoveries.isDone(); span++) {
            Answer next = write(load, seed + 1 + span);
            worst = next.percentile99Nanos() > worst.percentile99Nanos() ? next : worst;
        }
        if (!recoveries.isDone()) {
            throw new Failed("not all entities had recovered after " + MAX_SPANS + " spans of " + SPAN.measured());
        }
        LoadProcess.await(recoveries);
        double seconds = (ended.join() - begin) / 1e9;
        cloud.limitRequests(Integer.MAX_VALUE);
        LoadProcess.await(load.stop(ENTITIES_GROUP));
        LoadProcess.await(load.stop(WRITERS_GROUP));
        return FigureFactory.ofStorm(calm, worst, ENTITIES / seconds);
    }

    private static Answer write(LoadProcess load, int seed) throws Failed {
        return LoadProcess.await(load.persistAtRate(WRITERS_GROUP, WRITES_PER_SECOND, SPAN, seed));
    }
}
