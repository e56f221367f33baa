package io.dynajournal;

import static org.assertj.core.api.Assertions.assertThat;

import akka.actor.AbstractActor;
import akka.actor.ActorRef;
import akka.actor.ActorSystem;
import akka.actor.Props;
import io.dynajournal.listener.RequestListener;
import io.dynajournal.listener.RetryEvent;
import io.dynajournal.testkit.ErrorAnswer;
import io.dynajournal.testkit.FaultProxy;
import io.dynajournal.testkit.RequestMatch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Entities that all start at once on a table that throttles, while others write: through the toolkit's recoveries and circuit
 * breakers, with the default settings. An open circuit breaker would fail a write or a recovery.
 */
final class StormTest {

    private static final int ENTITIES = 300;
    private static final int WRITERS = 10;
    private static final Duration WRITE_EVERY = Duration.ofMillis(100);
    private static final int CALM_WRITES = 200;
    /** Twice what the writers need. */
    private static final int REQUESTS_PER_SECOND = 200;
    /** A write that takes less is not late, however calm it was before. */
    private static final double CALM_MILLIS = 40;

    @RegisterExtension
    final Systems systems = new Systems();

    private final FaultProxy proxy = Systems.proxy();
    private final AtomicInteger throttled = new AtomicInteger();
    private final List<String> ids =
            IntStream.range(0, ENTITIES).mapToObj(i -> Systems.freshId()).toList();
    private final List<String> writerIds =
            IntStream.range(0, WRITERS).mapToObj(i -> Systems.freshId()).toList();

    @AfterEach
    void close() {
        proxy.close();
    }

    /** What entities tell. */
    private static final class Watch {
        private final CountDownLatch recovered;
        private final Queue<Double> writeMillis = new ConcurrentLinkedQueue<>();
        private final Queue<Object> problems = new ConcurrentLinkedQueue<>();

        Watch(int entities) {
            this.recovered = new CountDownLatch(entities);
        }

        ActorRef in(ActorSystem system) {
            return system.actorOf(Props.create(Watcher.class, () -> new Watcher(this)));
        }

        void awaitRecovered() throws InterruptedException {
            assertThat(recovered.await(60, TimeUnit.SECONDS)).as("recovered").isTrue();
        }

        void awaitWrites(int count) throws InterruptedException {
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
            synchronized (writeMillis) {
                while (writeMillis.size() < count && System.nanoTime() < end) {
                    TimeUnit.NANOSECONDS.timedWait(writeMillis, Math.max(1, end - System.nanoTime()));
                }
            }
            assertThat(writeMillis).hasSizeGreaterThanOrEqualTo(count);
        }

        double takeP99() {
            List<Double> sorted = new ArrayList<>();
            for (Double next = writeMillis.poll(); next != null; next = writeMillis.poll()) {
                sorted.add(next);
            }
            sorted.sort(null);
            return sorted.get((int) (sorted.size() * 0.99));
        }
    }

    private static final class Watcher extends AbstractActor {
        private final Watch watch;

        Watcher(Watch watch) {
            this.watch = watch;
        }

        @Override
        public Receive createReceive() {
            return receiveBuilder()
                    .match(Ledger.Recovered.class, recovered -> watch.recovered.countDown())
                    .match(Ledger.Added.class, added -> {
                        watch.writeMillis.add((System.nanoTime() - Long.parseLong((String) added.event())) / 1e6);
                        synchronized (watch.writeMillis) {
                            watch.writeMillis.notifyAll();
                        }
                    })
                    .matchAny(watch.problems::add)
                    .build();
        }
    }

    private static Ledger.Add write() {
        return new Ledger.Add(Long.toString(System.nanoTime()));
    }

    /** One event each. */
    private void store() throws InterruptedException {
        ActorSystem before = systems.start(Systems.through(proxy));
        Watch watch = new Watch(ENTITIES);
        ActorRef watcher = watch.in(before);
        ids.forEach(id -> before.actorOf(Ledger.props(id, watcher)).tell(write(), ActorRef.noSender()));
        watch.awaitWrites(ENTITIES);
        assertThat(watch.problems).isEmpty();
        systems.stop(before);
    }

    @Test
    void entitiesThatAllStartAtOnceNeitherFailNorDelayTheWritersLong() throws InterruptedException {
        store();
        proxy.when(RequestMatch.all().containing("dynajournal_events"))
                .always()
                .answerAbove(
                        REQUESTS_PER_SECOND,
                        new ErrorAnswer(400, "ProvisionedThroughputExceededException", "slow down", null, null));

        DynajournalSetup setup = DynajournalSetup.create().withRequestListener(new RequestListener() {
            @Override
            public void onRetry(RetryEvent event) {
                if (event.throttlingReason() != null) {
                    throttled.incrementAndGet();
                }
            }
        });
        ActorSystem system = systems.start(Systems.through(proxy), setup);
        Watch writers = new Watch(WRITERS);
        ActorRef writersWatcher = writers.in(system);
        writerIds.stream()
                .map(id -> system.actorOf(Ledger.props(id, writersWatcher)))
                .toList()
                .forEach(writer -> system.scheduler()
                        .scheduleWithFixedDelay(
                                Duration.ZERO,
                                WRITE_EVERY,
                                () -> writer.tell(write(), ActorRef.noSender()),
                                system.dispatcher()));
        writers.awaitWrites(CALM_WRITES);
        writers.takeP99();
        writers.awaitWrites(CALM_WRITES);
        double calm = writers.takeP99();

        Watch entities = new Watch(ENTITIES);
        ActorRef entitiesWatcher = entities.in(system);
        long start = System.nanoTime();
        ids.forEach(id -> system.actorOf(Ledger.props(id, entitiesWatcher)));
        entities.awaitRecovered();
        double seconds = (System.nanoTime() - start) / 1e9;
        double p99 = writers.takeP99();
        System.out.printf(
                "%d recoveries in %.1f s; p99 of writes %.1f ms, before %.1f ms; %s throttled%n",
                ENTITIES, seconds, p99, calm, throttled);
        assertThat(throttled).as("a storm that is not throttled proves nothing").hasPositiveValue();
        assertThat(entities.problems).isEmpty();
        assertThat(writers.problems).isEmpty();
        assertThat(p99).as("ms; when calm %.1f", calm).isLessThan(5 * Math.max(CALM_MILLIS, calm));
    }
}
