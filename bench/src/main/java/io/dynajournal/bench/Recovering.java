package io.dynajournal.bench;

import io.dynajournal.bench.LoadProcess.Answer;
import io.dynajournal.bench.LoadProcess.Failed;
import io.dynajournal.bench.wire.RoundTrips;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * Entities that recover at the same time; the toolkits let 50 at once.
 *
 * @param written what their logs hold
 * @param warmUps how often they recover before, so that the JVM has compiled it
 */
record Recovering(String name, int entities, List<Step> written, int warmUps) implements Workload {

    /** Part of a log. */
    sealed interface Step {

        CompletableFuture<Answer> make(LoadProcess load, String group);
    }

    /** Writes of every entity. */
    record Events(String how, int times, int events) implements Step {
        @Override
        public CompletableFuture<Answer> make(LoadProcess load, String group) {
            return load.write(group, how, times, events, Workloads.EVENT_BYTES);
        }
    }

    /** A snapshot of every entity. */
    record Snapshot(int bytes) implements Step {
        @Override
        public CompletableFuture<Answer> make(LoadProcess load, String group) {
            return load.snapshot(group, bytes);
        }
    }

    /** Long beside what DynamoDB Local takes for a request. */
    private static final Duration DELAY = Duration.ofMillis(30);

    private static final int FEW = 5;
    private static final int MANY = 1_000;
    private static final int WATCHED = 3;

    @Override
    public boolean needsSnapshots() {
        return written.stream().anyMatch(Snapshot.class::isInstance);
    }

    /** Of the long logs only that of single events. */
    @Override
    public boolean isQuick() {
        return !preparesAlong()
                || written.stream().allMatch(step -> step instanceof Events events && events.events() == 1);
    }

    @Override
    public boolean isOnce() {
        return entities >= MANY;
    }

    @Override
    public int turns() {
        return preparesAlong() ? 2 : 1;
    }

    @Override
    public boolean preparesAlong() {
        return entities <= FEW;
    }

    @Override
    public CompletableFuture<Answer> prepare(LoadProcess load, String group) {
        CompletableFuture<Answer> all = load.start(group, entities);
        for (Step step : written) {
            all = all.thenCompose(before -> step.make(load, group));
        }
        all = all.thenCompose(before -> load.stop(group));
        for (int i = 0; i < warmUps; i++) {
            all = all.thenCompose(before -> load.start(group, entities)).thenCompose(before -> load.stop(group));
        }
        return all;
    }

    @Override
    public Figures measure(Stage stage, String group) throws Failed {
        stage.begin();
        Answer answer = LoadProcess.await(stage.load().start(group, entities));
        Stage.Turn turn = stage.end();
        LoadProcess.await(stage.load().stop(group));
        return Tally.ofRecoveries(answer, entities, turn);
    }

    /** The round trips. */
    @Override
    public Figures finish(Stage stage, String group) throws Failed {
        stage.proxy().take();
        stage.proxy().delay(DELAY);
        try {
            LoadProcess.await(stage.load().start(group, Math.min(WATCHED, entities)));
        } finally {
            stage.proxy().delay(Duration.ZERO);
        }
        double roundTrips = RoundTrips.perEntity(stage.proxy().take());
        LoadProcess.await(stage.load().stop(group));
        return new Figures(Map.of(Figures.ROUND_TRIPS, roundTrips), null, null);
    }
}
