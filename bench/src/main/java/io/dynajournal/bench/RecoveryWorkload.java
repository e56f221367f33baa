package io.dynajournal.bench;

import io.dynajournal.bench.LoadProcess.Answer;
import io.dynajournal.bench.LoadProcess.Failed;
import io.dynajournal.bench.wire.RoundTrips;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * Entities that recover concurrently; the toolkits admit 50 at a time.
 *
 * @param written the content of their logs
 * @param warmUps unmeasured recoveries, in which the JVM compiles
 */
record RecoveryWorkload(String name, int entities, List<Step> written, int warmUps) implements Workload {

    /** A part of a log. */
    sealed interface Step {

        CompletableFuture<Answer> write(LoadProcess load, String group);
    }

    /** Writes by every entity. */
    record Events(String how, int times, int events) implements Step {
        @Override
        public CompletableFuture<Answer> write(LoadProcess load, String group) {
            return load.write(group, how, times, events, Workloads.EVENT_BYTES);
        }
    }

    /** A snapshot of every entity. */
    record Snapshot(int bytes) implements Step {
        @Override
        public CompletableFuture<Answer> write(LoadProcess load, String group) {
            return load.snapshot(group, bytes);
        }
    }

    /** Long in comparison with a request to DynamoDB Local. */
    private static final Duration DELAY = Duration.ofMillis(30);

    private static final int MAX_LONG_LOGS = 5;
    private static final int MIN_FOR_ONE_TURN = 1_000;
    private static final int ROUND_TRIP_ENTITIES = 3;

    @Override
    public boolean needsSnapshots() {
        return written.stream().anyMatch(Snapshot.class::isInstance);
    }

    /** Of the long logs, only the one of single events. */
    @Override
    public boolean isQuick() {
        return !preparesConcurrently()
                || written.stream().allMatch(step -> step instanceof Events events && events.events() == 1);
    }

    @Override
    public boolean isOnce() {
        return entities >= MIN_FOR_ONE_TURN;
    }

    @Override
    public int turns() {
        return preparesConcurrently() ? 2 : 1;
    }

    @Override
    public boolean preparesConcurrently() {
        return entities <= MAX_LONG_LOGS;
    }

    @Override
    public CompletableFuture<Answer> prepare(LoadProcess load, String group) {
        CompletableFuture<Answer> all = load.start(group, entities);
        for (Step step : written) {
            all = all.thenCompose(before -> step.write(load, group));
        }
        all = all.thenCompose(before -> load.stop(group));
        for (int i = 0; i < warmUps; i++) {
            all = all.thenCompose(before -> load.start(group, entities)).thenCompose(before -> load.stop(group));
        }
        return all;
    }

    @Override
    public Figures measure(LoadSession session, String group) throws Failed {
        session.begin();
        Answer answer = LoadProcess.await(session.load().start(group, entities));
        LoadSession.ServerUsage usage = session.end();
        LoadProcess.await(session.load().stop(group));
        return FigureFactory.ofRecoveries(answer, entities, usage);
    }

    /** Counts the round trips. */
    @Override
    public Figures finish(LoadSession session, String group) throws Failed {
        session.proxy().take();
        session.proxy().delay(DELAY);
        try {
            LoadProcess.await(session.load().start(group, Math.min(ROUND_TRIP_ENTITIES, entities)));
        } finally {
            session.proxy().delay(Duration.ZERO);
        }
        double roundTrips = RoundTrips.perEntity(session.proxy().take());
        LoadProcess.await(session.load().stop(group));
        return new Figures(Map.of(Figures.ROUND_TRIPS, roundTrips), null, null);
    }
}
