package io.dynajournal.bench;

import io.dynajournal.bench.LoadProcess.Answer;
import io.dynajournal.bench.LoadProcess.Failed;
import java.util.concurrent.CompletableFuture;

/**
 * Entities that write at the same time.
 *
 * @param how as the toolkits name it
 * @param times how many writes an entity makes in a turn, one after another
 * @param events in a write
 * @param bytes of an event
 */
record Writing(String name, int entities, String how, int times, int events, int bytes) implements Workload {

    @Override
    public boolean needsSnapshots() {
        return false;
    }

    @Override
    public boolean isQuick() {
        return bytes == Workloads.EVENT_BYTES;
    }

    @Override
    public int turns() {
        return name.equals("persist-one") || name.equals("persist-all-10") ? 2 : 1;
    }

    /** As many writes of the same kind, so that the JVM has compiled them. */
    @Override
    public CompletableFuture<Answer> prepare(LoadProcess load, String group) {
        return load.start(group, entities).thenCompose(started -> load.write(group, how, times, events, bytes));
    }

    @Override
    public Figures measure(Stage stage, String group) throws Failed {
        stage.settle();
        stage.proxy().take();
        Answer answer = LoadProcess.await(stage.load().write(group, how, times, events, bytes));
        return Tally.ofWrites(answer, answer.events(), entities, stage.bills());
    }

    @Override
    public Figures finish(Stage stage, String group) throws Failed {
        LoadProcess.await(stage.load().stop(group));
        return Figures.NONE;
    }
}
